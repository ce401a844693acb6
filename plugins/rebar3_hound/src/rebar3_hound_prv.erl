%% The task `rebar3 hound`: compiles the project and runs `hound` on it, with the words and options given.
%%
%% The command is `hound` in PATH, or the one that the variable HOUND names. The first word may be one of its commands;
%% without one it explores. The task fails with its exit code.
-module(rebar3_hound_prv).
-export([init/1, do/1, format_error/1]).

-define(COMMANDS, ["explore", "reach", "baseline", "run", "instrument", "doctor"]).

%% The options of hound that have a value; rebar3 refuses options that it does not know.
-define(VALUED, [color, seed, html, erl, format, report, 'fail-on', baseline, strategy, concretize, runs, schedules, clock, depth, size, calls,
                 steps, memory, time, 'total-time', workers, engine, ignore, pre, property, tests, trace, opaque, learn,
                 config, allow, pa, entry, marker]).
%% Those that have none.
-define(FLAGS, [all, strict, 'no-store', state, private, paths, 'no-cache', 'require-sandbox', uncovered, explain]).

-spec init(rebar_state:t()) -> {ok, rebar_state:t()}.
init(State) ->
    Options = [{Name, undefined, atom_to_list(Name), string, "see `hound explore --help`"} || Name <- ?VALUED] ++
              [{Name, undefined, atom_to_list(Name), undefined, "see `hound explore --help`"} || Name <- ?FLAGS] ++
              [{include, $I, undefined, string, "a folder of included files"},
               {define, $D, undefined, string, "a macro"}],
    Provider = providers:create([{name, hound},
                                 {module, ?MODULE},
                                 {bare, true},
                                 {deps, [{default, compile}]},
                                 {example, "rebar3 hound --runs 500 shop:total/1"},
                                 {short_desc, "Find the calls that crash the project's functions"},
                                 {desc, "Runs hound on the project, with the words and options given."},
                                 {opts, Options}]),
    {ok, rebar_state:add_provider(State, Provider)}.

-spec do(rebar_state:t()) -> {ok, rebar_state:t()} | {error, iolist() | {module(), term()}}.
do(State) ->
    Name = os:getenv("HOUND", "hound"),
    case os:find_executable(Name) of
        false -> {error, {?MODULE, {not_found, Name}}};
        Program -> ended(run(Program, with_command(rebar_state:command_args(State)), environment(State)), State)
    end.

with_command([First | _] = Args) ->
    case lists:member(First, ?COMMANDS) of
        true -> Args;
        false -> ["explore" | Args]
    end;
with_command([]) ->
    ["explore"].

%% Where this run of rebar3 has put what it compiled: `_build/test` of `rebar3 as test hound`.
environment(State) ->
    Folder = rebar_dir:base_dir(State),
    [{"REBAR_BASE_DIR", filename:dirname(Folder)}, {"REBAR_PROFILE", filename:basename(Folder)}].

run(Program, Args, Environment) ->
    Port = open_port({spawn_executable, Program}, [{args, Args}, {env, Environment}, nouse_stdio, exit_status]),
    receive
        {Port, {exit_status, Status}} -> Status
    end.

ended(0, State) -> {ok, State};
ended(Status, _) -> {error, {?MODULE, {ended, Status}}}.

-spec format_error(term()) -> iolist().
format_error({not_found, Name}) ->
    io_lib:format("there is no command ~ts: install Tracehound, or name its program in the variable HOUND", [Name]);
format_error({ended, 1}) ->
    "hound has found bugs";
format_error({ended, Status}) ->
    io_lib:format("hound ended with exit code ~b", [Status]).
