%% Lexers whose keywords are hashed when they start, in tables of several kinds, each found through a function of its own.
-module(symbols).
-export([query/1, block/1, declared/1]).

words() -> ["select", "from", "where", "limit"].

findsym(Word, Table) ->
    case maps:find(erlang:phash2(Word, 1009), Table) of
        {ok, Word} -> {keyword, Word};
        _ -> {name, Word}
    end.

-spec query([string()]) -> ok.
query(Chunks) ->
    Table = maps:from_list([{erlang:phash2(Word, 1009), Word} || Word <- words()]),
    statement([findsym(Chunk, Table) || Chunk <- Chunks]).

statement([{keyword, "select"}, {name, _}, {keyword, "from"}, {name, _} | Rest]) -> condition(Rest);
statement(_) -> ok.

%% Nothing is covered between the first of these words and the second.
condition([{keyword, "where"}, {keyword, "limit"}]) -> error(bug);
condition(_) -> ok.

-spec block([binary()]) -> ok.
block(Chunks) ->
    Table = ets:new(symbols, [set]),
    [ets:insert(Table, {erlang:phash2(Word), Word, Number}) || {Word, Number} <- [{<<"let">>, 1}, {<<"in">>, 2}, {<<"end">>, 3}]],
    case [number(Chunk, Table) || Chunk <- Chunks] of
        [1, 0, 2, 0, 3] -> error(bug);
        _ -> ok
    end.

number(Chunk, Table) ->
    case ets:lookup(Table, erlang:phash2(Chunk)) of
        [{_, Chunk, Number}] -> Number;
        _ -> 0
    end.

%% Buckets with chains of words.
-spec declared([binary()]) -> ok.
declared(Chunks) ->
    Words = [<<"proc">>, <<"func">>, <<"var">>],
    Buckets = lists:foldl(fun(Word, Known) -> orddict:append(erlang:crc32(Word) rem 16, Word, Known) end, [], Words),
    seen(Chunks, Buckets, []).

seen([Chunk | Chunks], Buckets, Seen) ->
    case orddict:find(erlang:crc32(Chunk) rem 16, Buckets) of
        {ok, Words} ->
            case lists:member(Chunk, Words) of
                true -> seen(Chunks, Buckets, [Chunk | Seen]);
                false -> seen(Chunks, Buckets, Seen)
            end;
        error -> seen(Chunks, Buckets, Seen)
    end;
seen([], _, [<<"var">>, <<"func">>, <<"proc">>]) -> error(bug);
seen([], _, _) -> ok.
