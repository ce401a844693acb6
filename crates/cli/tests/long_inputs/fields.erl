%% Fields of so many bits, and what does not fit into them.
%! pascal/1 crash error:badmatch@pascal
%! pascal_ok/1 safe_or_incomplete
%! chunk/1 crash error:too_long@chunk
%! varint/1 crash error:function_clause@varint
%! runs/1 crash error:badmatch@runs
%! runs_ok/1 safe_or_incomplete
%! checksum/1 crash error:badmatch@checksum
%! total/1 crash error:overflow@total
%! tlv/1 crash error:badmatch@tlv
%! date/1 crash error:year@date
%! base/2 crash error:badmatch@base
%! column/1 crash error:function_clause@column
%! header/1 crash error:header@header
%! subject/1 crash error:badarith@subject
%! product/1 crash error:overflow@product
%! entries/1 crash error:badmatch@entries
%! padded/1 crash error:badmatch@padded
-module(fields).
-export([pascal/1, pascal_ok/1, chunk/1, varint/1, runs/1, runs_ok/1, checksum/1, total/1, tlv/1, date/1, base/2,
         column/1, header/1, subject/1, product/1, entries/1, padded/1]).

%% Text with its length in one byte.
-spec pascal(binary()) -> binary().
pascal(Text) ->
    Packed = <<(byte_size(Text)):8, Text/binary>>,
    <<N:8, Copy:N/binary>> = Packed, %@pascal
    Copy.

-spec pascal_ok(binary()) -> binary().
pascal_ok(Text) when byte_size(Text) < 256 ->
    <<N:8, Copy:N/binary>> = <<(byte_size(Text)):8, Text/binary>>,
    Copy;
pascal_ok(_) -> <<>>.

%% A packet of parts, each with a length; all together at most 65,535 bytes.
-spec chunk([iodata()]) -> binary().
chunk(Parts) ->
    Data = << <<(pack(Part))/binary>> || Part <- Parts >>,
    case byte_size(Data) of
        Size when Size > 65535 -> error(too_long); %@chunk
        Size -> <<Size:16, Data/binary>>
    end.

pack(Part) ->
    Bytes = iolist_to_binary(Part),
    <<(byte_size(Bytes)):16, Bytes/binary>>.

%% Numbers in groups of seven bits; four groups are provided for.
-spec varint(non_neg_integer()) -> [byte()].
varint(N) -> varint(N, 0).

varint(N, Groups) when N < 128, Groups < 4 -> [N]; %@varint
varint(N, Groups) when Groups < 4 -> [N band 127 bor 128 | varint(N bsr 7, Groups + 1)].

%% Run-length encoding with a count of seven bits.
-spec runs([byte()]) -> binary().
runs([]) -> <<>>;
runs([B | Rest]) ->
    {Same, Other} = lists:splitwith(fun(C) -> C =:= B end, Rest),
    Count = 1 + length(Same),
    <<0:1, Count:7>> = <<Count:8>>, %@runs
    <<Count, B, (runs(Other))/binary>>.

-spec runs_ok([byte()]) -> binary().
runs_ok([]) -> <<>>;
runs_ok([B | Rest]) -> runs_ok(Rest, B, 1).

runs_ok([B | Rest], B, N) when N < 127 -> runs_ok(Rest, B, N + 1);
runs_ok(Rest, B, N) -> <<N, B, (runs_ok(Rest))/binary>>.

%% A sum of bytes that must stay below a modulus.
-spec checksum(binary()) -> 0..65520.
checksum(Data) -> checksum(Data, 1).

checksum(<<>>, Sum) ->
    <<Sum:16>> = <<(Sum):16>>, %@checksum
    Sum;
checksum(<<B, Rest/binary>>, Sum) -> checksum(Rest, Sum + B * 3).

%% The price of a basket, in cents, as a signed integer of 16 bits.
-spec total([{item, 1..20, 1..99}]) -> -32768..32767.
total(Items) ->
    case lists:sum([Count * Price || {item, Count, Price} <- Items]) of
        Total when Total > 32767 -> error(overflow); %@total
        Total -> Total
    end.

%% Tag, length, value: a length of 128 and more needs another form.
-spec tlv([{tag, 0..30, binary()}]) -> binary().
tlv(Fields) -> << <<(field(Tag, Value))/binary>> || {tag, Tag, Value} <- Fields >>.

field(Tag, Value) ->
    Size = byte_size(Value),
    <<0:1, Short:7>> = <<Size:8>>, %@tlv
    <<Tag, Short, Value/binary>>.

%% Days to a date: the year has four digits.
-spec date(non_neg_integer()) -> string().
date(Days) ->
    {Year, Month, Day} = calendar:gregorian_days_to_date(Days),
    if
        Year > 9999 -> error(year); %@date
        true -> lists:flatten(io_lib:format("~4..0w-~2..0w-~2..0w", [Year, Month, Day]))
    end.

%% A number in another base, with at most 24 digits.
-spec base(non_neg_integer(), 2..16) -> string().
base(N, Base) ->
    Digits = digits(N, Base, []),
    true = length(Digits) =< 24, %@base
    Digits.

digits(N, Base, Digits) when N < Base -> [$0 + N | Digits];
digits(N, Base, Digits) -> digits(N div Base, Base, [$0 + N rem Base | Digits]).

%% Text in columns of 80 characters.
-spec column([string()]) -> [string()].
column(Lines) -> [lists:duplicate(80 - length(Line), $\s) ++ Line || Line <- Lines]. %@column

%% Headers of a request, 8 KiB in all.
-spec header([{binary(), binary()}]) -> iolist().
header(Headers) -> header(Headers, 0).

header([], _) -> [<<"\r\n">>];
header([{Name, Value} | Headers], Size) ->
    case Size + byte_size(Name) + byte_size(Value) + 4 of
        Now when Now > 8192 -> error(header); %@header
        Now -> [[Name, <<": ">>, Value, <<"\r\n">>] | header(Headers, Now)]
    end.

%% Words of a subject, folded after 78 characters.
-spec subject([atom()]) -> integer().
subject(Words) -> subject(Words, 0).

subject([], At) -> At;
subject([Word | Words], At) ->
    Next = At + length(atom_to_list(Word)) + 1,
    _ = 1000 div (79 - min(Next, 79)), %@subject
    subject(Words, Next).

%% A product that must fit into 64 bits.
-spec product([1..9]) -> pos_integer().
product(Factors) -> product(Factors, 1).

product([], P) -> P;
product(_, P) when P >= 1 bsl 64 -> error(overflow); %@product
product([F | Factors], P) -> product(Factors, P * F).

%% A map to an index with offsets of one byte.
-spec entries(#{atom() | integer() => 1..8}) -> binary().
entries(Map) ->
    {_, Index} = maps:fold(fun(_, Size, {At, Acc}) ->
        <<At>> = <<At:8>>, %@entries
        {At + Size, <<Acc/binary, At>>}
    end, {0, <<>>}, Map),
    Index.

%% Blocks of 16 bytes with padding, at most 1,000 of them.
-spec padded(iodata()) -> [binary()].
padded(Data) ->
    Bytes = iolist_to_binary(Data),
    Blocks = blocks(<<Bytes/binary, 128, 0:((15 - byte_size(Bytes) rem 16) * 8)>>),
    true = length(Blocks) =< 1000, %@padded
    Blocks.

blocks(<<Block:16/binary, Rest/binary>>) -> [Block | blocks(Rest)];
blocks(<<>>) -> [].
