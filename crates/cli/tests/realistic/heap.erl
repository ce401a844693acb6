%% A pairing heap behind an opaque type, and jobs by priority.
%! next/1 bug error:{badmatch,_}@next
%! merge_all/1 bug error:function_clause@fold
%! spread/1 bug error:badarith@spread
%! jobs/1 doubtful error:_@jobs
-module(heap).
-export([new/0, insert/2, is_empty/1, next/1, merge_all/1, spread/1, jobs/1]).
-export_type([heap/0]).

-opaque heap() :: empty | {integer(), [heap()]}.

-spec new() -> heap().
new() -> empty.

-spec insert(integer(), heap()) -> heap().
insert(Key, Heap) -> merge({Key, []}, Heap).

-spec is_empty(heap()) -> boolean().
is_empty(Heap) -> Heap =:= empty.

merge(empty, Heap) -> Heap;
merge(Heap, empty) -> Heap;
merge({A, As}, {B, _} = Heap) when A =< B -> {A, [Heap | As]};
merge(Heap, {B, Bs}) -> {B, [Heap | Bs]}.

%% @doc The smallest key, and the others.
-spec next(heap()) -> {integer(), heap()}.
next(Heap) ->
    {Key, Heaps} = Heap, %@next
    {Key, pairs(Heaps)}.

pairs([]) -> empty;
pairs([Heap]) -> Heap;
pairs([A, B | Heaps]) -> merge(merge(A, B), pairs(Heaps)).

-spec merge_all([[integer()]]) -> integer().
merge_all(Lists) ->
    least(lists:sort([Least || [Least | _] <- Lists])).

least([Least | _]) -> Least. %@fold

%% @doc How far the keys are apart in the middle.
-spec spread([integer()]) -> integer().
spread(Keys) ->
    Sorted = lists:sort(Keys),
    lists:sum([B - A || {A, B} <- steps(Sorted)]) div max(0, length(Sorted) - 1). %@spread

steps([A, B | Rest]) -> [{A, B} | steps([B | Rest])];
steps(_) -> [].

%% @doc The names of jobs, whatever they are: funs, atoms, terms.
-spec jobs([{integer(), any()}]) -> [string()].
jobs(Jobs) -> [atom_to_list(Job) || {_, Job} <- lists:sort(Jobs)]. %@jobs
