%% Values of every kind as results, inputs and reasons, for tests to be written about them.
-module(values).
-export([text/1, 'odd name'/1, shape/1, number/1, bits/1, funny/1, mapped/1, leave/1, record/1, keep/2, ask/2]).

-record(item, {name :: atom(), price = 1.5 :: float() | pos_integer(), tags = [] :: [string()]}).

-spec text(0..4) -> string() | binary().
text(0) -> "";
text(1) -> "plain \"quoted\" \\ back\n\t\e\d";
text(2) -> "grüße ∀ \x{1F600}";
text(3) -> <<"bytes", 0, 255>>;
text(4) -> [1, 2 | "ab"].

-spec 'odd name'(boolean()) -> atom().
'odd name'(true) -> 'it\'s';
'odd name'(false) -> error({'Upper', 'with space', '', 'ü', 'end', '\n'}).

-spec shape(atom()) -> tuple().
shape('when') -> {};
shape('ÄÖ') -> {[]};
shape(Name) -> {Name, [improper | tail], {nested, [{}]}}.

-spec number(0..6) -> number().
number(0) -> -0.0;
number(1) -> 1.0e-300;
number(2) -> 0.1;
number(3) -> 1.0e23;
number(4) -> 1 bsl 70;
number(5) -> -(1 bsl 70);
number(6) -> throw({-1, 2.5, 1 bsl 65}).

-spec bits(0..3) -> bitstring().
bits(0) -> <<>>;
bits(1) -> <<5:3>>;
bits(2) -> <<1, 2, 3:7>>;
bits(3) -> exit({<<"why">>, <<1:1>>, "text"}).

-spec funny(0..3) -> term().
funny(0) -> fun lists:sort/1;
funny(1) -> fun(X) -> X + 1 end;
funny(2) -> error({bad, fun lists:sort/1, self()});
funny(3) -> self().

-spec mapped(0..3) -> map().
mapped(0) -> #{};
mapped(1) -> #{"key" => #{1.5 => [a]}, {t} => <<"v">>};
mapped(2) -> error(#{why => #{deep => [#{x => 1}]}});
mapped(3) -> throw([#{a => 1}, {b, #{}}]).

-spec leave(normal | kill | [1..2]) -> no_return().
leave([]) -> exit(shutdown);
leave([_ | _] = List) -> throw({list, List});
leave(Reason) -> exit(Reason).

-spec record(#item{}) -> #item{}.
record(#item{price = Price} = Item) when is_integer(Price), Price > 3 -> Item#item{tags = ["dear" | Item#item.tags]};
record(#item{name = free} = Item) -> Item#item{price = 0.0};
record(Item) -> Item.

%% A fun as input is written with its clauses.
-spec ask(fun((0..3) -> 0..3), 0..1) -> term().
ask(Fun, 0) -> Fun;
ask(Fun, N) ->
    case {Fun(N), Fun(N + 1)} of
        {2, 3} -> error({asked, Fun});
        {X, X} -> same;
        {X, Y} -> [X, Y]
    end.

%% A reference is another one every time: all that a test can say is that the call gives a value.
-spec keep(a | b, 0..1) -> term().
keep(Key, Value) ->
    put(Key, Value),
    case get(Key) of
        0 -> make_ref();
        1 -> {Key, Value}
    end.
