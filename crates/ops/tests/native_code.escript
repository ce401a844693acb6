#!/usr/bin/env escript
%% Says what the VM and its libraries implement natively, one fact per line, for the tests of the policy tables.
%%
%%   builtin M F A      the VM itself implements the function
%%   stub M F A         the function is a stub, so a native library implements it
%%   exported M F A     a function of a module with such stubs
%%   calls M F A G B    within such a module, F/A mentions G/B
-mode(compile).

main(_) ->
    io:setopts([{encoding, unicode}]),
    Builtin = erlang:system_info(snifs),
    [say(builtin, [M, F, A]) || {M, F, A} <- lists:sort(Builtin)],
    Files = filelib:wildcard(filename:join(code:lib_dir(), "*/ebin/*.beam")),
    [library(File, sets:from_list(Builtin)) || File <- Files].

library(File, Builtin) ->
    case beam_lib:chunks(File, [abstract_code, exports]) of
        {ok, {M, [{abstract_code, {_, Forms}}, {exports, Exports}]}} ->
            Functions = [{F, A, Cs} || {function, _, F, A, Cs} <- Forms],
            Stubs = [{F, A} || {F, A, Cs} <- Functions, lists:all(fun stub/1, Cs), not sets:is_element({M, F, A}, Builtin)],
            Stubs =/= [] andalso facts(M, Stubs, Exports, Functions);
        _ ->
            ok
    end.

stub({clause, _, _, _, [{call, _, {remote, _, {atom, _, erlang}, {atom, _, nif_error}}, _}]}) -> true;
stub(_) -> false.

facts(M, Stubs, Exports, Functions) ->
    [say(stub, [M, F, A]) || {F, A} <- Stubs],
    [say(exported, [M, F, A]) || {F, A} <- Exports],
    [say(calls, [M, F, A, G, B]) || {F, A, Cs} <- Functions, {G, B} <- lists:usort(mentions(Cs))].

mentions({call, _, {atom, _, G}, Args}) -> [{G, length(Args)} | mentions(Args)];
mentions({'fun', _, {function, G, B}}) -> [{G, B}];
mentions(Tuple) when is_tuple(Tuple) -> mentions(tuple_to_list(Tuple));
mentions([Head | Tail]) -> mentions(Head) ++ mentions(Tail);
mentions(_) -> [].

say(What, Words) ->
    io:format("~ts~n", [lists:join(" ", [io_lib:format("~ts", [to_text(W)]) || W <- [What | Words]])]).

to_text(Word) when is_atom(Word) -> atom_to_list(Word);
to_text(Word) -> integer_to_list(Word).
