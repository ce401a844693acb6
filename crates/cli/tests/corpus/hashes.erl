%% Functions that no solver can see: hashes, checksums, encodings, regular expressions of the VM.
%! obscure/2 crash error:bug@obscure complete
%! both/2 incomplete
%! buckets/1 crash error:bug@buckets
%! never/1 safe
%! few/1 safe
%! framed/1 crash error:bug@framed
%! digest/2 crash error:bug@digest
%! strong/2 crash error:bug@strong
%! coded/2 crash error:bug@coded complete
%! pattern/1 crash error:bug@pattern
%! encoded/2 crash error:bug@encoded
%! routed/2 crash error:bug@routed
%! keyed/2 crash error:bug@keyed
%! shard/2 crash error:bug@shard
%! collide/2 crash error:bug@collide complete
%! parity/2 crash error:bug@parity
%! sum/2 crash error:bug@sum
%! guarded/1 crash error:badarg@guarded
%! caught/1 crash error:bug@caught
%! token/1 crash error:bug@token
%! nested/2 crash error:bug@nested complete
%! adler/2 crash error:bug@adler
%! unused/1 crash error:bug@unused complete
-module(hashes).
-export([obscure/2, both/2, buckets/1, never/1, few/1, framed/1, digest/2, strong/2, coded/2, pattern/1, encoded/2, routed/2]).
-export([keyed/2, shard/2, collide/2, parity/2, sum/2, guarded/1, caught/1, token/1, nested/2, adler/2, unused/1]).

-spec obscure(integer(), term()) -> ok.
obscure(X, Y) ->
    case erlang:phash2(Y) of
        X -> error(bug); %@obscure
        _ -> ok
    end.

-spec both(integer(), integer()) -> ok.
both(X, Y) ->
    case X =:= erlang:phash2(Y) andalso Y =:= erlang:phash2(X) of
        true -> error(bug);
        false -> ok
    end.

-spec buckets(term()) -> atom().
buckets(X) ->
    case erlang:phash2(X, 5) of
        0 -> zero;
        1 -> one;
        2 -> two;
        3 -> three;
        4 -> error(bug) %@buckets
    end.

%% No hash is negative.
-spec never(term()) -> ok.
never(X) ->
    case erlang:phash2(X) of
        N when N < 0 -> error(bug);
        N when not is_integer(N) -> error(bug);
        _ -> ok
    end.

%% There are only four inputs, and all of them can be tried.
-spec few(1..4) -> ok.
few(X) ->
    case erlang:phash2(X) of
        17 -> error(bug);
        _ -> ok
    end.

-spec framed(binary()) -> binary().
framed(<<Length:3, _:5, Body:Length/binary, Crc:32>>) ->
    case erlang:crc32(Body) of
        Crc when Length > 2 -> error(bug); %@framed
        _ -> Body
    end;
framed(Other) -> Other.

-spec digest(binary(), binary()) -> ok.
digest(Data, Md5) ->
    case erlang:md5(Data) of
        Md5 when byte_size(Data) =:= 3 -> error(bug); %@digest
        _ -> ok
    end.

-spec strong(binary(), binary()) -> ok.
strong(Data, Hash) ->
    case crypto:hash(sha256, Data) of
        Hash -> error(bug); %@strong
        _ -> ok
    end.

-spec coded([integer()], binary()) -> ok.
coded(List, Code) ->
    case term_to_binary(List) of
        Code when length(List) > 1 -> error(bug); %@coded
        _ -> ok
    end.

-spec pattern([byte()]) -> ok.
pattern(Text) ->
    case re:run(Text, "^[a-z]*$", [{capture, none}]) of
        match -> ok;
        nomatch -> error(bug) %@pattern
    end.

-spec encoded([0..300], binary()) -> ok.
encoded(Text, Code) ->
    case unicode:characters_to_binary(Text) of
        Code when length(Text) > 1 -> error(bug); %@encoded
        _ -> ok
    end.

%% Known keys are hashed when the program starts, so that one of them can be found again.
-spec routed(atom(), integer()) -> ok.
routed(Method, Size) ->
    Table = [{erlang:phash2(Name), Name} || Name <- ['GET', 'PUT', 'DELETE']],
    case lists:keyfind(erlang:phash2(Method), 1, Table) of
        {_, 'DELETE'} when Size > 7 -> error(bug); %@routed
        _ -> ok
    end.

-spec keyed(atom(), integer()) -> ok.
keyed(Name, Number) ->
    Map = #{erlang:phash2(Name) => Name},
    case Map of
        #{Number := _} -> error(bug); %@keyed
        _ -> ok
    end.

-spec shard(term(), integer()) -> ok.
shard(Key, Load) ->
    case element(erlang:phash2(Key, 4) + 1, {a, b, c, d}) of
        c when Load > 3 -> error(bug); %@shard
        _ -> ok
    end.

-spec collide(integer(), integer()) -> ok.
collide(X, Y) ->
    case erlang:phash2(X + 3) =:= erlang:phash2(2 * Y) of
        true when X > 10 -> error(bug); %@collide
        _ -> ok
    end.

-spec parity(integer(), integer()) -> ok.
parity(X, Y) ->
    case (erlang:phash2(X) + erlang:phash2(Y)) rem 2 of
        1 -> error(bug); %@parity
        _ -> ok
    end.

-spec sum(binary(), integer()) -> ok.
sum(Data, Sum) ->
    case erlang:adler32(Data) * 2 + 1 of
        Sum -> error(bug); %@sum
        _ -> ok
    end.

-spec guarded(term()) -> integer().
guarded(X) -> erlang:crc32(X). %@guarded

-spec caught(term()) -> ok.
caught(X) ->
    try erlang:crc32(X) of
        _ -> ok
    catch
        error:badarg -> error(bug) %@caught
    end.

-spec token({binary(), integer()}) -> ok.
token({Secret, Mac}) ->
    case erlang:crc32([Secret, <<"salt">>]) bxor 255 of
        Mac -> error(bug); %@token
        _ -> ok
    end.

-spec nested(integer(), integer()) -> ok.
nested(X, Y) ->
    case erlang:phash2(erlang:phash2(Y) + 1) of
        X when Y =:= 10 -> error(bug); %@nested
        _ -> ok
    end.

-spec adler(binary(), binary()) -> ok.
adler(A, B) ->
    case erlang:adler32(A) < erlang:adler32(B) of
        true -> error(bug); %@adler
        false -> ok
    end.

%% An unused result needs no strategy.
-spec unused(integer()) -> {integer(), ok}.
unused(X) ->
    Hash = erlang:phash2(X),
    case X of
        10 -> error(bug); %@unused
        _ -> {Hash, ok}
    end.
