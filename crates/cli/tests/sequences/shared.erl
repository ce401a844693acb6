%% A record of a header is for everyone to make: its values are what its declaration says.
-module(shared).
-export([origin/0, slope/1]).
-include("shared.hrl").

-spec origin() -> #point{}.
origin() -> #point{}.

-spec slope(#point{}) -> integer().
slope(#point{x = 4, y = Y}) -> Y div (4 - 4);
slope(_) -> 0.
