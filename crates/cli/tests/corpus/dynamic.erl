%% The process dictionary, apply, funs of modules, calls by names that are inputs.
%? calls
%! counter/1 crash error:bug@counter
%! cached/2 crash error:bug@cached
%! remembered/2 safe complete
%! erased/2 crash error:bug@erased
%! seen/1 crash error:bug@seen
%! defaulted/1 safe complete
%! swapped/2 crash error:bug@swapped
%! listed/2 crash error:bug@listed
%! applied_fun/1 crash error:{badfun,_}@applied_fun complete paths=2
%! dispatch/2 crash error:undef@dispatch error:bug@op_half complete
%! dispatch_known/2 crash error:bug@op_half complete
%! applied/2 crash error:undef@applied error:bug@op_half error:badarg@applied
%! table/2 crash error:bug@table
%! stages/2 crash error:bug@stages
%! callback/1 crash error:bug@on_stop complete
%! chosen_module/2 crash error:undef@chosen
%! exported/1 crash error:bug@exported complete
%! arity/1 crash error:undef@arity error:bug@op_three
%! composed/2 crash error:bug@composed
%! not_atom/2 crash error:badarg@not_atom error:undef@not_atom error:bug@op_half complete
%! guarded/2 safe complete
-module(dynamic).
-export([applied_fun/1, counter/1, cached/2, remembered/2, erased/2, seen/1, defaulted/1, swapped/2, listed/2, dispatch/2]).
-export([dispatch_known/2, applied/2, table/2, stages/2, callback/1, chosen_module/2, exported/1, arity/1]).
-export([composed/2, not_atom/2, guarded/2]).
-export([op_double/2, op_half/2, op_keep/2, on_start/1, on_stop/1, on_data/1, op_three/3]).

%% What is called by name.
op_double(X, _) -> X * 2.

op_half(X, Y) when Y =:= 13, X > 100 -> error(bug); %@op_half
op_half(X, _) -> X div 2.

op_keep(X, _) -> X.

op_three(X, Y, Z) when X + Y =:= Z, Z > 50 -> error(bug); %@op_three
op_three(_, _, _) -> ok.

on_start(_) -> started.

on_stop(Reason) when Reason =:= 99 -> error(bug); %@on_stop
on_stop(_) -> stopped.

on_data(X) -> {data, X}.

%% The process dictionary.
-spec counter([up | down | reset]) -> integer().
counter(Moves) ->
    put(count, 0),
    lists:foreach(fun(Move) -> move(Move) end, Moves),
    case get(count) of
        -3 -> error(bug); %@counter
        Count -> Count
    end.

move(up) -> put(count, get(count) + 1);
move(down) -> put(count, get(count) - 1);
move(reset) -> put(count, 0).

-spec cached(integer(), integer()) -> integer().
cached(X, Y) ->
    A = square(X),
    B = square(Y),
    case get({square, 12}) of
        undefined -> A + B;
        144 when X =/= Y, Y =:= 12 -> error(bug); %@cached
        _ -> 0
    end.

square(X) ->
    case get({square, X}) of
        undefined ->
            put({square, X}, X * X),
            X * X;
        Known -> Known
    end.

-spec remembered(atom(), integer()) -> integer().
remembered(Key, Value) ->
    put(Key, Value),
    get(Key) - Value.

-spec erased(atom(), atom()) -> ok.
erased(A, B) ->
    put(a, 1),
    put(A, 2),
    erase(B),
    case {get(a), get(b)} of
        {1, 2} when B =/= A -> error(bug); %@erased
        _ -> ok
    end.

-spec seen([1..9]) -> integer().
seen([]) -> 0;
seen([X | Rest]) ->
    case put(X, true) of
        true when length(Rest) =:= 1 -> error(bug); %@seen
        _ -> 1 + seen(Rest)
    end.

-spec defaulted(integer()) -> integer().
defaulted(X) ->
    Old = case get(level) of undefined -> 0; Level -> Level end,
    put(level, X),
    X - get(level) + Old.

-spec swapped(integer(), integer()) -> integer().
swapped(X, Y) ->
    put(value, X),
    case put(value, Y) of
        Old when Old - Y =:= 1000 -> error(bug); %@swapped
        Old -> Old
    end.

-spec listed(integer(), integer()) -> ok.
listed(X, Y) ->
    put(one, X),
    put(two, Y),
    case lists:sort(erlang:get()) of
        [{one, A}, {two, A}] when A > 30 -> error(bug); %@listed
        _ -> ok
    end.

%% Calls by name.
-spec dispatch(atom(), integer()) -> integer().
dispatch(counter, _) -> 0;
dispatch(Name, X) when Name =:= op_half; Name =:= op_keep; Name =:= op_gone ->
    1 + ?MODULE:Name(X, 13); %@dispatch
dispatch(_, X) -> X.

-spec dispatch_known(op_half | op_keep | op_double, integer()) -> integer().
dispatch_known(Name, X) -> dynamic:Name(X, X - X + 13).

-spec applied(op_half | op_keep | op_lost | [], [integer()]) -> integer().
applied(Name, [_, _] = Args) -> 1 + apply(?MODULE, Name, Args); %@applied
applied(_, _) -> 0.

-spec table(0..3, integer()) -> term().
table(At, X) ->
    Table = {fun ?MODULE:op_double/2, fun ?MODULE:op_keep/2, fun lists:seq/2},
    case At < 3 andalso X > 0 andalso X < 4 andalso (element(At + 1, Table))(X, 3) of
        [2, 3] -> error(bug); %@table
        Other -> Other
    end.

-spec stages([double | half], integer()) -> integer().
stages(Names, X) ->
    Stages = #{double => fun(V) -> V * 2 end, half => fun(V) -> V div 2 end},
    Result = lists:foldl(fun(Name, V) -> apply(maps:get(Name, Stages), [V]) end, X, Names),
    case Result of
        21 when length(Names) =:= 3, X =/= 21 -> error(bug); %@stages
        _ -> Result
    end.

-spec callback({on_start | on_stop | on_data, integer()}) -> term().
callback({Event, Arg}) -> ?MODULE:Event(Arg).

-spec chosen_module(lists | dynamic | no_such_module, integer()) -> integer().
chosen_module(Module, X) when X > 0, X < 5 -> length(Module:seq(1, X)); %@chosen
chosen_module(_, _) -> 0.

-spec exported(atom()) -> ok.
exported(Name) ->
    case erlang:function_exported(lists, Name, 5) orelse lists:member(Name, [on_stop, nothing]) of
        true when Name =/= nothing -> error(bug); %@exported
        _ -> ok
    end.

-spec arity([integer()]) -> term().
arity(Args) when length(Args) < 4 -> {done, apply(?MODULE, op_three, Args)}; %@arity
arity(_) -> ok.

-spec composed([op_double | op_half | op_keep], 1..9) -> integer().
composed(Names, X) ->
    case lists:foldl(fun(Name, V) -> ?MODULE:Name(V, 0) end, X, Names) of
        28 when length(Names) =:= 2, hd(Names) =:= op_double -> error(bug); %@composed
        V -> V
    end.

-spec not_atom(op_half | other | 7, integer()) -> integer().
not_atom(Name, X) -> 1 + ?MODULE:Name(X, 13). %@not_atom

-spec guarded(atom(), integer()) -> integer().
guarded(Name, X) ->
    case lists:member(Name, [op_double, op_keep]) of
        true -> ?MODULE:Name(X, 1);
        false -> X
    end.

-spec applied_fun(fun(() -> integer()) | {atom(), atom()}) -> integer().
applied_fun(F) -> 1 + apply(F, []). %@applied_fun
