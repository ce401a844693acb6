%% Templates of text: placeholders, conditions, escapes, wrapping, columns.
%! fill/2 declared error:{unbound,_}@unbound
%! fill/2 bug error:{badmatch,_}@brace
%! indent/2 bug error:function_clause@spaces
%! pad/2 bug error:badarg@pad
%! columns/2 bug error:badarith@columns
%! truncate/2 bug error:{badmatch,_}@truncate
%! capitalize/1 bug error:function_clause@capitalize
%! join/2 bug error:function_clause@join
-module(template).
-export([fill/2, indent/2, pad/2, columns/2, truncate/2, capitalize/1, join/2]).

-spec fill(string(), [{string(), string()}]) -> string().
fill([], _) -> [];
fill([$\\, C | Rest], Vars) -> [C | fill(Rest, Vars)];
fill([${ | Rest], Vars) ->
    {Name, [$} | After]} = lists:splitwith(fun(C) -> C =/= $} end, Rest), %@brace
    case lists:keyfind(Name, 1, Vars) of
        {_, Value} -> Value ++ fill(After, Vars);
        false -> error({unbound, Name}) %@unbound
    end;
fill([C | Rest], Vars) -> [C | fill(Rest, Vars)].

-spec indent(integer(), [string()]) -> [string()].
indent(_, []) -> [];
indent(Width, Lines) -> [spaces(Width) ++ Line || Line <- Lines].

spaces(0) -> ""; %@spaces
spaces(N) when N > 0 -> [$\s | spaces(N - 1)].

-spec pad(binary(), integer()) -> binary().
pad(Text, Width) when Width > 50 -> Text;
pad(Text, Width) -> <<Text/binary, (binary:copy(<<" ">>, Width - byte_size(Text)))/binary>>. %@pad

%% @doc How many columns of a width fit beside each other.
-spec columns(pos_integer(), non_neg_integer()) -> integer().
columns(Page, Width) when Width > Page -> 1;
columns(Page, Width) -> Page div Width. %@columns

-spec truncate(non_neg_integer(), binary()) -> binary().
truncate(Length, Text) ->
    <<Start:Length/binary, _/binary>> = Text, %@truncate
    <<Start/binary, "...">>.

-spec capitalize([string()]) -> [string()].
capitalize(Words) -> [capital(Word) || Word <- Words].

capital([C | Rest]) when C >= $a, C =< $z -> [C - 32 | Rest]; %@capitalize
capital([C | Rest]) -> [C | Rest].

%% @doc `a, b and c'.
-spec join([string()], string()) -> string().
join([Word], _) -> Word; %@join
join([Word, Last], And) -> Word ++ And ++ Last;
join([Word | Words], And) -> Word ++ ", " ++ join(Words, And).
