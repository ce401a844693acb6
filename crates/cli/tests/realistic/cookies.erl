%% Cookies as browsers send them and as servers set them.
%! parse/1 bug error:{badmatch,_}@pair
%! max_age/1 bug error:badarg@age
%! set/3 bug error:{case_clause,_}@same_site
%! set/3 declared error:{bad_name,_}@bad_name
%! expired/2 bug error:badarith@left
%! merge/2 doubtful error:_@jar
-module(cookies).
-export([parse/1, max_age/1, set/3, expired/2, merge/2]).

-type cookie() :: {Name :: binary(), Value :: binary()}.

%% @doc `a=1; b=2' as pairs; an empty header has none.
-spec parse(binary()) -> [cookie()].
parse(<<>>) -> [];
parse(Header) ->
    [pair(trim(Part)) || Part <- binary:split(Header, <<";">>, [global])].

pair(Part) ->
    [Name, Value] = binary:split(Part, <<"=">>), %@pair
    {Name, Value}.

trim(<<" ", Rest/binary>>) -> trim(Rest);
trim(Part) -> Part.

%% @doc The seconds that a cookie lives, of the attributes that came with it.
-spec max_age([cookie()]) -> integer() | session.
max_age(Attributes) ->
    case lists:keyfind(<<"Max-Age">>, 1, Attributes) of
        {_, Value} -> binary_to_integer(Value); %@age
        false -> session
    end.

-spec set(binary(), binary(), #{same_site => strict | lax | none, secure => boolean()}) -> iodata().
set(<<>>, _, Options) -> error({bad_name, Options}); %@bad_name
set(Name, Value, Options) ->
    [Name, $=, Value, same_site(maps:get(same_site, Options, lax)), secure(Options)].

same_site(Policy) ->
    case Policy of %@same_site
        strict -> <<"; SameSite=Strict">>;
        lax -> <<"; SameSite=Lax">>
    end.

secure(#{secure := true}) -> <<"; Secure">>;
secure(#{}) -> <<>>.

%% @doc The part of its life that is over, in percent.
-spec expired(non_neg_integer(), {Set :: non_neg_integer(), Lives :: non_neg_integer()}) -> non_neg_integer().
expired(Now, {Set, _}) when Now =< Set -> 0;
expired(Now, {Set, Lives}) ->
    min(100, (Now - Set) * 100 div Lives). %@left

%% @doc Two jars, whatever they are made of.
-spec merge(any(), any()) -> map().
merge(Jar, More) -> maps:merge(Jar, More). %@jar
