%% Functions that are not exported.
-module(secret).
-export([open/1]).
-compile({nowarn_unused_function, [{unused, 1}, {waits, 1}]}).

-spec open(pos_integer()) -> term().
open(N) -> {ratio(10, N), narrowed(small), narrowed(large)}.

-spec ratio(integer(), integer()) -> integer().
ratio(A, B) -> A div B.

%% The compiler sees two calls of it, and could leave out the rest.
-spec narrowed(atom()) -> 1 | 2.
narrowed(Size) ->
    case Size of
        small -> 1;
        large -> 2;
        a -> 1;
        b -> 2;
        other -> case Size of small -> 1 end;
        _ -> 2
    end.

-spec unused([integer()]) -> [].
unused(List) -> 0 = length(List) rem 2, [].

-spec waits(boolean()) -> term().
waits(true) -> self();
waits(false) ->
    Self = self(),
    Pid = spawn(fun() -> receive {go, Self} -> ok end end),
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, _, _, _} -> ok end.
