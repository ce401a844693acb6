%% Sessions of users in a table that a server owns, with a limit for each user.
%! lookup/1 doubtful error:badarg@table
%! handle_call/3 bug error:{badmatch,_}@oldest
%! handle_call/3 bug error:{case_clause,_}@role
%! token/2 bug error:badarith@lifetime
%! user/1 declared exit:{no_session,_}@no_session
-module(sessions).
-behaviour(gen_server).
-export([start_link/1, lookup/1, token/2, user/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(state, {limit = 2 :: non_neg_integer(), open = [] :: [{integer(), integer()}]}).
-type state() :: #state{}.
-type request() :: {open, integer(), integer()} | {allows, admin | editor | guest} | count.

start_link(Limit) -> gen_server:start_link({local, ?MODULE}, ?MODULE, Limit, []).

%% @doc Reads the table without a message to its owner.
-spec lookup(integer()) -> [tuple()].
lookup(Id) -> ets:lookup(?MODULE, Id). %@table

-spec init(non_neg_integer()) -> {ok, state()}.
init(Limit) -> {ok, #state{limit = Limit}}.

-spec handle_call(request(), {pid(), term()}, state()) -> {reply, term(), state()}.
handle_call({open, User, Time}, _, #state{limit = Limit, open = Open} = State) ->
    Kept = if length(Open) >= Limit -> drop_oldest(Open); true -> Open end,
    {reply, ok, State#state{open = [{Time, User} | Kept]}};
handle_call({allows, Role}, _, State) ->
    {reply, allows(Role), State};
handle_call(count, _, #state{open = Open} = State) ->
    {reply, length(Open), State}.

drop_oldest(Open) ->
    [_ | Kept] = lists:sort(Open), %@oldest
    Kept.

allows(Role) ->
    case Role of %@role
        admin -> [read, write, delete];
        editor -> [read, write]
    end.

handle_cast(_, State) -> {noreply, State}.

%% @doc A number that changes with every part of a lifetime.
-spec token(non_neg_integer(), Lifetime :: non_neg_integer()) -> non_neg_integer().
token(Now, Lifetime) -> erlang:phash2(Now div Lifetime). %@lifetime

-spec user([{session, integer()} | {trace, binary()}]) -> integer().
user([]) -> exit({no_session, none}); %@no_session
user([{session, User} | _]) -> User;
user([_ | Rest]) -> user(Rest).
