%% A lexer that finds keywords by their hashes, and a parser behind it with a bug three keywords deep.
-module(lexer).
-export([parse/1, parse_coded/1]).

%% Collisions are wanted: the order of the letters counts for nothing.
hash(Text) -> lists:foldl(fun(C, Sum) -> (Sum * 3 + C * C) band 16#fff end, 7 * length(Text), lists:sort(Text)).

%% The table is made when the program starts: hash, words with that hash, and their symbols.
table() -> lists:foldl(fun add/2, #{}, [{"begin", 1}, {"while", 2}, {"if", 3}, {"fi", 4}, {"do", 5}, {"end", 6}]).

add({Word, _} = Entry, Table) ->
    Hash = hash(Word),
    Table#{Hash => [Entry | maps:get(Hash, Table, [])]}.

%% The chunks of a line, as a reader divides it.
-spec parse([string()]) -> ok.
parse(Chunks) ->
    Table = table(),
    program([symbol(Chunk, Table) || Chunk <- Chunks]).

symbol(Chunk, Table) ->
    case maps:find(hash(Chunk), Table) of
        {ok, Entries} ->
            case lists:keyfind(Chunk, 1, Entries) of
                {_, Symbol} -> Symbol;
                false -> name
            end;
        error -> name
    end.

program([1, 2 | Rest]) -> loop(Rest);
program(_) -> ok.

loop([4 | _]) -> error(bug);
loop(_) -> ok.

%% The same with the hashes written down, as generated lexers have them: begin, while, fi.
-spec parse_coded([string()]) -> ok.
parse_coded(Chunks) -> coded([{hash(Chunk), Chunk} || Chunk <- Chunks]).

coded([{2384, _}, {1340, _} | Rest]) -> coded_loop(Rest);
coded(_) -> ok.

%% 1403 is the hash of "if", too.
coded_loop([{1403, [$f | _]} | _]) -> error(bug);
coded_loop(_) -> ok.
