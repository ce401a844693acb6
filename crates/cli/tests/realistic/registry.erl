%% A registry of names: nested maps, paths into settings, versions, migrations.
%! lookup/2 declared error:{unknown_name,_}@unknown_name
%! get_in/2 bug error:{badmap,_}@get_in
%! migrate/1 bug error:function_clause@step
%! merge/2 bug error:function_clause@pick
%! rename/3 bug error:{badmatch,_}@rename
%! tags/1 doubtful error:_@tags
%! newest/1 bug error:{badmatch,_}@newest
%! encode/1 doubtful error:function_clause@encode
-module(registry).
-export([lookup/2, get_in/2, migrate/1, merge/2, rename/3, tags/1, newest/1, encode/1]).

-spec lookup(string(), #{string() => integer()}) -> integer().
lookup(Name, Names) ->
    case Names of
        #{Name := Value} -> Value;
        #{} -> error({unknown_name, Name}) %@unknown_name
    end.

-type settings() :: integer() | #{a | b => settings()}.
-spec get_in([a | b], settings()) -> settings() | undefined.
get_in([], Settings) -> Settings;
get_in([Key | Path], Settings) ->
    case maps:find(Key, Settings) of %@get_in
        {ok, Inner} -> get_in(Path, Inner);
        error -> undefined
    end.

%% @doc From any version to the newest, 4.
-spec migrate({1..4, integer()}) -> {4, integer()}.
migrate({4, Data}) -> {4, Data};
migrate({Version, Data}) -> migrate(step(Version, Data)).

step(1, Data) -> {2, Data * 10}; %@step
step(2, Data) -> {3, Data + 1}.

-spec merge(#{a => integer()}, #{a => integer()}) -> #{a => integer()}.
merge(Left, Right) -> maps:map(fun(Key, Value) -> pick(Value, maps:get(Key, Right, Value)) end, Left).

pick(Same, Same) -> Same; %@pick
pick(Left, Right) when Left < Right -> Right.

-spec rename(string(), string(), [{string(), integer()}]) -> [{string(), integer()}].
rename(From, To, Entries) ->
    {value, {_, Value}, Rest} = lists:keytake(From, 1, Entries), %@rename
    [{To, Value} | Rest].

tags(Entries) -> [Tag || #{tags := Tags} <- Entries, Tag <- Tags]. %@tags

-spec newest([{non_neg_integer(), atom()}]) -> atom().
newest(Versions) ->
    {_, Name} = lists:foldl(fun newer/2, none, Versions), %@newest
    Name.

newer(Version, none) -> Version;
newer({N, _} = Version, {M, _}) when N > M -> Version;
newer(_, Known) -> Known.

-spec encode([{atom(), any()}]) -> iolist().
encode(Entries) -> [[atom_to_list(Key), "=", text(Value), "\n"] || {Key, Value} <- Entries].

text(Value) when is_atom(Value) -> atom_to_list(Value); %@encode
text(Value) when is_integer(Value) -> integer_to_list(Value);
text(Value) when is_binary(Value) -> Value.
