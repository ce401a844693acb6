%% A log of events as maps, folded into a state.
%! balance/1 bug error:{badkey,amount}@amount
%! replay/2 bug error:{badmap,_}@apply
%! since/2 bug error:function_clause@since
%! describe/1 bug error:{badmatch,_}@describe
%! check/1 declared error:{out_of_order,_}@order
%! tags/1 doubtful error:_@tags
-module(journal).
-export([balance/1, replay/2, since/2, describe/1, check/1, tags/1]).

-type event() :: #{kind := paid | refunded | note, amount => integer(), time := non_neg_integer()}.

-spec balance([event()]) -> integer().
balance(Events) -> lists:foldl(fun add/2, 0, Events).

add(#{kind := paid} = Event, Sum) -> Sum + maps:get(amount, Event); %@amount
add(#{kind := refunded} = Event, Sum) -> Sum - maps:get(amount, Event, 0);
add(#{kind := note}, Sum) -> Sum.

%% @doc Applies changes to a state that may not be there yet.
-spec replay([{atom(), integer()}], #{atom() => integer()} | undefined) -> #{atom() => integer()}.
replay([], State) when is_map(State) -> State;
replay([], undefined) -> #{};
replay([{Key, Value} | Rest], State) ->
    replay(Rest, State#{Key => Value}). %@apply

-spec since(non_neg_integer(), [event()]) -> [event()].
since(_, []) -> [];
since(Time, Events) ->
    newer(Time, lists:reverse(Events), []).

newer(Time, [#{time := At} = Event | Rest], Found) when At >= Time -> newer(Time, Rest, [Event | Found]); %@since
newer(_, [_ | _], Found) -> Found.

-spec describe(event()) -> {atom(), integer()}.
describe(Event) ->
    #{kind := Kind, amount := Amount} = Event, %@describe
    {Kind, Amount}.

-spec check([non_neg_integer()]) -> ok.
check([A, B | _]) when A > B -> error({out_of_order, {A, B}}); %@order
check([_ | Rest]) -> check(Rest);
check([]) -> ok.

%% @doc Notes may be anything that has a text.
-spec tags([#{note => any()}]) -> [binary()].
tags(Events) -> [iolist_to_binary(Note) || #{note := Note} <- Events]. %@tags
