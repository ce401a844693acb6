%% Containers with room for so many entries.
%! mailbox/1 crash error:badmatch@mailbox
%! mailbox_ok/1 safe_or_incomplete
%! ring/1 crash error:badarg@ring
%! ring_ok/1 safe_or_incomplete
%! stack_machine/1 crash error:stack_overflow@stack
%! lru/1 crash error:function_clause@lru
%! symbols/1 crash error:table_full@symbols
%! symbols_ok/1 safe_or_incomplete
%! undo/1 crash error:badmatch@undo
%! windows/1 crash error:if_clause@window
-module(queues).
-export([mailbox/1, mailbox_ok/1, ring/1, ring_ok/1, stack_machine/1, lru/1, symbols/1, symbols_ok/1, undo/1, windows/1]).

-define(CAPACITY, 50).

%% A queue with a bound, driven by commands.
-spec mailbox([{push, integer()} | pop | clear]) -> non_neg_integer().
mailbox(Commands) -> queue:len(mailbox(Commands, queue:new())).

mailbox([], Q) -> Q;
mailbox([{push, X} | Rest], Q) -> mailbox(Rest, enqueue(X, Q));
mailbox([pop | Rest], Q) ->
    case queue:out(Q) of
        {{value, _}, Q1} -> mailbox(Rest, Q1);
        {empty, Q1} -> mailbox(Rest, Q1)
    end;
mailbox([clear | Rest], _) -> mailbox(Rest, queue:new()).

enqueue(X, Q) ->
    {ok, Q1} = offer(X, Q), %@mailbox
    Q1.

offer(X, Q) ->
    case queue:len(Q) of
        ?CAPACITY -> {error, full};
        _ -> {ok, queue:in(X, Q)}
    end.

-spec mailbox_ok([{push, integer()} | pop | clear]) -> non_neg_integer().
mailbox_ok(Commands) -> lists:foldl(fun depth/2, 0, Commands).

depth({push, _}, N) when N < ?CAPACITY -> N + 1;
depth({push, _}, ?CAPACITY) -> ?CAPACITY;
depth(pop, 0) -> 0;
depth(pop, N) -> N - 1;
depth(clear, _) -> 0.

%% A ring of 32 slots: the index that wraps is one too far.
-spec ring([byte()]) -> tuple().
ring(Bytes) -> ring(Bytes, 1, erlang:make_tuple(32, 0)).

ring([], _, Ring) -> Ring;
ring([B | Rest], At, Ring) when At > 33 -> ring([B | Rest], 1, Ring);
ring([B | Rest], At, Ring) -> ring(Rest, At + 1, setelement(At, Ring, B)). %@ring

-spec ring_ok([byte()]) -> tuple().
ring_ok(Bytes) -> ring_ok(Bytes, 0, erlang:make_tuple(32, 0)).

ring_ok([], _, Ring) -> Ring;
ring_ok([B | Rest], At, Ring) -> ring_ok(Rest, (At + 1) rem 32, setelement(At + 1, Ring, B)).

%% Reverse Polish notation with a stack of at most 100 numbers.
-spec stack_machine([integer() | add | dup | drop]) -> [integer()].
stack_machine(Code) -> stack_machine(Code, [], 0).

stack_machine([], Stack, _) -> Stack;
stack_machine(_, _, Depth) when Depth > 100 -> error(stack_overflow); %@stack
stack_machine([add | Code], [A, B | Stack], Depth) -> stack_machine(Code, [A + B | Stack], Depth - 1);
stack_machine([dup | Code], [A | Stack], Depth) -> stack_machine(Code, [A, A | Stack], Depth + 1);
stack_machine([drop | Code], [_ | Stack], Depth) -> stack_machine(Code, Stack, Depth - 1);
stack_machine([N | Code], Stack, Depth) when is_integer(N) -> stack_machine(Code, [N | Stack], Depth + 1);
stack_machine([_ | Code], Stack, Depth) -> stack_machine(Code, Stack, Depth).

%% A cache that evicts what was used least recently, once it has more than 40 different keys.
-spec lru([{get | put, integer()}]) -> [integer()].
lru(Ops) -> lists:foldl(fun touch/2, [], Ops).

touch({put, Key}, Keys) -> evict([Key | lists:delete(Key, Keys)]);
touch({get, Key}, Keys) ->
    case lists:member(Key, Keys) of
        true -> [Key | lists:delete(Key, Keys)];
        false -> Keys
    end.

evict(Keys) when length(Keys) > 40 -> drop_last(lists:reverse(Keys), []);
evict(Keys) -> Keys.

drop_last([_ | Keys], []) -> drop_last(Keys, [last]); %@lru
drop_last([], [last]) -> [].

%% A table of symbols, each with a number of six bits.
-spec symbols([binary()]) -> #{binary() => 0..63}.
symbols(Names) -> lists:foldl(fun symbol/2, #{}, Names).

symbol(Name, Table) when is_map_key(Name, Table) -> Table;
symbol(Name, Table) ->
    case map_size(Table) of
        Next when Next =< 63 -> Table#{Name => Next};
        _ -> error(table_full) %@symbols
    end.

-spec symbols_ok([binary()]) -> #{binary() => 0..63}.
symbols_ok(Names) -> lists:foldl(fun symbol_ok/2, #{}, Names).

symbol_ok(Name, Table) when is_map_key(Name, Table); map_size(Table) > 63 -> Table;
symbol_ok(Name, Table) -> Table#{Name => map_size(Table)}.

%% An editor that keeps the last 20 states: forgetting the oldest goes wrong.
-type edit() :: {insert, char()} | backspace | undo.
-spec undo([edit()]) -> string().
undo(Edits) -> undo(Edits, "", []).

undo([], Text, _) -> lists:reverse(Text);
undo([{insert, C} | Edits], Text, Past) -> undo(Edits, [C | Text], remember(Text, Past));
undo([backspace | Edits], [_ | Text], Past) -> undo(Edits, Text, remember([$? | Text], Past));
undo([undo | Edits], _, [Text | Past]) -> undo(Edits, Text, Past);
undo([_ | Edits], Text, Past) -> undo(Edits, Text, Past).

remember(Text, Past) when length(Past) =:= 20 ->
    {Kept, []} = lists:split(19, Past), %@undo
    [Text | Kept];
remember(Text, Past) -> [Text | Past].

%% The mean of the last 16 samples, fed by a stream.
-spec windows([0..1000]) -> [integer()].
windows(Samples) -> windows(Samples, [], 0).

windows([], _, _) -> [];
windows([S | Rest], Window, N) when N < 16 -> windows(Rest, [S | Window], N + 1);
windows([S | Rest], Window, 16) ->
    Mean = lists:sum(Window) div 16,
    if %@window
        length(Window) < 16 -> [0 | windows(Rest, Window, 16)];
        Mean < 1000, S < 1000 -> [Mean | windows(Rest, [S | lists:sublist(Window, 16)], 16)];
        length(Window) =:= 16 -> [S | windows(Rest, Window, 16)]
    end.
