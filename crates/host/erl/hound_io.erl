%% A group leader that keeps what is written and has nothing to read.
-module(hound_io).
-export([start/0, start_guarded/0, take/1]).

%% Beyond this many bytes output is dropped, so that a chatty program cannot fill the memory.
-define(KEPT, 4194304).

-spec start() -> pid().
start() ->
    spawn(fun() -> loop([], 0) end).

%% The same, for a guarded run: what it is asked to call is looked at as if the run itself had called it.
-spec start_guarded() -> pid().
start_guarded() ->
    spawn(fun() -> group_leader(self(), self()), loop([], 0) end).

%% The output since the last time, as UTF-8.
-spec take(pid()) -> binary().
take(Io) ->
    Ref = monitor(process, Io),
    Io ! {take, self(), Ref},
    receive
        {Ref, Output} -> demonitor(Ref, [flush]), Output;
        {'DOWN', Ref, process, _, _} -> <<>>
    end.

loop(Output, Size) ->
    receive
        {io_request, From, As, Request} ->
            {Answer, Text} = request(Request),
            From ! {io_reply, As, Answer},
            kept(Output, Size, Text);
        {take, From, Ref} ->
            From ! {Ref, iolist_to_binary(lists:reverse(Output))},
            loop([], 0);
        _ ->
            loop(Output, Size)
    end.

kept(Output, Size, <<>>) -> loop(Output, Size);
kept(Output, Size, _Text) when Size > ?KEPT -> loop(Output, Size);
kept(Output, Size, Text) -> loop([Text | Output], Size + byte_size(Text)).

%% The answer to a request of the io protocol, and the text it writes.
request({put_chars, Encoding, Chars}) -> put_chars(Encoding, Chars);
request({put_chars, Encoding, Module, Function, Args}) ->
    try called(Module, Function, Args) of
        Chars -> put_chars(Encoding, Chars)
    catch
        _:_ -> {{error, Function}, <<>>}
    end;
request({put_chars, Chars}) -> request({put_chars, latin1, Chars});
request({put_chars, Module, Function, Args}) -> request({put_chars, latin1, Module, Function, Args});
request({requests, Requests}) -> requests(Requests, ok, []);
request({setopts, _}) -> {ok, <<>>};
request(getopts) -> {[{binary, false}, {encoding, unicode}], <<>>};
request({get_geometry, _}) -> {{error, enotsup}, <<>>};
request(Reading) when element(1, Reading) =:= get_line;
                      element(1, Reading) =:= get_chars;
                      element(1, Reading) =:= get_until;
                      element(1, Reading) =:= get_password -> {eof, <<>>};
request(_) -> {{error, request}, <<>>}.

called(Module, Function, Args) ->
    case hound_guard:is_up() of
        true -> hound_guard:door(Module, Function, Args);
        false -> apply(Module, Function, Args)
    end.

put_chars(Encoding, Chars) ->
    try unicode:characters_to_binary(Chars, Encoding) of
        Text when is_binary(Text) -> {ok, Text};
        _ -> {{error, {no_translation, Encoding, unicode}}, <<>>}
    catch
        _:_ -> {{error, put_chars}, <<>>}
    end.

%% Several requests are answered with the first that fails, or the last.
requests([Request | Rest], _, Texts) ->
    case request(Request) of
        {{error, _} = Error, Text} -> {Error, joined([Text | Texts])};
        {Answer, Text} -> requests(Rest, Answer, [Text | Texts])
    end;
requests([], Answer, Texts) ->
    {Answer, joined(Texts)}.

joined(Texts) -> iolist_to_binary(lists:reverse(Texts)).
