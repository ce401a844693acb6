%% Protocols in lines: commands of a mail server, redis replies, chat messages.
%! reply/1 bug error:badarg@integer
%! reply/1 declared throw:{bad_reply,_}@bad_reply
%! bulk/1 bug error:{badmatch,_}@bulk
%! command/1 bug error:{badmatch,_}@mail
%! status/1 bug error:function_clause@status
%! chat/1 bug error:{case_clause,_}@chat
%! args/1 bug error:function_clause@args
%! session/1 bug error:{badmatch,_}@session
-module(packets_text).
-export([reply/1, bulk/1, command/1, status/1, chat/1, args/1, session/1]).

-spec reply(binary()) -> {ok | error, binary()} | integer().
reply(<<"+", Rest/binary>>) -> {ok, Rest};
reply(<<"-", Rest/binary>>) -> {error, Rest};
reply(<<":", Rest/binary>>) -> binary_to_integer(Rest); %@integer
reply(Other) -> throw({bad_reply, Other}). %@bad_reply

-spec bulk(binary()) -> {binary(), binary()} | more.
bulk(<<"$", Length, "\r\n", Rest/binary>>) when Length >= $0, Length =< $9 ->
    Size = Length - $0,
    <<Data:Size/binary, "\r\n", More/binary>> = Rest, %@bulk
    {Data, More};
bulk(_) -> more.

-spec command(string()) -> {mail, string()} | quit | unknown.
command("QUIT") -> quit;
command("MAIL FROM:" ++ Rest) ->
    [$< | Address] = Rest, %@mail
    {mail, lists:takewhile(fun(C) -> C =/= $> end, Address)};
command(_) -> unknown.

-spec status(200..599) -> ok | moved | failed.
status(Code) -> class(Code div 100).

class(2) -> ok; %@status
class(3) -> moved;
class(5) -> failed.

%% @doc `/nick name', `/quit' or text.
-spec chat(string()) -> {nick, string()} | quit | {text, string()}.
chat("/" ++ Command) ->
    case string:split(Command, " ") of %@chat
        ["nick", Name] -> {nick, Name};
        ["quit"] -> quit
    end;
chat(Text) -> {text, Text}.

%% @doc Words of a line, in double quotes or between spaces.
-spec args(string()) -> [string()].
args([]) -> [];
args([$\s | Rest]) -> args(Rest);
args([$" | Rest]) -> quoted(Rest, []);
args(Text) ->
    {Word, Rest} = lists:splitwith(fun(C) -> C =/= $\s end, Text),
    [Word | args(Rest)].

quoted([$" | Rest], Acc) -> [lists:reverse(Acc) | args(Rest)]; %@args
quoted([$\\, C | Rest], Acc) -> quoted(Rest, [C | Acc]);
quoted([C | Rest], Acc) when C =/= $\\ -> quoted(Rest, [C | Acc]).

-type input() :: helo | {mail, binary()} | {rcpt, binary()} | data | quit.
-spec session([input()]) -> [binary()].
session(Inputs) -> session(Inputs, start, []).

session([], _, Sent) -> Sent;
session([helo | Inputs], _, Sent) -> session(Inputs, ready, Sent);
session([{mail, From} | Inputs], ready, Sent) -> session(Inputs, {mail, From, []}, Sent);
session([{rcpt, To} | Inputs], State, Sent) ->
    {mail, From, Tos} = State, %@session
    session(Inputs, {mail, From, [To | Tos]}, Sent);
session([data | Inputs], {mail, From, [_ | _]}, Sent) -> session(Inputs, ready, [From | Sent]);
session([quit | _], _, Sent) -> Sent;
session([_ | Inputs], State, Sent) -> session(Inputs, State, Sent).
