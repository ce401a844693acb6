%% The state of a run besides its arguments: its tables, its own pid, references.
%! named/2 crash error:bug@named
%! no_table/2 incomplete
%! caught/2 crash error:bug@caught
%! of_name/1 crash error:bug@of_name
%! kept/1 crash error:bug@kept
%! owner/1 incomplete
%! asked/2 crash error:bug@asked
%! tagged/1 crash error:bug@tagged
%! distinct/2 crash error:bug@distinct
%! first_name/3 crash error:bug@first_name
%! takes/1 crash error:bug@takes
%! as_many/2 crash error:bug@as_many
%! own/1 incomplete
%! captured/1 crash error:bug@captured
%! row/1 crash error:badarg@make error:bug@row
-module(run_state).
-export([takes/1, as_many/2, own/1, captured/1, row/1]).
-export([named/2, no_table/2, caught/2, of_name/1, kept/1, owner/1, asked/2, tagged/1, distinct/2, first_name/3]).

%% Which of two tables a name means.
-spec named(atom(), integer()) -> any().
named(Table, Key) ->
    ets:new(stock, [named_table]),
    ets:new(prices, [named_table]),
    ets:insert(prices, {1, 17}),
    try ets:lookup(Table, 1) of
        [{1, 17}] when Key > 40 -> error(bug); %@named
        Found -> Found
    catch
        error:badarg -> none
    end.

%% Without a table nothing else matters.
-spec no_table(reference(), integer()) -> none | {some, any()}.
no_table(Table, Key) ->
    try ets:lookup(Table, Key) of
        Found -> {some, Found}
    catch
        error:badarg -> none
    end.

-spec caught(reference(), integer()) -> integer().
caught(Table, Key) ->
    Found =
        try
            ets:lookup_element(Table, Key, 2)
        catch
            error:badarg -> 0
        end,
    case Found + Key of
        77 -> error(bug); %@caught
        Sum -> Sum
    end.

-spec of_name(atom()) -> any().
of_name(Name) ->
    ets:new(open, [named_table]),
    case ets:info(Name, size) of
        undefined -> closed;
        0 -> error(bug) %@of_name
    end.

-spec kept(atom()) -> any().
kept(Name) ->
    Table = ets:new(session, [named_table]),
    ets:delete(Table),
    ets:new(store, [named_table]),
    case ets:whereis(Name) of
        undefined -> ok;
        _ -> error(bug) %@kept
    end.

%% No call has handed out this process or this reference.
-spec owner(pid()) -> mine | other.
owner(Pid) when Pid =:= self() -> mine;
owner(_) -> other.

-spec asked({reference(), integer()} | timeout, integer()) -> integer().
asked(Reply, Limit) ->
    Ref = make_ref(),
    case Reply of
        {Ref, Value} -> Value;
        {_, Value} when Value > Limit, Value < 100, Limit > 90 -> error(bug); %@asked
        _ -> 0
    end.

-spec tagged(any()) -> any().
tagged(Message) ->
    case Message of
        Mine when Mine =:= {self(), done} -> mine;
        {Pid, done} when is_pid(Pid) -> error(bug); %@tagged
        _ -> other
    end.

%% Names that differ and stand in order.
-spec distinct(atom(), atom()) -> ok.
distinct(X, Y) when X =/= Y ->
    case X < 'B' of
        true -> error(bug); %@distinct
        false -> ok
    end;
distinct(_, _) -> ok.

-spec first_name(atom(), atom(), atom()) -> atom().
first_name(A, B, C) when A =/= B, B =/= C, A < B, B < C, C < aab -> error(bug); %@first_name
first_name(A, _, _) -> A.

%% What funs say about themselves.
-spec takes(fun()) -> integer().
takes(F) ->
    case erlang:fun_info(F, arity) of
        {arity, 3} -> error(bug); %@takes
        {arity, N} -> N
    end.

-spec own(fun()) -> boolean().
own(F) ->
    case {erlang:fun_info(F, type), erlang:fun_info(F, module)} of
        {{type, external}, _} -> error(bug);
        {_, {module, ?MODULE}} -> error(bug);
        _ -> is_function(F, 1)
    end.

-spec captured(integer()) -> integer().
captured(N) ->
    F = fun(X) -> X + N end,
    {env, Env} = erlang:fun_info(F, env),
    case Env of
        [33] -> error(bug); %@captured
        _ -> F(1)
    end.

%% A tuple of a size that is an input.
-spec row(integer()) -> tuple().
row(N) ->
    Row = erlang:make_tuple(N, 0), %@make
    case tuple_size(Row) of
        5 -> error(bug); %@row
        _ -> Row
    end.

-spec as_many(fun(), 0..9) -> boolean().
as_many(F, N) when is_function(F, N), N > 2, N < 4 -> error(bug); %@as_many
as_many(F, N) -> is_function(F, N).
