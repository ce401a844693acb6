%% Semantic versions: parsing, ordering, ranges, the next one.
%! parse/1 bug error:{badmatch,_}@parts
%! parse/1 bug error:badarg@number
%! newest/1 bug error:function_clause@newest
%! compare/2 bug error:function_clause@tags
%! bump/2 bug error:{case_clause,_}@level
%! satisfies/2 declared throw:{unknown_operator,_}@operator
-module(versions).
-export([parse/1, newest/1, compare/2, bump/2, satisfies/2]).

-type version() :: {non_neg_integer(), non_neg_integer(), non_neg_integer()}.
-type tagged() :: {version(), [alpha | beta | {rc, pos_integer()}]}.
-type level() :: major | minor | patch | build.

-spec parse(string()) -> version().
parse(Text) ->
    [Major, Minor, Patch] = string:split(Text, ".", all), %@parts
    {number(Major), number(Minor), number(Patch)}.

number(Digits) -> list_to_integer(Digits). %@number

-spec newest([version()]) -> version().
newest([Version]) -> Version; %@newest
newest([Version | Others]) -> max(Version, newest(Others)).

%% @doc Versions without a tag come after those with one.
-spec compare(tagged(), tagged()) -> lt | eq | gt.
compare({Same, Tags}, {Same, Others}) -> tags(Tags, Others);
compare({Left, _}, {Right, _}) when Left < Right -> lt;
compare(_, _) -> gt.

tags([], []) -> eq; %@tags
tags([], [_ | _]) -> gt;
tags([_ | _], []) -> lt;
tags([Tag | Tags], [Tag | Others]) -> tags(Tags, Others);
tags([alpha | _], _) -> lt;
tags([beta | _], [{rc, _} | _]) -> lt;
tags([beta | _], [alpha | _]) -> gt;
tags([{rc, N} | _], [{rc, M} | _]) when N < M -> lt;
tags([{rc, _} | _], [{rc, _} | _]) -> gt.

-spec bump(level(), version()) -> version().
bump(Level, {Major, Minor, Patch}) ->
    case Level of %@level
        major -> {Major + 1, 0, 0};
        minor -> {Major, Minor + 1, 0};
        patch -> {Major, Minor, Patch + 1}
    end.

-spec satisfies(version(), {atom(), version()}) -> boolean().
satisfies(Version, {'>=', Least}) -> Version >= Least;
satisfies(Version, {'==', Wanted}) -> Version =:= Wanted;
satisfies({Major, _, _} = Version, {'~>', {Major, _, _} = Least}) -> Version >= Least;
satisfies(_, {'~>', _}) -> false;
satisfies(_, {Operator, _}) -> throw({unknown_operator, Operator}). %@operator
