%% What specs can say: clauses, parameters, constraints, ranges, literals, opaque and remote types.
%! clauses/1 crash error:bug@clauses complete
%! constrained/2 crash error:bug@constrained
%! stack/1 crash error:empty@stack
%! nonempty/1 safe_or_incomplete
%! literal/1 safe complete
%! negative/1 safe complete
%! mapping/1 crash error:bug@mapping
%! iolist/1 crash error:bug@iolist
%! text/1 crash error:bug@text
%! opaque/1 crash error:bug@opaque
%! remote/1 crash error:bug@remote
%! mutual_type/1 crash error:bug@mutual_type
%! either/1 crash error:function_clause@either complete
%! callback/2 crash error:badarith@callback
%! timeout/1 crash error:badarith@timeout
%! mfargs/1 crash error:bug@mfargs
%! byte/1 crash error:bug@byte complete
%! arity/1 safe complete
%! improper/1 crash error:badarg@improper
%! noreturn/1 safe complete
%! maybe_fails/1 crash error:badarith@maybe_fails
%! nospec/1 crash error:bug@nospec
%! domain/2 safe complete
%! node_id/1 crash error:bug@node_id
%! float_range/1 crash error:bug@float_range
%! bounded/2 safe complete
-module(specs).
-export([clauses/1, constrained/2, stack/1, nonempty/1, literal/1, negative/1, mapping/1, iolist/1, text/1, opaque/1,
         remote/1, mutual_type/1, either/1, callback/2, timeout/1, mfargs/1, byte/1, arity/1, improper/1, noreturn/1,
         maybe_fails/1, nospec/1, domain/2, node_id/1, float_range/1, bounded/2]).
-export_type([stack/1, handle/0]).

-spec clauses(0..9) -> integer(); (a | b) -> atom(); ({boolean()}) -> boolean().
clauses(N) when is_integer(N) -> 9 - N;
clauses(A) when is_atom(A) -> A;
clauses({true}) -> error(bug); %@clauses
clauses({B}) -> B.

-spec constrained(Key, [{Key, Value}]) -> Value | undefined when Key :: a | b | c, Value :: integer().
constrained(K, L) ->
    case [V || {K1, V} <- L, K1 =:= K] of
        [] -> undefined;
        [V] -> V;
        [V, V | _] -> error(bug); %@constrained
        [V | _] -> V
    end.

-type stack(T) :: {stack, non_neg_integer(), [T]}.
-spec stack(stack(atom())) -> atom().
stack({stack, N, L}) when N =:= length(L), N > 0 -> hd(L);
stack({stack, N, L}) when N =/= length(L) -> none;
stack({stack, 0, []}) -> error(empty). %@stack

-spec nonempty([integer(), ...]) -> integer().
nonempty(L) -> lists:max(L) - lists:min(L).

-spec literal(1 | 2 | four | {5, six} | [] | -7) -> integer().
literal(1) -> 1;
literal(2) -> 2;
literal(four) -> 4;
literal({5, six}) -> 5;
literal([]) -> 0;
literal(-7) -> 7.

-spec negative(neg_integer()) -> pos_integer().
negative(N) -> case -N of P when P > 0 -> P end.

-spec mapping(#{name := string(), age => 0..120}) -> ok.
mapping(#{age := 120, name := [_ | _]}) -> error(bug); %@mapping
mapping(#{name := _}) -> ok.

-spec iolist(iolist()) -> non_neg_integer().
iolist([[$a], $b | _]) -> error(bug); %@iolist
iolist(L) -> length_of(L).
length_of([]) -> 0;
length_of([H | T]) when is_list(H) -> length_of(H) + length_of(T);
length_of([_ | T]) -> 1 + length_of(T);
length_of(B) when is_binary(B) -> 1.

-spec text(string() | nonempty_string()) -> boolean().
text(S) ->
    case S of
        [H | T] when H >= $A, H =< $Z, T =:= "k" -> error(bug); %@text
        _ -> false
    end.

-opaque handle() :: {handle, 1..3, reference() | none}.
-spec opaque(handle()) -> 1..3.
opaque({handle, 2, none}) -> error(bug); %@opaque
opaque({handle, N, _}) -> N.

-spec remote(calendar:date()) -> boolean().
remote({Y, 2, D}) when D > 29, Y > 0 -> error(bug); %@remote
remote({_, M, _}) -> M > 6.

-type even() :: zero | {s, odd()}.
-type odd() :: {s, even()}.
-spec mutual_type(even()) -> non_neg_integer().
mutual_type(zero) -> 0;
mutual_type({s, {s, {s, {s, zero}}}}) -> error(bug); %@mutual_type
mutual_type({s, {s, E}}) -> 2 + mutual_type(E).

-type result(T, E) :: {ok, T} | {error, E}.
-spec either(result(1..3, none | closed)) -> integer().
either({ok, N}) when N > 1 -> N; %@either
either({error, none}) -> 0;
either({error, closed}) -> -1.

-spec callback(fun((integer()) -> integer()), integer()) -> integer().
callback(F, N) -> N div F(N). %@callback

-spec timeout(timeout()) -> integer() | infinity.
timeout(infinity) -> infinity;
timeout(N) -> 1000 div N. %@timeout

-spec mfargs(mfa() | {module(), atom()}) -> arity().
mfargs({_, _}) -> 0;
mfargs({lists, map, 2}) -> error(bug); %@mfargs
mfargs({_, _, A}) -> A.

-spec byte(byte()) -> nibble.
byte(B) when B bsr 4 =:= B band 15, B > 250 -> error(bug); %@byte
byte(B) when B < 256 -> nibble.

-spec arity(arity()) -> boolean().
arity(A) when A >= 0, A =< 255 -> true.

-spec improper(maybe_improper_list(integer(), integer() | [])) -> integer().
improper(L) -> length(L). %@improper

-spec noreturn(a | b) -> no_return().
noreturn(a) -> exit(normal);
noreturn(b) -> throw(b).

-spec maybe_fails(integer()) -> integer() | no_return().
maybe_fails(N) -> 10 div N. %@maybe_fails

nospec([1, X]) when X > 100 -> error(bug); %@nospec
nospec({a, _}) -> ok.

domain(N, [_ | _]) when N > 3 -> ok.

-record(node, {id :: pos_integer(), next = nil :: nil | #node{}}).
-spec node_id(#node{}) -> pos_integer().
node_id(#node{next = #node{id = Id, next = nil}, id = Id}) when Id > 4 -> error(bug); %@node_id
node_id(#node{id = Id}) -> Id.

-spec float_range(number()) -> integer().
float_range(X) when is_float(X) -> 0;
float_range(X) when X > 100, X < 102 -> error(bug); %@float_range
float_range(_) -> 1.

-spec bounded(L, L) -> boolean() when L :: 0..3.
bounded(A, B) -> case A + B of S when S =< 6 -> S > 2 end.
