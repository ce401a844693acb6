%% Decides what a guarded run may do: which functions are refused, and whom it may send messages.
%%
%% A process is guarded when its group leader is that of a guarded run, or one that such a run has made its own. A refusal
%% cannot be caught: the process informs the one that waits for the run, and ends.
-module(hound_guard).
-export([rules/1, has_rules/0, raise/0, is_up/0, is_refused/3, is_watched/3, is_door/3, is_trusted/1, admit/1]).
-export([is_free/1, door/3, address/2, ensure_loaded/1, later/4]).

%% Modules with functions that are looked at besides those with rules.
-define(HANDLED, [erlang, code, digraph, ets, io, persistent_term, proc_lib, timer, atomics, counters | ?ADDRESSING]).

-define(RULES, '$hound_rules').
-define(UP, '$hound_up').

%% A function, all of its arities, or all functions of a module; whether it is refused. The most exact rule counts.
-type rule() :: {module(), atom() | any, arity() | any, boolean()}.

%% Modules whose first argument says who is asked, but for functions that start processes.
-define(ADDRESSING, [gen, gen_server, gen_statem, gen_event, gen_fsm, sys, supervisor]).

%% Modules beside those that are refused as a whole whose harmful functions all have rules: what the others do is harmless.
-define(TRUSTED, [application, logger, error_logger]).

%% Modules of ours that no program calls; patched code comes to them by calls that are put in after it was looked at.
-define(OWN, [hound_admit, hound_atoms, hound_code, hound_compile, hound_compiled, hound_conductor, hound_cover, hound_extract,
              hound_flight, hound_gate, hound_gated_io, hound_guard, hound_handler, hound_host, hound_inline, hound_io,
              hound_keeper, hound_lines, hound_locate, hound_marks, hound_patch, hound_run, hound_signal, hound_state,
              hound_text, hound_trim, hound_turn]).

%% Functions of ours that no program calls in modules that are part of what programs call.
-define(OWN_FUNCTIONS, [{hound_events, [open, record, flush, rescue]}, {hound_table, [call, term]}]).

-spec rules([rule()]) -> ok.
rules(Given) ->
    %% What a timer starts is guarded again, and so is what takes turns.
    Rules = [{?MODULE, later, 4, false}, {hound_turn, begun, 3, false} | [{Module, any, any, true} || Module <- ?OWN]]
        ++ [{Module, Function, any, true} || {Module, Functions} <- ?OWN_FUNCTIONS, Function <- Functions] ++ Given,
    Doors = lists:foldl(fun rule/2, maps:from_keys(?HANDLED, #{}), Rules),
    persistent_term:put(?RULES, maps:filter(fun has_doors/2, Doors)).

has_doors(Module, Rows) ->
    lists:member(Module, ?HANDLED) orelse lists:member(true, maps:values(Rows)).

rule({Module, Function, Arity, Refused}, Doors) ->
    Rows = maps:get(Module, Doors, #{}),
    Doors#{Module => Rows#{{Function, Arity} => Refused}}.

-spec has_rules() -> boolean().
has_rules() ->
    persistent_term:get(?RULES, none) =/= none.

%% From now on every module that is loaded is patched.
-spec raise() -> ok.
raise() ->
    persistent_term:put(?UP, true),
    hound_keeper:ask(raise).

-spec is_up() -> boolean().
is_up() ->
    persistent_term:get(?UP, false).

%% True if no function of a module needs a look.
-spec is_free(term()) -> boolean().
is_free(Module) ->
    not is_map_key(Module, persistent_term:get(?RULES)).

-spec is_refused(module(), atom(), arity()) -> boolean().
is_refused(_, module_info, _) -> false;
is_refused(_, behaviour_info, _) -> false;
is_refused(Module, Function, Arity) ->
    case persistent_term:get(?RULES) of
        #{Module := #{{Function, Arity} := Refused}} -> Refused;
        #{Module := #{{Function, any} := Refused}} -> Refused;
        #{Module := #{{any, any} := Refused}} -> Refused;
        #{} -> false
    end.

%% True if what a library module does inside is no concern of ours.
-spec is_trusted(module()) -> boolean().
is_trusted(Module) ->
    lists:member(Module, ?TRUSTED) orelse is_refused(Module, any, any).

%% True if a module of a program must come to the door for that function; for modules of the library see is_door/3.
-spec is_watched(module(), atom(), arity()) -> boolean().
is_watched(Module, Function, Arity) ->
    is_door(Module, Function, Arity) orelse is_handled(Module, Function, Arity).

%% The library knows whom it sends messages, but not what it was given to call. What a conductor wants to know it wants to
%% know of all.
-spec is_door(module(), atom(), arity()) -> boolean().
is_door(Module, Function, Arity) ->
    is_refused(Module, Function, Arity) orelse is_calling(Module, Function, Arity)
        orelse hound_turn:is_visible(Module, Function).

is_calling(erlang, Function, Arity) ->
    lists:member({Function, Arity}, [{apply, 3}, {hibernate, 3}, {make_fun, 3}, {spawn, 3}, {spawn, 4}, {spawn_link, 3},
                                     {spawn_link, 4}, {spawn_monitor, 3}, {spawn_monitor, 4}, {spawn_opt, 4},
                                     {spawn_opt, 5}, {spawn_request, 3}, {spawn_request, 4}, {spawn_request, 5}]);
is_calling(code, ensure_loaded, 1) -> true;
is_calling(code, ensure_modules_loaded, 1) -> true;
is_calling(_, _, _) -> false.

is_handled(erlang, Function, Arity) ->
    lists:member({Function, Arity}, [{'!', 2}, {send, 2}, {send, 3}, {send_nosuspend, 2}, {send_nosuspend, 3}, {exit, 2},
                                     {exit_signal, 2}, {link, 1}, {unregister, 1}, {suspend_process, 1},
                                     {suspend_process, 2}, {process_flag, 3}, {group_leader, 2}, {send_after, 3},
                                     {send_after, 4}, {start_timer, 3}, {start_timer, 4}, {binary_to_term, 1},
                                     {binary_to_term, 2}]);
is_handled(persistent_term, Function, _) -> lists:member(Function, [get, put, erase]);
is_handled(ets, Function, _) -> Function =:= give_away orelse is_writing(Function);
is_handled(digraph, Function, Arity) -> Arity > 0 andalso Function =/= new;
is_handled(proc_lib, stop, _) -> true;
is_handled(io, request, 2) -> true;
is_handled(io, requests, 2) -> true;
is_handled(timer, Function, _) -> is_timing(Function);
is_handled(Module, Function, Arity) when Arity > 0 -> lists:member(Module, ?ADDRESSING) andalso not is_starting(Function);
is_handled(_, _, _) -> false.

is_writing(Function) ->
    lists:member(Function, [insert, insert_new, delete, delete_all_objects, delete_object, match_delete, select_delete,
                            select_replace, take, update_counter, update_element, rename, setopts, from_dets]).

is_timing(Function) ->
    lists:member(Function, [apply_after, apply_interval, apply_repeatedly, send_after, send_interval, exit_after,
                            kill_after]).

is_starting(Function) ->
    lists:prefix("start", atom_to_list(Function))
        orelse lists:member(Function, [enter_loop, init_it, system_continue, system_terminate, module_info,
                                       behaviour_info]).

is_guarded() ->
    hound_keeper:is_leader(group_leader()).

%% A call that has to be looked at.
-spec door(module(), atom(), [term()]) -> term().
door(Module, Function, Args) ->
    case is_guarded() of
        true -> in_turn(Module, Function, Args);
        false -> apply(Module, Function, Args)
    end.

in_turn(Module, Function, Args) ->
    case hound_turn:is_visible(Module, Function) andalso hound_turn:turn(Module, Function, Args) of
        {done, Value} -> Value;
        {do, Other, With} -> guarded(Module, Other, With);
        false -> guarded(Module, Function, Args)
    end.

guarded(erlang, nif_error, Args) ->
    refuse({erlang, nif_error, length(Args)});
guarded(Module, Function, Args) when is_atom(Module), is_atom(Function) ->
    Arity = length(Args),
    _ = is_refused(Module, Function, Arity) andalso refuse({Module, Function, Arity}),
    case is_watched(Module, Function, Arity) of
        true -> handled(Module, Function, Args);
        false -> apply(Module, Function, Args)
    end;
guarded(Module, Function, Args) ->
    apply(Module, Function, Args).

handled(erlang, Function, [M, F, As] = Args) when Function =:= apply; Function =:= hibernate ->
    case is_call(M, F, As) of
        true when Function =:= apply -> guarded(M, F, As);
        true -> apply(erlang, Function, behind_door(Args));
        false -> apply(erlang, Function, Args)
    end;
handled(erlang, make_fun, [M, F, A] = Args) ->
    case is_atom(M) andalso is_atom(F) andalso is_watched(M, F, A) of
        true -> erlang:make_fun(hound_patch:door(M), F, A);
        false -> apply(erlang, make_fun, Args)
    end;
handled(erlang, binary_to_term, Args) ->
    checked(apply(erlang, binary_to_term, Args));
handled(erlang, group_leader, [Leader, Of] = Args) ->
    address({erlang, group_leader, 2}, Of),
    address({erlang, group_leader, 2}, Leader),
    hound_keeper:ask({lead, Leader}),
    apply(erlang, group_leader, Args);
handled(erlang, Function, [_, To | _] = Args) when Function =:= send_after; Function =:= start_timer ->
    address({erlang, Function, length(Args)}, To),
    remembered(apply(erlang, Function, Args));
handled(erlang, Function, [To | _] = Args) ->
    case is_calling(erlang, Function, length(Args)) of
        true -> apply(erlang, Function, behind_door(Args));
        false ->
            _ = is_handled(erlang, Function, length(Args)) andalso address({erlang, Function, length(Args)}, To),
            apply(erlang, Function, Args)
    end;
handled(persistent_term, get, []) ->
    [Pair || {Key, _} = Pair <- persistent_term:get(), not hound_keeper:is_ours(Key)];
handled(persistent_term, Function, [Key | _] = Args) ->
    _ = hound_keeper:is_ours(Key) andalso refuse({persistent_term, Function, length(Args)}),
    _ = Function =:= get orelse hound_keeper:ask({term, Key}),
    apply(persistent_term, Function, Args);
handled(code, ensure_loaded, [Module]) when is_atom(Module) ->
    ensure_loaded(Module);
handled(code, ensure_modules_loaded, [Modules]) when is_list(Modules) ->
    _ = [ensure_loaded(Module) || Module <- Modules, is_atom(Module)],
    code:ensure_modules_loaded(Modules);
handled(ets, give_away, [_, To | _] = Args) ->
    address({ets, give_away, 3}, To),
    apply(ets, give_away, Args);
handled(ets, Function, [Table | _] = Args) ->
    _ = is_handled(ets, Function, length(Args)) andalso address({ets, Function, length(Args)}, owner(Table)),
    apply(ets, Function, Args);
handled(digraph, Function, [Graph | _] = Args) ->
    %% A graph is a tuple of tables, which anything may have put together.
    _ = [address({digraph, Function, length(Args)}, owner(Table)) || is_tuple(Graph), Table <- tuple_to_list(Graph)],
    apply(digraph, Function, Args);
handled(timer, Function, Args) ->
    case hound_turn:is_enabled() of
        true -> apply(timer, Function, Args);
        false -> timed(Function, Args)
    end;
handled(Module, Function, [{via, By, Name} | Rest] = Args) ->
    named(Module, Function, Args, guarded(By, whereis_name, [Name]), Rest);
handled(Module, reply, [{To, _}, _] = Args) ->
    address({Module, reply, 2}, To),
    apply(Module, reply, Args);
handled(Module, Function, Args) when Function =:= abcast; Function =:= multi_call ->
    [address({Module, Function, length(Args)}, To) || To <- lists:sublist(Args, 2), is_atom(To)],
    apply(Module, Function, Args);
handled(Module, Function, [To | _] = Args) ->
    _ = is_handled(Module, Function, length(Args)) andalso address({Module, Function, length(Args)}, To),
    apply(Module, Function, Args);
handled(Module, Function, []) ->
    apply(Module, Function, []).

%% A process that a module of the program names: the one that was looked at is asked, whatever the module says next.
named(Module, Function, Args, To, Rest) when is_pid(To) ->
    address({Module, Function, length(Args)}, To),
    apply(Module, Function, [To | Rest]);
named(Module, call, Args, undefined, _) ->
    exit({noproc, {Module, call, Args}});
named(_, cast, _, undefined, _) ->
    ok;
named(Module, Function, Args, _, _) ->
    refuse({Module, Function, length(Args)}).

%% None if there is no such table.
owner(Table) ->
    try ets:info(Table, owner)
    catch error:badarg -> undefined
    end.

%% What the timer's own process starts belongs to the run all the same.
timed(Function, [Time, M, F, As]) when is_list(As) ->
    remembered(apply(timer, Function, [Time, ?MODULE, later, [group_leader(), M, F, As]]));
timed(Function, [Time, Fun | As]) when is_function(Fun) ->
    remembered(apply(timer, Function, [Time, ?MODULE, later, [group_leader(), erlang, apply, [Fun, lists:append(As)]]]));
timed(Function, [_, To | _] = Args) ->
    address({timer, Function, length(Args)}, To),
    remembered(apply(timer, Function, Args));
timed(Function, Args) ->
    remembered(apply(timer, Function, Args)).

-spec later(pid(), module(), atom(), [term()]) -> term().
later(Leader, M, F, As) ->
    case hound_keeper:run_of(Leader) of
        {_, From} when is_pid(From) -> group_leader(Leader, self()), door(M, F, As);
        _ -> ok
    end.

remembered({ok, Ref} = Answer) -> hound_keeper:ask({timer, Ref}), Answer;
remembered(Ref) when is_reference(Ref) -> hound_keeper:ask({timer, Ref}), Ref;
remembered(Other) -> Other.

%% Module, function and arguments stand side by side, wherever that is.
behind_door([M, F, As | Rest]) ->
    case is_call(M, F, As) andalso is_watched(M, F, length(As)) of
        true -> [?MODULE, door, [M, F, As] | Rest];
        false -> [M | behind_door([F, As | Rest])]
    end;
behind_door(Args) -> Args.

is_call(M, F, As) ->
    is_atom(M) andalso is_atom(F) andalso is_list(As) andalso is_integer(catch length(As)).

%% What a run is given may hold funs of any function.
-spec admit([term()]) -> ok.
admit(Args) ->
    case is_guarded() of
        true -> check(Args);
        false -> ok
    end.

%% A term that may hold funs of any function.
checked(Term) ->
    check(Term),
    Term.

check([Head | Tail]) -> check(Head), check(Tail);
check(Tuple) when is_tuple(Tuple) -> check(tuple_to_list(Tuple));
check(Map) when is_map(Map) -> check(maps:to_list(Map));
check(Fun) when is_function(Fun) ->
    [{_, M}, {_, F}, {_, A}] = [erlang:fun_info(Fun, Item) || Item <- [module, name, arity]],
    _ = is_watched(M, F, A) andalso refuse({M, F, A}),
    {env, Environment} = erlang:fun_info(Fun, env),
    check(Environment);
check(_) -> ok.

%% Refuses the call if it is about a process that is not of this run.
-spec address(mfa(), term()) -> ok.
address(Call, To) ->
    _ = is_foreign(To) andalso is_guarded() andalso refuse(Call),
    ok.

is_foreign(To) when To =:= self() -> false;
is_foreign(To) when is_pid(To), node(To) =:= node() ->
    case process_info(To, group_leader) of
        {group_leader, Leader} -> not hound_keeper:is_leader(Leader) andalso not hound_keeper:is_leader(To);
        undefined -> false
    end;
is_foreign(To) when is_port(To) -> true;
is_foreign(undefined) -> false;
is_foreign(To) when is_atom(To) -> is_foreign(whereis(To));
is_foreign({To, Node}) when is_atom(To), Node =:= node() -> is_foreign(whereis(To));
is_foreign(_) -> false.

-spec refuse(mfa()) -> no_return().
refuse(Call) ->
    {Run, From} = hound_keeper:run_of(group_leader()),
    _ = [From ! {'$hound_refused', Run, Call} || is_pid(From)],
    exit(self(), kill),
    receive after infinity -> error(refused) end.

%% Loads a module as `code` does, patched; what a module of the program would do when it is loaded is refused.
-spec ensure_loaded(module()) -> {module, module()} | {error, term()}.
ensure_loaded(Module) ->
    case erlang:module_loaded(Module) orelse hound_keeper:ask({load, Module}) of
        true -> {module, Module};
        on_load ->
            _ = is_guarded() andalso refuse({erlang, call_on_load_function, 1}),
            code:ensure_loaded(Module);
        none ->
            code:ensure_loaded(Module)
    end.
