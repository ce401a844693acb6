%% Specs that stand in comments.
-module(commented).
-export([half/1, both/1, pick/2, named/1, unreadable/1, older/1, several/2]).

%% @doc Half of it.
%% @spec half(N::integer()) -> integer()
half(N) -> N div 2.

%% @spec both(integer()) -> ok
-spec both(atom()) -> ok.
both(A) -> _ = atom_to_list(A), ok.

%% @spec pick(Pos, List) -> Elem
%%   where Pos = 1..3, List = [Elem]
%%         Elem = atom()
%% @doc The tag before ends here.
pick(Pos, List) -> {lists:nth(Pos, List ++ [a, b, c])}.

%% @spec (Flag::bool()) -> bool()
named(Flag) -> not Flag.

%% @spec unreadable((((
unreadable(X) -> X + 1.

%% Not a spec: @spec in the middle of a line.
older(X) -> X + 1.

%% @spec several(integer(), any()) -> ok
%% @throws nothing
several(N, _) -> _ = N + 1, ok.
