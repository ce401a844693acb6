%% Copies functions into their callers where the module asked for it: a copy can fail with another reason.
-module(hound_inline).
-export([core/3]).

%% Forms and Info (what the compiler noted about its run) are those of the Core. What else the optimiser did changed no
%% answers.
-spec core(tuple(), [tuple()], [term()]) -> tuple().
core(Core, Forms, Info) ->
    Given = proplists:get_value(options, Info, []),
    Wishes = lists:flatten([What || {attribute, _, compile, What} <- Forms]) ++ Given,
    list_functions(own_functions(Core, Wishes, Info), Wishes).

own_functions(Core, Wishes, Info) ->
    case wants_copies(Wishes) andalso is_old(proplists:get_value(version, Info, "")) of
        true ->
            {ok, Copied} = sys_core_inline:module(Core, Wishes),
            with_reasons(Copied);
        false ->
            Core
    end.

wants_copies(Wishes) ->
    lists:keymember(inline, 1, [Wish || Wish <- Wishes, is_tuple(Wish)]) andalso not lists:member(no_inline, Wishes).

%% Before version 8.2 the compiler gave failing copies a reason of their own.
is_old(Version) ->
    try [list_to_integer(Part) || Part <- string:lexemes(Version, ".")] of
        [] -> false;
        Parts -> Parts < [8, 2]
    catch
        error:badarg -> false
    end.

with_reasons({c_module, Anno, Name, Exports, Attributes, Definitions}) ->
    {c_module, Anno, Name, Exports, Attributes, [with_reasons(Var, Fun) || {Var, Fun} <- Definitions]}.

with_reasons({c_var, _, Name} = Var, Fun) ->
    {Var, cerl_trees:map(fun(Node) -> with_reason(Node, Name) end, Fun)}.

with_reason({c_primop, Anno, {c_literal, _, match_fail} = Fail, [{c_tuple, _, [{c_literal, A, function_clause} | Args]}]} = Node, Name) ->
    case lists:keyfind(function, 1, Anno) of
        {function, Other} when Other =/= Name ->
            {c_primop, Anno, Fail, [{c_tuple, Anno, [{c_literal, A, case_clause}, {c_tuple, Anno, Args}]}]};
        _ ->
            Node
    end;
with_reason(Node, _) ->
    Node.

%% A loop that stands for lists:map/2 does not look at its fun before it calls it.
list_functions(Core, Wishes) ->
    case lists:member(inline_list_funcs, Wishes) of
        true -> cerl_trees:map(fun list_function/1, Core);
        false -> Core
    end.

list_function({c_call, _, {c_literal, _, lists}, {c_literal, _, Name}, Args} = Call) ->
    case sys_core_fold_lists:call(Call, lists, Name, Args) of
        none -> Call;
        Loop -> Loop
    end;
list_function(Other) ->
    Other.
