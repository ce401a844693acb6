%% Functions without specs that go wrong far from the smallest inputs.
%! deposits/1 crash error:badmatch@deposits
%! polygon/1 crash error:too_many@polygon
%! utf/1 crash error:badmatch@utf
%! counted/2 crash error:badmatch@counted
%! chain/1 crash error:badmatch@chain
-module(loose).
-export([deposits/1, polygon/1, utf/1, counted/2, chain/1]).

%% An account that holds 16 bits of cents.
deposits(Entries) when is_list(Entries) -> deposits(Entries, 0).

deposits([{deposit, N} | Rest], Balance) when is_integer(N), N > 0, N < 1000 ->
    <<New:16>> = <<(Balance + N):16>>,
    true = New > Balance, %@deposits
    deposits(Rest, New);
deposits([{fee, _} | Rest], Balance) -> deposits(Rest, Balance);
deposits(_, Balance) -> Balance.

%% Corners of a polygon: no more than 256.
polygon([{X, Y} | Corners]) when is_integer(X), is_integer(Y) -> polygon(Corners, 1);
polygon(_) -> [].

polygon(_, N) when N > 256 -> error(too_many); %@polygon
polygon([{X, Y} | Corners], N) when is_integer(X), is_integer(Y) -> polygon(Corners, N + 1);
polygon(_, N) -> N.

%% Characters of a text, of which a line has at most 72.
utf(Text) when is_binary(Text) -> utf(Text, 0);
utf(_) -> 0.

utf(<<$\n, Rest/binary>>, _) -> utf(Rest, 0);
utf(<<_/utf8, Rest/binary>>, N) ->
    true = N < 72, %@utf
    utf(Rest, N + 1);
utf(_, N) -> N.

%% The same thing so many times.
counted(0, _) -> [];
counted(N, What) when is_integer(N), N > 0 ->
    All = [What | counted(N - 1, What)],
    true = length(All) =< 300, %@counted
    All.

%% A chain of links.
chain(Link) -> chain(Link, 0).

chain({link, Next}, N) ->
    true = N < 40, %@chain
    chain(Next, N + 1);
chain(_, N) -> N.
