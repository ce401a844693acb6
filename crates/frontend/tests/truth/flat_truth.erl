%% The Erlang half of the test that recompiles flat programs: extracts, compiles, loads, and runs calls.
-module(flat_truth).
-export([extract/3, compile/2, answers/3]).

%% Writes {Module, MainFile, Core} of every .beam file to Out; Host is where the extraction's sources are.
extract(Host, Beams, Out) ->
    [begin
         {ok, Module, Code} = compile:file(File, [binary]),
         {module, Module} = code:load_binary(Module, File, Code)
     end || File <- filelib:wildcard(filename:join(Host, "hound_*.erl"))],
    in_parallel(fun(Beam) -> extract_one(Beam, Out) end, filelib:wildcard(Beams)).

extract_one(Beam, Out) ->
    {ok, Binary} = file:read_file(Beam),
    {ok, #{core := Core, file := File, module := Module}} = hound_extract:beam(Binary, []),
    Path = filename:join(Out, atom_to_list(Module) ++ ".etf"),
    ok = file:write_file(Path, term_to_binary({Module, File, Core})).

%% Compiles every .core file in Dir to a .beam file beside it; answers with what the compiler said, if anything.
compile(Dir, Options) ->
    Said = in_parallel(fun(File) -> compile_one(File, Options) end, filelib:wildcard(filename:join(Dir, "*.core"))),
    [Problem || {error, Problem} <- Said].

compile_one(File, Options) ->
    All = [from_core, clint, return_errors, {outdir, filename:dirname(File)} | Options] ++ inlining(File),
    try compile:noenv_file(File, All) of
        {ok, _} -> ok;
        Error -> {error, {filename:basename(File), Error}}
    catch Class:Reason:Stack -> {error, {filename:basename(File), Class, Reason, Stack}}
    end.

%% Which functions the original inlines shows in its stack traces; from Core, the compiler ignores the attribute.
inlining(File) ->
    {ok, Extracted} = file:read_file(filename:rootname(File) ++ ".etf"),
    {_, _, {c_module, _, _, _, Attributes, _}} = binary_to_term(Extracted),
    Options = lists:append([Value || {{c_literal, _, compile}, {c_literal, _, Value}} <- Attributes]),
    [Option || Option <- lists:flatten(Options), Option =:= inline orelse is_tuple(Option), is_inline(Option)].

is_inline({Key, _}) -> lists:member(Key, [inline, inline_size, inline_effort]);
is_inline(inline) -> true;
is_inline(_) -> false.

%% The answers to Calls, with the modules in Dir loaded over those of the system first, if there is a Dir.
answers(Dir, Calls, Out) ->
    [code:ensure_loaded(list_to_atom(filename:basename(Beam, ".beam"))) || Beam <- beams(Dir)],
    [code:unstick_dir(Path) || Path <- code:get_path()],
    Loaded = [begin
                  Module = list_to_atom(filename:basename(Beam, ".beam")),
                  {ok, Binary} = file:read_file(Beam),
                  {Module, code:load_binary(Module, Beam, Binary)}
              end || Beam <- beams(Dir)],
    [] = [Failure || {Module, Result} = Failure <- Loaded, Result =/= {module, Module}],
    {ok, Terms} = file:consult(Calls),
    Answers = [{Call, answer(Call)} || Call <- lists:append([expand(Term) || Term <- Terms])],
    Text = unicode:characters_to_binary([io_lib:format("~0tp~n", [Answer]) || Answer <- Answers]),
    %% How a fun prints depends on a hash of its module.
    ok = file:write_file(Out, re:replace(Text, "#Fun<[^>]*>", "#Fun", [global, {return, binary}])).

beams(none) -> [];
beams(Dir) -> filelib:wildcard(filename:join(Dir, "*.beam")).

%% {each, M, F, Lists}: the call with every combination of arguments; otherwise a call itself.
expand({each, M, F, Choices}) -> [{M, F, Args} || Args <- combinations(Choices)];
expand({functions, Modules, Arity, Choices}) ->
    [{M, F, Args} || M <- Modules, {F, A} <- lists:sort(M:module_info(exports)), A =:= Arity, F =/= module_info,
                     Args <- combinations(lists:duplicate(Arity, Choices))];
expand({_, _, _} = Call) -> [Call].

combinations([]) -> [[]];
combinations([Choice | Rest]) -> [[Item | Items] || Item <- Choice, Items <- combinations(Rest)].

%% In a process of its own with a bounded life, since arguments are arbitrary.
answer({M, F, Args}) ->
    {Pid, Ref} = spawn_opt(fun() -> exit({answer, outcome(M, F, Args)}) end,
                           [monitor, {max_heap_size, #{size => 20000000, kill => true, error_logger => false}}]),
    receive
        {'DOWN', Ref, process, Pid, {answer, Answer}} -> Answer;
        {'DOWN', Ref, process, Pid, Reason} -> {died, Reason}
    after 5000 -> exit(Pid, kill), slow
    end.

outcome(M, F, Args) ->
    try apply(M, F, arguments(Args)) of
        Value -> {value, plain(Value)}
    catch Class:Reason:Stack -> {Class, plain(Reason), [place(Entry) || Entry <- inner(Stack)]}
    end.

%% Stands for a fun of some arity in the files of calls, which hold only plain terms.
arguments(Args) -> [argument(Arg) || Arg <- Args].

argument({'fun', Text}) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    {value, Fun, _} = erl_eval:exprs(Exprs, []),
    Fun;
argument({'$seed', Algorithm, Seed}) -> rand:seed_s(Algorithm, Seed);
argument(Arg) -> Arg.

%% Funs, references and pids differ from run to run.
plain(Fun) when is_function(Fun) ->
    {arity, Arity} = erlang:fun_info(Fun, arity),
    {'fun', Arity};
plain(Other) when is_reference(Other); is_pid(Other); is_port(Other) -> handle;
plain([Head | Tail]) -> [plain(Head) | plain(Tail)];
plain(Tuple) when is_tuple(Tuple) -> list_to_tuple(plain(tuple_to_list(Tuple)));
plain(Map) when is_map(Map) -> maps:from_list(plain(maps:to_list(Map)));
plain(Other) -> Other.

%% Only frames of the function called and below.
inner(Stack) -> lists:takewhile(fun({M, _, _, _}) -> M =/= ?MODULE end, Stack).

place({M, F, A, Where}) ->
    Arity = if is_list(A) -> length(A); true -> A end,
    {M, F, Arity, proplists:get_value(line, Where, none)}.

%% Two at a time is as much as a small machine takes.
in_parallel(Do, Items) ->
    {Left, Right} = lists:split(length(Items) div 2, Items),
    Self = self(),
    {_, Ref} = spawn_monitor(fun() -> Self ! {done, [Do(Item) || Item <- Left]} end),
    Second = [Do(Item) || Item <- Right],
    receive
        {done, First} -> First ++ Second;
        {'DOWN', Ref, process, _, Reason} -> error(Reason)
    end.
