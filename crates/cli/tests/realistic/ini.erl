%% Configuration text: sections, values, sizes with units, flags, hosts.
%! line/1 bug error:{badmatch,_}@pair
%! line/1 declared throw:{unclosed,_}@unclosed
%! size/1 bug error:badarg@size
%! size/1 bug error:function_clause@suffix
%! flag/1 bug error:{case_clause,_}@flag
%! host/1 bug error:{badmatch,_}@host
%! sections/1 bug error:{badmatch,_}@sections
%! value/2 doubtful error:_@value
-module(ini).
-export([line/1, size/1, flag/1, host/1, sections/1, value/2]).

-spec line(string()) -> blank | {section, string()} | {pair, string(), string()}.
line("") -> blank;
line(";" ++ _) -> blank;
line("[" ++ Rest) ->
    case lists:splitwith(fun(C) -> C =/= $] end, Rest) of
        {Name, "]" ++ _} -> {section, Name};
        {Name, _} -> throw({unclosed, Name}) %@unclosed
    end;
line(Text) ->
    [Key, Value] = string:split(Text, "="), %@pair
    {pair, Key, Value}.

%% @doc `10', `10k', `10m'.
-spec size(string()) -> integer().
size(Text) ->
    {Digits, Suffix} = lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Text),
    list_to_integer(Digits) * factor(Suffix). %@size

factor("") -> 1; %@suffix
factor("k") -> 1024;
factor("m") -> 1024 * 1024.

-spec flag(yes | no | on | off | true | false) -> boolean().
flag(Word) ->
    case Word of %@flag
        yes -> true;
        no -> false;
        on -> true;
        true -> true;
        false -> false
    end.

-spec host({string(), integer()} | [{string(), integer()}]) -> string().
host(Hosts) when is_list(Hosts) ->
    [{Name, _} | _] = [Host || {_, Port} = Host <- Hosts, Port > 0], %@host
    Name;
host({Name, _}) -> Name.

-type item() :: {section, atom()} | {pair, atom(), integer()}.
-spec sections([item()]) -> #{atom() => [{atom(), integer()}]}.
sections(Items) -> sections(Items, none, #{}).

sections([], _, Acc) -> Acc;
sections([{section, Name} | Items], _, Acc) -> sections(Items, {in, Name}, Acc#{Name => []});
sections([{pair, Key, Value} | Items], Current, Acc) ->
    {in, Name} = Current, %@sections
    #{Name := Pairs} = Acc,
    sections(Items, Current, Acc#{Name := [{Key, Value} | Pairs]}).

%% @doc The text of a value of any type.
value(Key, Settings) -> string:trim(proplists:get_value(Key, Settings)). %@value
