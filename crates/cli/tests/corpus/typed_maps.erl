%% Maps as inputs: fields that must be there, fields that may, and values at the ends of their ranges.
%? maps
%! both/1 crash error:bug@both
%! oldest/1 crash error:bug@oldest
%! many/1 crash error:bug@many
%! missing/1 crash error:{badkey,_}@missing
%! ratio/1 crash error:badarith@ratio
%! present/1 safe_or_incomplete
-module(typed_maps).
-export([both/1, oldest/1, many/1, missing/1, ratio/1, present/1]).

-spec both(#{a := 0..3, b => boolean()}) -> ok.
both(#{a := 3, b := true}) -> error(bug); %@both
both(_) -> ok.

-spec oldest(#{name := string(), age => 0..120}) -> ok.
oldest(#{age := 120, name := [_ | _]}) -> error(bug); %@oldest
oldest(#{name := _}) -> ok.

-spec many(map()) -> ok.
many(M) when map_size(M) > 1 -> error(bug); %@many
many(_) -> ok.

-spec missing(#{width := pos_integer(), height => pos_integer()}) -> pos_integer().
missing(M) -> maps:get(width, M) * map_get(height, M). %@missing

-spec ratio(#{part := 0..9, whole := 0..9}) -> {share, integer()}.
ratio(#{part := P, whole := W}) -> {share, 100 * P div W}. %@ratio

-spec present(#{id := 1..3, tag => atom()}) -> 1..3.
present(#{id := Id} = M) -> case maps:size(M) of N when N =< 2 -> Id end.
