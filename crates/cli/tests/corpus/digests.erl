%% What hashes, checksums and encodings give, calculated with, compared with each other, as keys and as indices.
%! phash_index/1 crash error:bug@phash_index
%! phash_key/2 crash error:bug@phash_key
%! phash_sum/2 crash error:bug@phash_sum
%! phash_pair/2 crash error:bug@phash_pair
%! phash_same/2 safe
%! phash_range/2 crash error:bug@phash_range
%! crc_index/1 crash error:bug@crc_index
%! crc_key/2 crash error:bug@crc_key
%! crc_low/1 crash error:bug@crc_low
%! crc_byte/2 crash error:bug@crc_byte
%! crc_order/2 crash error:bug@crc_order
%! crc_chain/2 crash error:bug@crc_chain
%! adler_index/1 crash error:bug@adler_index
%! adler_key/2 crash error:bug@adler_key
%! adler_next/2 crash error:bug@adler_next
%! md5_index/1 crash error:bug@md5_index
%! md5_key/2 crash error:bug@md5_key
%! md5_word/2 crash error:bug@md5_word
%! md5_same/2 crash error:bug@md5_same
%! sha_index/1 crash error:bug@sha_index
%! sha_key/2 crash error:bug@sha_key
%! sha_number/2 crash error:bug@sha_number
%! sha_same/2 crash error:bug@sha_same
%! ttb_index/1 crash error:bug@ttb_index
%! ttb_key/2 crash error:bug@ttb_key
%! ttb_tag/1 crash error:bug@ttb_tag
%! ttb_size/2 crash error:bug@ttb_size
%! utf_index/1 crash error:bug@utf_index
%! utf_key/2 crash error:bug@utf_key
%! utf_same/2 crash error:bug@utf_same
%! utf_size/1 crash error:bug@utf_size
-module(digests).
-export([phash_index/1, phash_key/2, phash_sum/2, phash_pair/2, phash_same/2, phash_range/2]).
-export([crc_index/1, crc_key/2, crc_low/1, crc_byte/2, crc_order/2, crc_chain/2]).
-export([adler_index/1, adler_key/2, adler_next/2, md5_index/1, md5_key/2, md5_word/2, md5_same/2]).
-export([sha_index/1, sha_key/2, sha_number/2, sha_same/2, ttb_index/1, ttb_key/2, ttb_tag/1, ttb_size/2]).
-export([utf_index/1, utf_key/2, utf_same/2, utf_size/1]).

%% The last of eight shards is broken.
-spec phash_index(term()) -> ok.
phash_index(Key) ->
    case lists:nth(erlang:phash2(Key, 8) + 1, [a, b, c, d, e, f, g, broken]) of
        broken -> error(bug); %@phash_index
        _ -> ok
    end.

-spec phash_key(term(), integer()) -> ok.
phash_key(Key, Value) ->
    Cache = #{erlang:phash2({user, 17}) => 9000},
    case maps:get(erlang:phash2(Key), Cache, 0) + Value of
        9001 when Value =:= 1 -> error(bug); %@phash_key
        _ -> ok
    end.

-spec phash_sum(integer(), integer()) -> ok.
phash_sum(X, Y) ->
    case erlang:phash2(X) + 3 * Y of
        100000007 -> error(bug); %@phash_sum
        _ -> ok
    end.

%% Two different keys in one of two buckets.
-spec phash_pair(integer(), integer()) -> ok.
phash_pair(X, Y) when X =/= Y ->
    case erlang:phash2(X, 2) =:= erlang:phash2(Y, 2) of
        true -> error(bug); %@phash_pair
        false -> ok
    end;
phash_pair(_, _) -> ok.

%% Equal arguments have equal hashes.
-spec phash_same(integer(), integer()) -> ok.
phash_same(X, Y) when X =:= 2 * Y + 1 ->
    case erlang:phash2(X) - erlang:phash2(2 * Y + 1) of
        0 -> ok;
        _ -> error(bug)
    end;
phash_same(_, _) -> ok.

-spec phash_range(term(), 1..1000) -> ok.
phash_range(Key, Size) ->
    case erlang:phash2(Key, Size) of
        Slot when Slot * 2 > Size, Size > 10 -> error(bug); %@phash_range
        _ -> ok
    end.

-spec crc_index(binary()) -> ok.
crc_index(Data) ->
    case element(erlang:crc32(Data) rem 5 + 1, {a, b, c, d, broken}) of
        broken -> error(bug); %@crc_index
        _ -> ok
    end.

-spec crc_key(binary(), integer()) -> ok.
crc_key(Data, Sum) ->
    Seen = #{erlang:crc32(Data) => Data, erlang:crc32(<<"known">>) => known},
    case Seen of
        #{Sum := known} -> error(bug); %@crc_key
        _ -> ok
    end.

%% One number in 256.
-spec crc_low(integer()) -> ok.
crc_low(X) ->
    case erlang:crc32(<<X:32>>) band 255 of
        7 -> error(bug); %@crc_low
        _ -> ok
    end.

-spec crc_byte(0..255, integer()) -> ok.
crc_byte(X, Y) ->
    case erlang:crc32(<<X:32>>) band 255 of
        7 when Y > X -> error(bug); %@crc_byte
        _ -> ok
    end.

-spec crc_order(binary(), binary()) -> ok.
crc_order(A, B) when byte_size(A) =:= byte_size(B) ->
    case erlang:crc32(A) > erlang:crc32(B) + 1000000 of
        true -> error(bug); %@crc_order
        false -> ok
    end;
crc_order(_, _) -> ok.

%% The checksum of two parts, with the first one's given.
-spec crc_chain(binary(), binary()) -> ok.
crc_chain(<<Sum:32, First/binary>>, Second) ->
    case erlang:crc32(First) of
        Sum when byte_size(Second) > 4 ->
            case erlang:crc32(Sum, Second) of
                16#cafebabe -> error(bug); %@crc_chain
                _ -> ok
            end;
        _ -> ok
    end;
crc_chain(_, _) -> ok.

-spec adler_index(binary()) -> ok.
adler_index(Data) ->
    case lists:nth(erlang:adler32(Data) rem 4 + 1, [a, b, broken, d]) of
        broken -> error(bug); %@adler_index
        _ -> ok
    end.

-spec adler_key(binary(), integer()) -> ok.
adler_key(Data, Sum) ->
    case maps:find(Sum, #{erlang:adler32(Data) bxor 1 => Data}) of
        {ok, <<_, _, _>>} -> error(bug); %@adler_key
        _ -> ok
    end.

-spec adler_next(binary(), binary()) -> ok.
adler_next(A, B) ->
    case erlang:adler32(A) =:= erlang:adler32(B) + 1 of
        true -> error(bug); %@adler_next
        false -> ok
    end.

-spec md5_index(binary()) -> ok.
md5_index(Data) ->
    <<First, _/binary>> = erlang:md5(Data),
    case element(First rem 3 + 1, {a, b, broken}) of
        broken -> error(bug); %@md5_index
        _ -> ok
    end.

-spec md5_key(binary(), integer()) -> ok.
md5_key(Data, N) ->
    Users = #{erlang:md5(<<"root">>) => 0, erlang:md5(<<"guest">>) => 99},
    case Users of
        Users when N > 5 ->
            case maps:get(erlang:md5(Data), Users, none) of
                0 -> error(bug); %@md5_key
                _ -> ok
            end;
        _ -> ok
    end.

-spec md5_word(binary(), integer()) -> ok.
md5_word(Data, Word) ->
    case erlang:md5(Data) of
        <<Word:32, _:96>> when byte_size(Data) =:= 5 -> error(bug); %@md5_word
        _ -> ok
    end.

-spec md5_same(binary(), binary()) -> ok.
md5_same(A, B) ->
    case erlang:md5(A) =:= erlang:md5(<<"x", B/binary>>) of
        true when byte_size(A) > 3 -> error(bug); %@md5_same
        _ -> ok
    end.

-spec sha_index(binary()) -> ok.
sha_index(Data) ->
    Nibble = binary:first(crypto:hash(sha256, Data)) bsr 5,
    case lists:nth(Nibble + 1, [a, b, c, d, e, f, broken, h]) of
        broken -> error(bug); %@sha_index
        _ -> ok
    end.

-spec sha_key(binary(), binary()) -> ok.
sha_key(Name, Password) ->
    Stored = #{<<"admin">> => crypto:hash(sha256, <<"secret">>)},
    case Stored of
        #{Name := Hash} ->
            case crypto:hash(sha256, Password) of
                Hash -> error(bug); %@sha_key
                _ -> ok
            end;
        _ -> ok
    end.

-spec sha_number(binary(), integer()) -> ok.
sha_number(Data, N) ->
    <<Number:16, _/binary>> = crypto:hash(sha, Data),
    case Number - 7 of
        N when Number > 100 -> error(bug); %@sha_number
        _ -> ok
    end.

-spec sha_same(binary(), binary()) -> ok.
sha_same(A, B) ->
    case {crypto:hash(sha512, A), crypto:hash(sha512, B)} of
        {Same, Same} when byte_size(B) > 1 -> error(bug); %@sha_same
        _ -> ok
    end.

-spec ttb_index(term()) -> ok.
ttb_index(Term) ->
    Size = byte_size(term_to_binary(Term)),
    case Size < 10 andalso element(Size, {a, b, c, d, e, f, broken, h, i}) of
        broken -> error(bug); %@ttb_index
        _ -> ok
    end.

-spec ttb_key(term(), integer()) -> ok.
ttb_key(Term, N) ->
    Table = #{term_to_binary({ping, 1}) => ping, term_to_binary(pong) => pong},
    case Table of
        #{} when N =:= 3 ->
            case maps:get(term_to_binary(Term), Table, none) of
                ping -> error(bug); %@ttb_key
                _ -> ok
            end;
        _ -> ok
    end.

-spec ttb_tag(term()) -> ok.
ttb_tag(Term) ->
    case term_to_binary(Term) of
        <<131, 104, 3, 97, 9, _/binary>> -> error(bug); %@ttb_tag
        _ -> ok
    end.

-spec ttb_size(term(), integer()) -> ok.
ttb_size(Term, Size) ->
    case byte_size(term_to_binary(Term)) + 5 of
        Size -> error(bug); %@ttb_size
        _ -> ok
    end.

-spec utf_index(string()) -> ok.
utf_index(Text) ->
    case unicode:characters_to_binary(Text) of
        Bytes when is_binary(Bytes), byte_size(Bytes) < 4 ->
            case element(byte_size(Bytes) + 1, {a, b, c, broken}) of
                broken when length(Text) =:= 2 -> error(bug); %@utf_index
                _ -> ok
            end;
        _ -> ok
    end.

-spec utf_key(string(), integer()) -> ok.
utf_key(Text, N) ->
    Words = #{<<195, 188, "b">> => hello},
    case maps:get(unicode:characters_to_binary(Text), Words, none) of
        hello when N < 0 -> error(bug); %@utf_key
        _ -> ok
    end.

-spec utf_same(string(), string()) -> ok.
utf_same(A, B) ->
    case unicode:characters_to_binary(A) =:= unicode:characters_to_binary([$>, B]) of
        true when length(A) > 1 -> error(bug); %@utf_same
        _ -> ok
    end.

-spec utf_size(string()) -> ok.
utf_size(Text) ->
    case unicode:characters_to_binary(Text) of
        Bytes when is_binary(Bytes), byte_size(Bytes) =:= 2 * length(Text), Text =/= [] -> error(bug); %@utf_size
        _ -> ok
    end.
