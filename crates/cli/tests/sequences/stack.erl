%% A stack of integers whose type is opaque, and functions of its own that crash on some.
-module(stack).
-export([new/0, push/2, pop/1, size/1, top/1, audit/1, sum_of_two/1, consistent/1]).
-export_type([stack/0]).

-record(stack, {size = 0 :: non_neg_integer(), items = [] :: [integer()]}).
-opaque stack() :: #stack{}.

-spec new() -> stack().
new() -> #stack{}.

-spec push(integer(), stack()) -> stack().
push(X, #stack{size = N, items = L}) -> #stack{size = N + 1, items = [X | L]}.

-spec pop(stack()) -> {ok, integer(), stack()} | empty.
pop(#stack{items = []}) -> empty;
pop(#stack{size = N, items = [X | L]}) -> {ok, X, #stack{size = N - 1, items = L}}.

-spec size(stack()) -> non_neg_integer().
size(#stack{size = N}) -> N.

-spec top(stack()) -> integer().
top(#stack{items = [X | _]}) -> X.

-spec audit(stack()) -> ok.
audit(#stack{size = 3, items = [42 | _]}) -> hd([]);
audit(_) -> ok.

-spec sum_of_two(stack()) -> integer().
sum_of_two(#stack{size = 2, items = [A, B]}) when A + B =:= 77 -> 1 div (A + B - 77);
sum_of_two(_) -> 0.

%% Crashes on stacks that no calls make.
-spec consistent(stack()) -> ok.
consistent(#stack{size = N, items = L}) ->
    case N =:= length(L) of
        true -> ok;
        false -> hd([])
    end.
