%% Answers questions about terms as the real VM sees them: a file of requests in, a file of answers out.
-mode(compile).

main([In, Out]) ->
    {ok, Bytes} = file:read_file(In),
    Answers = [answer(Request) || Request <- binary_to_term(Bytes)],
    ok = file:write_file(Out, term_to_binary(Answers)).

answer({term, Term}) ->
    {term_to_binary(Term), text("~w", Term), text("~tw", Term), text("~0tp", Term)};
answer({pair, A, B}) ->
    {A < B, A == B, A =:= B, A > B, maps:keys(#{A => 1, B => 2})};
answer({funs, Values}) ->
    Funs = [make_fun(N, Value) || Value <- Values, N <- [1, 2, 3]],
    {Funs, [text("~w", F) || F <- Funs], [{A < B, A == B, A =:= B, A > B} || A <- Funs, B <- Funs]};
answer({arith, A, B}) ->
    [attempt(F) || F <- arith(A, B)];
answer({extract, Bits, At, Size}) ->
    [attempt(F) || F <- extract(Bits, At, Size)];
answer({build, Prefix, Value, Size}) ->
    [attempt(F) || F <- build(Prefix, Value, Size)];
answer({read, Text}) ->
    attempt(fun() -> read(Text) end);
answer({large, Map}) ->
    {maps:keys(Map), answer({term, Map})};
answer({decode, Bytes}) ->
    attempt(fun() -> {Term, Used} = binary_to_term(Bytes, [used]), {term_to_binary(Term), Used} end).

text(Format, Term) ->
    unicode:characters_to_binary(io_lib:format(Format, [Term])).

attempt(F) ->
    try {ok, F()}
    catch Class:Reason -> {Class, Reason}
    end.

make_fun(1, Value) -> fun() -> Value end;
make_fun(2, Value) -> fun(X) -> {X, Value} end;
make_fun(3, Value) -> fun(X) -> {X, Value, Value} end.

arith(A, B) ->
    [fun() -> A + B end, fun() -> A - B end, fun() -> A * B end, fun() -> A / B end, fun() -> A div B end,
     fun() -> A rem B end, fun() -> A band B end, fun() -> A bor B end, fun() -> A bxor B end, fun() -> A bsl B end,
     fun() -> A bsr B end, fun() -> bnot A end, fun() -> -A end, fun() -> abs(A) end, fun() -> float(A) end,
     fun() -> trunc(A) end].

extract(Bits, At, Size) ->
    [fun() -> <<_:At, V:Size/unsigned-big, _/bits>> = Bits, V end,
     fun() -> <<_:At, V:Size/unsigned-little, _/bits>> = Bits, V end,
     fun() -> <<_:At, V:Size/signed-big, _/bits>> = Bits, V end,
     fun() -> <<_:At, V:Size/signed-little, _/bits>> = Bits, V end,
     fun() -> <<_:At, V:Size/float-big, _/bits>> = Bits, V end,
     fun() -> <<_:At, V:Size/float-little, _/bits>> = Bits, V end,
     fun() -> <<_:At, V:Size/bits, _/bits>> = Bits, V end,
     fun() -> <<_:At, V/utf8, Rest/bits>> = Bits, {V, bit_size(Bits) - At - bit_size(Rest)} end,
     fun() -> <<_:At, V/utf16-big, Rest/bits>> = Bits, {V, bit_size(Bits) - At - bit_size(Rest)} end,
     fun() -> <<_:At, V/utf16-little, Rest/bits>> = Bits, {V, bit_size(Bits) - At - bit_size(Rest)} end,
     fun() -> <<_:At, V/utf32-big, Rest/bits>> = Bits, {V, bit_size(Bits) - At - bit_size(Rest)} end,
     fun() -> <<_:At, V/utf32-little, Rest/bits>> = Bits, {V, bit_size(Bits) - At - bit_size(Rest)} end].

build(Prefix, Value, Size) ->
    [fun() -> <<Prefix/bits, Value:Size/big>> end,
     fun() -> <<Prefix/bits, Value:Size/little>> end,
     fun() -> <<Prefix/bits, Value:Size/float-big>> end,
     fun() -> <<Prefix/bits, Value:Size/float-little>> end,
     fun() -> <<Prefix/bits, Value/utf8>> end,
     fun() -> <<Prefix/bits, Value/utf16-big>> end,
     fun() -> <<Prefix/bits, Value/utf16-little>> end,
     fun() -> <<Prefix/bits, Value/utf32-big>> end,
     fun() -> <<Prefix/bits, Value/utf32-little>> end,
     fun() -> <<Prefix/bits, Prefix/bits>> end].

read(Text) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(<<Text/binary, ".">>)),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = erl_eval:exprs(Expressions, []),
    Value.
