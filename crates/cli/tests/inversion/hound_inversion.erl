%% Targets for the inversion suite: each operation is run on generated arguments, and a function is written that fails
%% exactly where the operation gives that output again.
-module(hound_inversion).

-export([main/1, rows/1]).

%% `Rows Folder Grade Cases Seed`: writes the module of the grade, and prints a line for each of its functions.
main([File, Folder, Grade, Cases, Seed]) ->
    {ok, Rows} = file:consult(File),
    rand:seed(exsss, list_to_integer(Seed)),
    Numbered = lists:zip(lists:seq(1, length(Rows)), Rows),
    Targets = [Target || {Number, Row} <- Numbered, Target <- targets(Number, Row, list_to_atom(Grade), Cases)],
    Name = "inverted_" ++ Grade,
    Exports = lists:join(", ", [[F, "/", integer_to_list(length(Types))] || {F, _, Types, _} <- Targets]),
    Head = io_lib:format("%% Outputs to be had again.~n-module(~s).~n-export([~s]).~n", [Name, Exports]),
    Text = unicode:characters_to_binary([Head | [source(Target) || Target <- Targets]]),
    ok = file:write_file(filename:join(Folder, Name ++ ".erl"), Text),
    [io:format("~s/~w\t~w\t~s\t~w~n", [F, length(Types), element(1, Row), element(2, Row), least(Row)])
     || {F, Row, Types, _} <- Targets],
    halt(0).

%% `Rows Folder`: writes a module with a function for each row, and prints the operations that each row calls.
rows([File, Folder]) ->
    {ok, Rows} = file:consult(File),
    Numbered = lists:zip(lists:seq(1, length(Rows)), Rows),
    Exports = lists:join(", ", [io_lib:format("f~w/~w", [At, length(element(3, Row))]) || {At, Row} <- Numbered]),
    Head = io_lib:format("%% Operations.~n-module(hound_rows).~n-export([~s]).~n", [Exports]),
    Text = unicode:characters_to_binary([Head | [definition(At, Row) || {At, Row} <- Numbered]]),
    ok = file:write_file(filename:join(Folder, "hound_rows.erl"), Text),
    Called = lists:usort([Operation || Row <- Rows, Operation <- operations(parsed(Row))]),
    [io:format("~w~n", [{M, F, A}]) || {M, F, A} <- Called],
    halt(0).

definition(At, {_, Operation, Types}) ->
    Arguments = lists:join(", ", ["X" ++ integer_to_list(N) || N <- lists:seq(1, length(Types))]),
    Specs = lists:join(", ", [type(Type) || Type <- Types]),
    io_lib:format("~n-spec f~w(~s) -> term().~nf~w(~s) ->~n    ~s.~n", [At, Specs, At, Arguments, Operation]);
definition(At, {Group, Operation, Types, _}) -> definition(At, {Group, Operation, Types}).

parsed(Row) ->
    {ok, Tokens, _} = erl_scan:string(element(2, Row) ++ "."),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    Exprs.

operations({op, _, Name, A}) -> [{erlang, Name, 1} | operations(A)];
operations({op, _, Name, A, B}) -> [{erlang, Name, 2} | operations([A, B])];
operations({call, _, {atom, _, Name}, Args}) -> [{erlang, Name, length(Args)} | operations(Args)];
operations({call, _, {remote, _, {atom, _, Module}, {atom, _, Name}}, Args}) ->
    [{Module, Name, length(Args)} | operations(Args)];
operations(Tuple) when is_tuple(Tuple) -> operations(tuple_to_list(Tuple));
operations([First | Rest]) -> operations(First) ++ operations(Rest);
operations(_) -> [].

least({_, _, _, Least}) -> Least;
least(_) -> 100.

targets(Number, Row, Grade, Cases) ->
    Types = element(3, Row),
    [{io_lib:format("f~w_~w", [Number, Case]), Row, Types, output(Row, Grade, 50)}
     || Case <- lists:seq(1, list_to_integer(Cases))].

%% The output of the operation on some arguments that it takes.
output(Row, _, 0) -> exit({no_arguments_found, Row});
output(Row, Grade, Tries) ->
    Arguments = [generate(Type, Grade) || Type <- element(3, Row)],
    Names = lists:zip(lists:seq(1, length(Arguments)), Arguments),
    Bound = maps:from_list([{list_to_atom("X" ++ integer_to_list(At)), Value} || {At, Value} <- Names]),
    try erl_eval:exprs(parsed(Row), Bound) of
        {value, Value, _} -> Value
    catch
        _:_ -> output(Row, Grade, Tries - 1)
    end.

source({Name, Row, Types, Output}) ->
    Arguments = lists:join(", ", ["X" ++ integer_to_list(At) || At <- lists:seq(1, length(Types))]),
    Specs = lists:join(", ", [type(Type) || Type <- Types]),
    io_lib:format("~n-spec ~s(~s) -> no.~n~s(~s) ->~n    case (~s) =:= (~w) of~n        true -> error(found);~n"
                  "        false -> no~n    end.~n",
                  [Name, Specs, Name, Arguments, element(2, Row), Output]).

type(ascii) -> "binary()";
type({binary, _}) -> "binary()";
type(binaries) -> "[binary()]";
type(bytes) -> "[byte()]";
type(numeral) -> "string()";
type(measure) -> "string()";
type(integers) -> "[integer()]";
type(floats) -> "[float()]";
type(booleans) -> "[boolean()]";
type(natural) -> "non_neg_integer()";
type({between, Low, High}) -> io_lib:format("~w..~w", [Low, High]);
type({map, Key, Value}) -> ["#{", type(Key), " => ", type(Value), "}"];
type({tuple, Types}) -> ["{", lists:join(", ", [type(Type) || Type <- Types]), "}"];
type({'fun', Types, Result}) ->
    ["fun((", lists:join(", ", [type(Type) || Type <- Types]), ") -> ", type(Result), ")"];
type({list, Type}) -> ["[", type(Type), "]"];
type({one_of, Terms}) -> lists:join(" | ", [io_lib:format("~w", [Term]) || Term <- Terms]);
type(decimal) -> "string()";
type(letters) -> "string()";
type(Type) -> atom_to_list(Type) ++ "()".

generate(byte, _) -> rand:uniform(256) - 1;
generate(natural, Grade) -> rand:uniform(number(Grade)) - 1;
generate(integer, Grade) -> rand:uniform(2 * number(Grade)) - number(Grade);
generate(float, small) -> generate(integer, small) / 4;
generate(float, middle) -> generate(integer, middle) / 100;
generate(float, large) -> (rand:uniform() - 0.5) * 1.0e12;
generate(number, Grade) ->
    case rand:uniform(2) of
        1 -> generate(integer, Grade);
        2 -> generate(float, Grade)
    end;
generate(floats, Grade) -> [generate(float, Grade) || _ <- lists:seq(1, items(Grade))];
generate(boolean, _) -> rand:uniform(2) =:= 1;
generate(atom, _) -> lists:nth(rand:uniform(4), [a, ok, error, 'two words']);
generate(binary, Grade) -> list_to_binary(generate(bytes, Grade));
generate({binary, prefixed}, Grade) ->
    Part = generate(binary, Grade),
    <<(byte_size(Part)), Part/binary, (generate(binary, Grade))/binary>>;
generate(bitstring, Grade) -> <<(generate(binary, Grade))/binary, 1:(rand:uniform(8) - 1)>>;
generate(ascii, Grade) -> << <<(lists:nth(rand:uniform(6), "ab,:7z"))>> || _ <- lists:seq(1, items(Grade)) >>;
generate(string, Grade) -> [lists:nth(rand:uniform(9), "ab,=7 Zé\n") || _ <- lists:seq(1, items(Grade))];
generate(numeral, Grade) -> integer_to_list(generate(integer, Grade));
generate(measure, Grade) -> integer_to_list(generate(natural, Grade)) ++ "kb";
generate(bytes, Grade) -> [generate(byte, Grade) || _ <- lists:seq(1, items(Grade))];
generate(integers, Grade) -> [generate(integer, Grade) || _ <- lists:seq(1, items(Grade))];
generate(booleans, Grade) -> [generate(boolean, Grade) || _ <- lists:seq(1, items(Grade))];
generate(binaries, Grade) ->
    Start = generate(binary, Grade),
    [<<Start/binary, (generate(binary, small))/binary>> || _ <- [1, 2]];
generate(iolist, Grade) -> [generate(byte, Grade), generate(binary, Grade) | generate(bytes, small)];
generate({'fun', [_], Result}, Grade) ->
    Results = results(Result, Grade),
    fun(X) -> element(erlang:phash2(X, 8) + 1, Results) end;
generate({'fun', [_, _], Result}, Grade) ->
    Results = results(Result, Grade),
    fun(X, Y) -> element(erlang:phash2({X, Y}, 8) + 1, Results) end;
generate({map, Key, Value}, Grade) ->
    maps:from_list([{generate(Key, Grade), generate(Value, Grade)} || _ <- lists:seq(1, items(Grade))]);
generate({between, Low, High}, _) -> Low + rand:uniform(High - Low + 1) - 1;
generate({tuple, Types}, Grade) -> list_to_tuple([generate(Type, Grade) || Type <- Types]);
generate({list, Type}, Grade) -> [generate(Type, Grade) || _ <- lists:seq(1, items(Grade))];
generate({one_of, Terms}, _) -> lists:nth(rand:uniform(length(Terms)), Terms);
generate(letters, Grade) -> [lists:nth(rand:uniform(6), "abcXYZ") || _ <- lists:seq(1, items(Grade))];
generate({binary, Text}, Grade) -> list_to_binary(generate(Text, Grade));
generate(decimal, Grade) -> float_to_list(generate(float, Grade), [short]);
generate(term, Grade) ->
    case rand:uniform(9) of
        1 -> generate(integer, Grade);
        2 -> float(generate(integer, small));
        3 -> generate(atom, Grade);
        4 -> generate(binary, small);
        5 -> {generate(integer, Grade), generate(atom, Grade)};
        6 -> [generate(integer, Grade), generate(atom, Grade)];
        7 -> [];
        8 -> #{generate(atom, Grade) => generate(integer, Grade)};
        9 -> {generate(term, Grade)}
    end.

%% What a fun may give.
results(Type, Grade) -> list_to_tuple([generate(Type, Grade) || _ <- lists:seq(1, 8)]).

number(small) -> 10;
number(middle) -> 10_000;
number(large) -> 1 bsl 62.

items(small) -> rand:uniform(3);
items(middle) -> 4 + rand:uniform(6);
items(large) -> 20 + rand:uniform(20).
