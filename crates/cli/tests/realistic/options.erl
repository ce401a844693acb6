%% Options: proplists with wide specs, defaults and checks.
%! parse/1 doubtful error:function_clause@option
%! timeout/1 doubtful error:badarith@timeout
%! retries/1 declared error:{bad_option,_}@bad_option
%! apply_all/2 doubtful error:{badmatch,_}@wild
%! backoff/2 bug error:badarg@backoff
%! call/2 doubtful error:undef@call
%! level/1 bug error:{case_clause,_}@level
%! names/1 doubtful error:_@names
-module(options).
-export([parse/1, timeout/1, retries/1, apply_all/2, backoff/2, call/2, level/1, names/1]).

-spec parse(list()) -> #{atom() => term()}.
parse(Options) -> lists:foldl(fun option/2, #{}, Options).

option({Key, Value}, Acc) when is_atom(Key) -> Acc#{Key => Value}; %@option
option(Flag, Acc) when is_atom(Flag) -> Acc#{Flag => true}.

-spec timeout(any()) -> infinity | integer().
timeout(infinity) -> infinity;
timeout(Seconds) -> Seconds * 1000. %@timeout

-spec retries(integer() | [{retries, integer()}]) -> 0..10.
retries([{retries, N} | _]) -> retries(N);
retries([]) -> 3;
retries(N) when N >= 0, N =< 10 -> N;
retries(N) -> error({bad_option, N}). %@bad_option

%% @doc Every hook gives `{ok, State}'.
-spec apply_all([fun((integer()) -> any())], integer()) -> integer().
apply_all([], State) -> State;
apply_all([Hook | Hooks], State) ->
    {ok, Next} = Hook(State), %@wild
    apply_all(Hooks, Next).

-spec backoff(non_neg_integer(), [pos_integer(), ...]) -> pos_integer().
backoff(Attempt, Steps) -> element(Attempt, list_to_tuple(Steps)). %@backoff

-spec call(module(), term()) -> term().
call(Module, Argument) -> Module:handle(Argument). %@call

-spec level(0..7) -> debug | info | warning | error.
level(N) ->
    case N of %@level
        7 -> debug;
        6 -> info;
        5 -> info;
        4 -> warning;
        3 -> error;
        2 -> error;
        1 -> error
    end.

names(Things) -> [atom_to_list(Name) || {Name, _} <- Things]. %@names
