%% The loop that answers requests, one at a time, from file descriptor 3 on file descriptor 4.
%%
%% A request is <<Id:64, Operation:8, Rest/binary>>, its answer <<Id:64, Tag:8, Rest/binary>>. Calls have operations of
%% their own so that their terms are decoded in the process that runs the call; everything else is one term.
-module(hound_host).
-export([start/0]).

-define(REQUEST, 0).
-define(CALL, 1).
-define(SESSION_CALL, 2).
-define(OBSERVED_CALL, 3).
-define(GUARDED_CALL, 4).
-define(CONDUCTED_CALL, 5).

-define(ANSWER, 6).
-define(FAILED, 8).
-define(NO_SESSION, 9).

%% Modules of the library whose processes make reports of each other.
-define(QUIET, [application_controller, code, gen_event, gen_fsm, gen_server, gen_statem, proc_lib, supervisor,
                supervisor_bridge]).

%% The tag of a fun of another module in the external term format.
-define(EXPORT, 113).

%% sessions: #{Id => {Pid, Io}}; next: the next session's id.
%% io: where the output of calls goes that belong to no session; harmless: modules whose calls need no guard, or do.
-record(st, {port, io = hound_io:start(), sessions = #{}, next = 1, code = hound_code:new(), harmless = #{}}).

-spec start() -> pid().
start() ->
    ok = settle(init:get_argument(hound_folder)),
    Loop = spawn_opt(fun init/0, [{priority, high}]),
    spawn_opt(fun() -> guard(Loop) end, [{priority, max}]).

%% The VM starts in a folder of ours, so that no file of the user's is taken for a module of Erlang's own; from now on the
%% current folder is the user's, and it is not in the code path.
settle({ok, [[Folder]]}) ->
    _ = code:del_path("."),
    _ = file:set_cwd(Folder),
    ok;
settle(_) ->
    ok.

%% When the loop is gone nothing can answer any more.
guard(Loop) ->
    Ref = monitor(process, Loop),
    receive {'DOWN', Ref, process, _, _} -> stop() end.

%% The emulator's own reports come to the loop: it learns from them who died of a full heap, and nothing is printed.
init() ->
    ok = log_nowhere(),
    erlang:system_flag(system_logger, self()),
    group_leader(hound_io:start(), self()),
    Port = open_port({fd, 3, 4}, [binary, {packet, 4}]),
    ok = hound_events:open(Port),
    ok = hound_keeper:start(),
    spawn_opt(fun() -> watch(Port) end, [{priority, max}]),
    send(Port, 0, ?ANSWER, <<>>),
    loop(#st{port = Port}).

%% What programs log is made as with the default level, and goes to no handler. The reports of the library's own processes
%% are not made: they look at other processes.
log_nowhere() ->
    _ = [logger:remove_handler(Handler) || Handler <- logger:get_handler_ids()],
    _ = logger:set_module_level(?QUIET, none),
    _ = logger:set_primary_config(level, notice),
    ok.

%% The parent's end of the pipe closes when the parent ends, however it ends.
watch(Port) ->
    Ref = monitor(port, Port),
    receive {'DOWN', Ref, port, _, _} -> stop() end.

stop() ->
    erlang:halt(0, [{flush, false}]).

loop(#st{port = Port} = St0) ->
    receive
        {Port, {data, <<Id:64, Operation, Rest/binary>>}} ->
            {Tag, Answer, St} = handle(Operation, Id, Rest, St0),
            send(Port, Id, Tag, Answer),
            loop(St);
        _ ->
            loop(St0)
    end.

send(Port, Id, Tag, Answer) ->
    port_command(Port, [<<Id:64, Tag>>, Answer]).

handle(?OBSERVED_CALL, Id, <<Limits:24/binary, Most:64, Etf/binary>>, #st{io = Io} = St) ->
    Recording = {Id, Most},
    {Tag, Answer} = case hound_guard:has_rules() of
                        true ->
                            ok = raise(St),
                            hound_run:guarded_call(Limits, Etf, Recording);
                        false ->
                            hound_run:observed_call(Limits, Etf, Io, Recording)
                    end,
    {Tag, Answer, St};
handle(?GUARDED_CALL, Id, <<Limits:24/binary, Etf/binary>> = Rest, St0) ->
    case hound_guard:is_up() orelse is_harmless(Etf, St0) of
        {true, St} -> handle(?CALL, Id, Rest, St);
        _ ->
            ok = raise(St0),
            {Tag, Answer} = hound_run:guarded_call(Limits, Etf, none),
            {Tag, Answer, St0}
    end;
handle(?CONDUCTED_CALL, _, <<Limits:24/binary, Size:32, Steps:Size/binary, Etf/binary>>, St) ->
    ok = raise(St),
    {Tag, Answer} = hound_run:conducted_call(Limits, Steps, Etf),
    {Tag, Answer, St};
handle(?CALL, _, <<Limits:24/binary, Etf/binary>>, #st{io = Io} = St) ->
    {Tag, Answer} = hound_run:call(Limits, Etf, Io),
    {Tag, Answer, St};
handle(?SESSION_CALL, _, <<Session:64, Limits:24/binary, Etf/binary>>, #st{sessions = Sessions} = St) ->
    case Sessions of
        #{Session := {Pid, _}} ->
            {Tag, Answer} = hound_run:session_call(Pid, Limits, Etf),
            {Tag, Answer, St};
        #{} ->
            {?NO_SESSION, <<>>, St}
    end;
handle(?REQUEST, _, Etf, St0) ->
    try request(hound_table:call(Etf), St0) of
        {Answer, St} -> {?ANSWER, term_to_binary(Answer), St}
    catch
        Class:Reason:Stack -> {?FAILED, failure(Class, Reason, Stack), St0}
    end;
handle(_, _, _, St) ->
    {?FAILED, term_to_binary(<<"unknown operation">>), St}.

failure(Class, Reason, Stack) ->
    term_to_binary(unicode:characters_to_binary(io_lib:format("~p:~0tP at ~0tP", [Class, Reason, 40, Stack, 30]))).

request({extract, Source, Options}, St) ->
    {hound_run:apart(fun() -> packed(extract(Source, Options)) end), St};
request({compile_core, Text, Options}, St) ->
    {hound_run:apart(fun() -> compiled(hound_compile:core_text(binary_to_list(Text), Options)) end), St};
request({load, Role, Module, Beam}, #st{code = Code0} = St) ->
    {Answer, Code} = hound_code:load(Role, Module, Beam, Code0),
    {Answer, St#st{code = Code, harmless = #{}}};
request({use, Role}, #st{code = Code} = St) ->
    {ok, St#st{code = hound_code:use(Role, Code)}};
request({rules, Rules}, St) ->
    {hound_guard:rules(Rules), St#st{harmless = #{}}};
request(conduct, St) ->
    {hound_turn:enable(), St};
request(raise, St) ->
    {raise(St), St};
request({format, Term}, St) ->
    {hound_run:apart(fun() -> hound_text:term(Term) end), St};
request({format_exception, Class, Reason, Stack}, St) ->
    {hound_run:apart(fun() -> hound_text:exception(Class, Reason, Stack) end), St};
request({format_banner, Class, Reason, Stack}, St) ->
    {hound_run:apart(fun() -> hound_text:banner(Class, Reason, Stack) end), St};
request({cover, Modules, Module, Function, Args}, St) ->
    {hound_run:apart(fun() -> hound_cover:lines(Modules, {Module, Function, Args}) end), St};
request({watch_lines, Module, File, Counters}, St) ->
    case hound_run:apart(fun() -> hound_lines:watch(Module, named(File), Counters) end) of
        {ok, _, _} = Made ->
            ok = hound_lines:install(Module),
            {Made, St};
        Failure ->
            {Failure, St}
    end;
request({clear_lines, Module}, St) ->
    {hound_lines:clear(Module), St};
request({seen_lines, Module}, St) ->
    {hound_lines:seen(Module), St};
request({open_session, Limits}, #st{sessions = Sessions, next = Id} = St) ->
    Io = hound_io:start(),
    Pid = hound_run:session(Limits, Io),
    {Id, St#st{sessions = Sessions#{Id => {Pid, Io}}, next = Id + 1}};
request({session_output, Id}, #st{sessions = Sessions} = St) ->
    case Sessions of
        #{Id := {_, Io}} -> {hound_io:take(Io), St};
        #{} -> {none, St}
    end;
request({close_session, Id}, #st{sessions = Sessions0} = St) ->
    case maps:take(Id, Sessions0) of
        {{Pid, Io}, Sessions} ->
            hound_run:sweep(Io),
            exit(Pid, kill),
            exit(Io, kill),
            {true, St#st{sessions = Sessions}};
        error ->
            {false, St}
    end.

%% Raises the guard, if that has not been done.
raise(#st{code = Code}) ->
    case hound_guard:is_up() of
        true -> ok;
        false ->
            ok = hound_guard:raise(),
            ok = hound_code:again(Code),
            hound_lines:again()
    end.

%% True if a call needs no guard, by the module that it calls; it must hold no fun of another module.
is_harmless(<<131, 104, 3, 119, Size, Name:Size/binary, Args/binary>>, #st{harmless = Known, code = Code} = St) ->
    Module = binary_to_atom(Name),
    case {binary:match(Args, <<?EXPORT>>), Known} of
        {nomatch, #{Module := Harmless}} -> {Harmless, St};
        {nomatch, #{}} ->
            Harmless = hound_run:apart(fun() -> hound_admit:is_harmless(Module, hound_code:originals(Code)) end),
            {Harmless, St#st{harmless = Known#{Module => Harmless}}};
        _ -> {false, St}
    end;
is_harmless(_, St) ->
    {false, St}.

named(none) -> none;
named(File) -> unicode:characters_to_list(File).

compiled({ok, _Core, Module, Beam}) -> {ok, Module, Beam};
compiled({error, _} = Error) -> Error.

extract({beam, Beam}, Options) ->
    hound_extract:beam(Beam, Options);
extract({erl, Path, Flags}, Options) ->
    File = unicode:characters_to_list(Path),
    case hound_compile:erl(File, Flags) of
        {ok, _, Beam, Files} -> with_beam(hound_edoc:added(hound_extract:beam(Beam, Options), File), Beam, Files);
        {error, _} = Error -> Error
    end;
extract({erl_text, File, Text}, Options) ->
    case hound_compile:erl_text(unicode:characters_to_list(File), unicode:characters_to_list(Text)) of
        {ok, _, Beam, Files} -> with_beam(hound_extract:beam(Beam, Options), Beam, Files);
        {error, _} = Error -> Error
    end;
extract({expression, Text, Module}, Options) ->
    case hound_compile:expression(unicode:characters_to_list(Text), Module) of
        {ok, _, Beam, Files} -> with_beam(hound_extract:beam(Beam, Options), Beam, Files);
        {error, _} = Error -> Error
    end;
extract({core, Path}, _Options) ->
    case hound_compile:core_file(unicode:characters_to_list(Path), []) of
        {ok, Core, Module, Beam} -> with_beam({ok, hound_extract:core(Module, Core, Beam)}, Beam, []);
        {error, _} = Error -> Error
    end.

%% Each function as a term of its own in external format, so that only those are decoded that are looked at.
packed({ok, #{core := {c_module, Anno, Name, Exports, Attributes, Definitions}} = Extracted}) ->
    Packed = [{Function, term_to_binary(Body)} || {Function, Body} <- Definitions],
    {ok, Extracted#{core := {c_module, Anno, Name, Exports, Attributes, Packed}}};
packed(Error) ->
    Error.

with_beam({ok, Extracted}, Beam, Files) ->
    {ok, Extracted#{beam => Beam, files => [unicode:characters_to_binary(File) || File <- Files]}};
with_beam(Error, _Beam, _Files) ->
    Error.
