%% Programs that log: calls whose outcome is the VM's, and programs with a verdict.
-module(logging).
-include_lib("kernel/include/logger.hrl").
-export([all/0, argument/1, argument_ok/1, debugged/1, message/1, message_ok/1, report/1, report_ok/1, lazy/1, lazy_ok/1,
         caught_ok/1, level/1, level_ok/1, server/1, server_ok/1, no_format/1]).
-export([init/1, handle_call/3, handle_cast/2]).

all() ->
    [outcome(Call) || Call <- calls()].

outcome(Call) ->
    try Call() catch Class:Reason -> {Class, Reason} end.

calls() ->
    [fun() -> logger:log(foo, "x") end,
     fun() -> logger:log(error, x) end,
     fun() -> logger:log(error, {x, []}) end,
     fun() -> logger:log(error, {x, y}) end,
     fun() -> logger:log(error, [{a,b}|c]) end,
     fun() -> logger:log(debug, x) end,
     fun() -> logger:log(error, <<"x">>, [a|b]) end,
     fun() -> logger:log(error, "x", #{gl => x}) end,
     fun() -> logger:log(error, "x", #{mfa => {gen_server, a, b}}) end,
     fun() -> logger:log(error, x, #{mfa => {gen_server, a, b}}) end,
     fun() -> logger:log(error, x, #{mfa => {foo, a, b}}) end,
     fun() -> logger:log(error, "x", [], x) end,
     fun() -> logger:log(debug, "x", [], x) end,
     fun() -> logger:log(error, fun(X) -> X end, "abc", x) end,
     fun() -> logger:log(error, fun(X) -> error(X) end, "abc") end,
     fun() -> logger:log(error, fun(X) -> exit(X) end, "abc", y) end,
     fun() -> logger:log(error, fun(X) -> X end, {"abc", #{gl => 1}}) end,
     fun() -> logger:log(error, fun(X) -> X end, {"abc", #{a => 1}}) end,
     fun() -> logger:log(error, fun(X, _) -> X end, {"abc", #{a => 1}}) end,
     fun() -> logger:log(error, fun() -> x end, #{}) end,
     fun() -> logger:log(error, fun(X) -> X end, ignore) end,
     fun() -> logger:log(error, fun(X) -> X end, 12) end,
     fun() -> logger:macro_log(x, error, "x") end,
     fun() -> logger:macro_log(#{}, foo, "x") end,
     fun() -> logger:macro_log(#{}, debug, "x", #{}) end,
     fun() -> logger:macro_log(#{}, debug, "x", y) end,
     fun() -> logger:macro_log(#{gl => a}, debug, "x", []) end,
     fun() -> logger:macro_log(#{}, debug, "x", [], x) end,
     fun() -> logger:error(x) end,
     fun() -> logger:emergency(x, []) end,
     fun() -> logger:info(x, y) end,
     fun() -> logger:notice(x, y) end,
     fun() -> logger:warning(x, [], #{}) end,
     fun() -> logger:critical("x", [], y) end,
     fun() -> logger:alert("x", [1|2], #{}) end,
     fun() -> logger:debug(1, 2, 3) end,
     fun() -> logger:allow(foo, bar) end,
     fun() -> logger:allow(error, 1) end,
     fun() -> logger:allow(error, bar) end,
     fun() -> logger:allow(info, bar) end,
     fun() -> error_logger:error_info([a|b]) end,
     fun() -> error_logger:error_info([a,b]) end,
     fun() -> error_logger:error_info(x) end,
     fun() -> error_logger:error_msg(1, 2) end,
     fun() -> error_logger:error_msg(1) end,
     fun() -> error_logger:format(1, 2) end,
     fun() -> error_logger:info_report(1, [2|3]) end,
     fun() -> error_logger:warning_report(1) end,
     fun() -> error_logger:warning_msg(x, []) end,
     fun() -> error_logger:info_msg("~p~p", [1]) end,
     fun() -> error_logger:error_report(fun() -> 1 end) end,
     fun() -> put('$logger_metadata$', #{gl => x}), logger:error("x") end,
     fun() -> logger:set_process_metadata(#{gl => x}), logger:error("x", #{gl => self()}) end].

%% Arguments of a macro are evaluated if its level is logged by default.
-spec argument(integer()) -> ok.
argument(X) -> ?LOG_ERROR("~p", [1 div (X - 31)]), ok.
-spec argument_ok(integer()) -> ok.
argument_ok(X) -> ?LOG_ERROR("~p", [1 div (abs(X) + 1)]), ok.
-spec debugged(integer()) -> ok.
debugged(X) -> ?LOG_DEBUG("~p", [1 div (X - 31)]), ok.

%% Symbolic arguments are logged.
-spec message(integer()) -> ok.
message(X) -> error_logger:info_msg("~p", [X]), true = X =/= 31, ok.
-spec message_ok(integer()) -> ok.
message_ok(X) -> error_logger:info_msg("~p", [X]), true = is_integer(X), ok.

%% A fun in a report is not called.
-spec report(integer()) -> ok.
report(X) -> logger:error(#{value => X, fail => fun() -> error(X) end}), true = X =/= 31, ok.
-spec report_ok(integer()) -> ok.
report_ok(X) -> logger:error(#{value => X, fail => fun() -> error(X) end}), true = is_integer(X), ok.

%% A fun that makes the message is.
-spec lazy(integer()) -> ok.
lazy(X) -> lazily(X, warning), receive 31 -> error(logged) after 0 -> ok end.
-spec lazy_ok(integer()) -> ok.
lazy_ok(X) -> lazily(X, info), receive 31 -> error(logged) after 0 -> ok end.

lazily(X, Level) ->
    S = self(),
    logger:log(Level, fun(V) -> S ! V, {"~p", [V]} end, X).

%% What such a fun raises is caught.
-spec caught_ok(integer()) -> ok.
caught_ok(X) -> logger:error(fun(V) -> 1 div V end, X), ok.

-spec level(atom()) -> ok.
level(Level) -> logger:log(Level, "x").
-spec level_ok(error | debug | notice) -> ok.
level_ok(Level) -> logger:log(Level, "x").

%% A server that logs and then crashes, and whose end is reported.
-spec server(integer()) -> integer().
server(X) -> serve(X - 31).
-spec server_ok(pos_integer()) -> integer().
server_ok(X) -> serve(X).

serve(X) -> {ok, P} = gen_server:start(?MODULE, 100, []), V = gen_server:call(P, X), gen_server:stop(P), V.
init(S) -> {ok, S}.
handle_call(X, _, S) -> ?LOG_NOTICE("request ~p", [X]), logger:error("of ~p", [S]), {reply, S div X, S}.
handle_cast(_, S) -> {noreply, S}.

%% Not every term is a message.
-spec no_format(term()) -> ok.
no_format(X) -> logger:error(X).
