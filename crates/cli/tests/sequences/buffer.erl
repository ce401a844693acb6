%% A buffer that breaks after many calls of one kind.
-module(buffer).
-export([new/0, add/2, flush/1]).
-export_type([buffer/0]).

-opaque buffer() :: {[byte()], non_neg_integer()}.

-spec new() -> buffer().
new() -> {[], 0}.

-spec add(byte(), buffer()) -> buffer().
add(B, {L, N}) -> {[B | L], N + 1}.

-spec flush(buffer()) -> [byte()].
flush({_, N}) when N > 30 -> hd([]);
flush({L, _}) -> L.
