%% Floats as text: prices, temperatures, weights with units, versions, numbers of JSON, read and written.
%? floats
%? text
%! weight/1 crash error:bug@weight error:badarg@weight_reads
%! prices/1 crash error:bug@prices
%! json_number/1 crash error:bug@json_number
%! version/1 crash error:bug@version
%! temperature/1 crash error:bug@temperature
%! either/1 crash error:bug@either
%! amount/1 crash error:bug@amount error:badarith@amount_large
%! price/1 crash error:bug@price complete
%! label/1 crash error:bug@label
%! compact/1 crash error:bug@compact complete
%! scientific/1 crash error:bug@scientific complete
%! shortest/1 crash error:bug@shortest
%! shown/1 crash error:bug@shown
%! negative_zero/1 crash error:bug@negative_zero complete
%! huge/1 crash error:badarg@huge
%! digit_pair/2 safe complete
%! tenths/2 safe complete
%! two_places/1 safe complete
%! same_text/1 safe complete
%! exponent/2 safe complete
%! bounded/1 safe complete
-module(decimals).
-export([weight/1, prices/1, json_number/1, version/1, temperature/1, either/1, amount/1, price/1, label/1, compact/1,
         scientific/1, shortest/1, shown/1, negative_zero/1, huge/1, digit_pair/2, tenths/2, two_places/1, same_text/1,
         exponent/2, bounded/1]).

%% "1.5kg" in grams.
-spec weight(string()) -> float() | error.
weight(Text) ->
    case lists:splitwith(fun(C) -> C =/= $k end, Text) of
        {Number, "kg"} ->
            case list_to_float(Number) * 1000 of %@weight_reads
                Grams when Grams > 1499.0, Grams < 1501.0 -> error(bug); %@weight
                Grams -> Grams
            end;
        _ -> error
    end.

%% A line of a table: a name and a price.
-spec prices(binary()) -> {binary(), float()} | error.
prices(Line) ->
    case binary:split(Line, <<";">>) of
        [Name, Field] -> priced(Name, Field);
        _ -> error
    end.

priced(Name, Field) ->
    try binary_to_float(Field) of
        Price when Price > 7.5, Price < 8.5 -> total(Name);
        Price -> {Name, Price}
    catch
        error:badarg -> error
    end.

total(_) -> error(bug). %@prices

%% What JSON calls a number: no plus, no leading zeros, a fraction or not.
-spec json_number(string()) -> {number(), string()} | error.
json_number([$- | Text]) ->
    case json_number(Text) of
        {Number, _} when Number == 2.5 -> error(bug); %@json_number
        {Number, Rest} -> {-Number, Rest};
        error -> error
    end;
json_number([$0, $. | Text]) -> fraction(Text, "0");
json_number([C | Text]) when C >= $1, C =< $9 -> digits(Text, [C]);
json_number(_) -> error.

%% No more than a float can hold.
digits([C | Text], Taken) when C >= $0, C =< $9, length(Taken) < 300 -> digits(Text, [C | Taken]);
digits([$. | Text], Taken) -> fraction(Text, Taken);
digits(Text, Taken) -> {list_to_integer(lists:reverse(Taken)), Text}.

fraction([C | Text], Taken) when C >= $0, C =< $9 ->
    {Digits, Rest} = lists:splitwith(fun(D) -> D >= $0 andalso D =< $9 end, Text),
    {list_to_float(lists:reverse(Taken) ++ [$., C | Digits]), Rest};
fraction(_, _) -> error.

%% A version that is compared as a number.
-spec version(string()) -> old | new | none.
version([$v | Text]) ->
    case string:to_float(Text) of
        {error, _} -> none;
        {Version, ".0"} when Version >= 3.5 -> error(bug); %@version
        {Version, _} when Version < 2.0 -> old;
        {_, _} -> new
    end;
version(_) -> none.

-spec temperature(string()) -> {float(), c | f} | none.
temperature(Text) ->
    case string:to_float(Text) of
        {Degrees, "F"} when Degrees > 212.0 -> error(bug); %@temperature
        {Degrees, "F"} -> {Degrees, f};
        {Degrees, "C"} -> {Degrees, c};
        _ -> none
    end.

%% A number, whichever kind it is.
-spec either(string()) -> number() | none.
either(Text) ->
    Number =
        try list_to_float(Text)
        catch error:badarg ->
            try list_to_integer(Text)
            catch error:badarg -> none
            end
        end,
    case Number of
        4.25 -> error(bug); %@either
        _ -> Number
    end.

-spec amount(binary()) -> {integer(), binary()} | none.
amount(<<Sign, Text/binary>>) when Sign =:= $$ ->
    try round(binary_to_float(Text) * 100) of %@amount_large
        Cents when Cents =:= 999 -> error(bug); %@amount
        Cents -> {Cents, <<"USD">>}
    catch
        error:badarg -> none
    end;
amount(_) -> none.

-spec price(float()) -> string().
price(Value) when Value >= 0.0, Value < 1000.0 ->
    case float_to_list(Value, [{decimals, 2}]) of
        "19.99" -> error(bug); %@price
        Text -> Text
    end;
price(_) -> "?".

%% A price that is shown as another one.
-spec label(float()) -> binary().
label(Value) when Value > 0.0, Value < 10.0 ->
    Text = float_to_binary(Value, [{decimals, 1}]),
    case binary_to_float(Text) > Value + 0.04 of
        true -> error(bug); %@label
        false -> Text
    end;
label(_) -> <<>>.

-spec compact(float()) -> string().
compact(Value) when abs(Value) < 100.0 ->
    case float_to_list(Value, [{decimals, 3}, compact]) of
        "-2.5" -> error(bug); %@compact
        Text -> Text
    end;
compact(_) -> "".

-spec scientific(float()) -> binary().
scientific(Value) when Value > 0.001, Value < 1.0e6 ->
    case float_to_binary(Value, [{scientific, 2}]) of
        <<"3.14e+03">> -> error(bug); %@scientific
        Text -> Text
    end;
scientific(_) -> <<>>.

-spec shortest(float()) -> string().
shortest(Value) ->
    case float_to_list(Value, [short]) of
        "12.75" -> error(bug); %@shortest
        Text -> Text
    end.

-spec shown(float()) -> string().
shown(Value) when Value > 1.0, Value < 9.0 ->
    case lists:flatten(io_lib:format("~.1f", [Value])) of
        "7.3" -> error(bug); %@shown
        Text -> Text
    end;
shown(_) -> "".

%% Zeros are equal, and yet they are not written alike.
-spec negative_zero(float()) -> string().
negative_zero(Value) when Value == 0.0 ->
    case float_to_list(Value, [{decimals, 1}]) of
        "-0.0" -> error(bug); %@negative_zero
        Text -> Text
    end;
negative_zero(_) -> "".

%% There is no room for all digits of a large number.
-spec huge(float()) -> string().
huge(Value) -> float_to_list(Value, [{decimals, 4}]). %@huge

-spec digit_pair(0..9, 0..9) -> float().
digit_pair(A, B) ->
    case list_to_float([$0 + A, $., $0 + B]) of
        Value when Value >= 0.0, Value < 10.0 -> Value;
        _ -> error(bug)
    end.

%% Tenths, counted or read, are the same.
-spec tenths(0..99, 0..9) -> true.
tenths(A, B) ->
    Text = integer_to_list(A) ++ [$., $0 + B],
    case round(list_to_float(Text) * 10) of
        Tenths when Tenths =:= A * 10 + B -> true;
        _ -> error(bug)
    end.

-spec two_places(float()) -> byte().
two_places(Value) when Value >= 0.0, Value < 100.0 ->
    [B, A, Point | _] = lists:reverse(float_to_list(Value, [{decimals, 2}])),
    case Point =:= $. andalso A >= $0 andalso A =< $9 andalso B >= $0 andalso B =< $9 of
        true -> B;
        false -> error(bug)
    end;
two_places(_) -> 0.

-spec same_text(0..999) -> true.
same_text(N) ->
    case float_to_list(float(N), [{decimals, 0}]) =:= integer_to_list(N) of
        true -> true;
        false -> error(bug)
    end.

-spec exponent(1..9, 0..9) -> float().
exponent(A, E) ->
    case list_to_float([$0 + A, $., $0, $e, $0 + E]) of
        Value when Value > 1.0e10 -> error(bug);
        Value -> Value
    end.

%% Nothing between the bounds is written longer than five characters.
-spec bounded(float()) -> pos_integer().
bounded(Value) when Value > -10.0, Value < 10.0 ->
    case length(float_to_list(Value, [{decimals, 2}])) of
        Length when Length > 6 -> error(bug);
        Length -> Length
    end;
bounded(_) -> 4.
