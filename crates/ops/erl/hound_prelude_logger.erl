%% The modules logger and error_logger, in Erlang, with the default level and without handlers: what is logged goes nowhere.
-module(hound_prelude_logger).

-export([allow/2, log/2, log/3, log/4, macro_log/3, macro_log/4, macro_log/5]).
-export([emergency/1, emergency/2, emergency/3, alert/1, alert/2, alert/3, critical/1, critical/2, critical/3]).
-export([error/1, error/2, error/3, warning/1, warning/2, warning/3, notice/1, notice/2, notice/3]).
-export([info/1, info/2, info/3, debug/1, debug/2, debug/3]).
-export([report/1, report/2]).

allow(Level, Module) when is_atom(Module) ->
    less_or_equal_level(Level) andalso not is_quiet(Module);
allow(_, _) ->
    erlang:error(function_clause).

emergency(X) -> log(emergency, X).
emergency(X, Y) -> log(emergency, X, Y).
emergency(X, Y, Z) -> log(emergency, X, Y, Z).

alert(X) -> log(alert, X).
alert(X, Y) -> log(alert, X, Y).
alert(X, Y, Z) -> log(alert, X, Y, Z).

critical(X) -> log(critical, X).
critical(X, Y) -> log(critical, X, Y).
critical(X, Y, Z) -> log(critical, X, Y, Z).

error(X) -> log(error, X).
error(X, Y) -> log(error, X, Y).
error(X, Y, Z) -> log(error, X, Y, Z).

warning(X) -> log(warning, X).
warning(X, Y) -> log(warning, X, Y).
warning(X, Y, Z) -> log(warning, X, Y, Z).

notice(X) -> log(notice, X).
notice(X, Y) -> log(notice, X, Y).
notice(X, Y, Z) -> log(notice, X, Y, Z).

info(X) -> log(info, X).
info(X, Y) -> log(info, X, Y).
info(X, Y, Z) -> log(info, X, Y, Z).

debug(X) -> log(debug, X).
debug(X, Y) -> log(debug, X, Y).
debug(X, Y, Z) -> log(debug, X, Y, Z).

log(Level, Report) ->
    do_log(Level, Report, #{}).

log(Level, Report, Metadata) when is_map(Metadata), not is_function(Report) ->
    do_log(Level, Report, Metadata);
log(Level, FunOrFormat, Args) ->
    do_log(Level, {FunOrFormat, Args}, #{}).

log(Level, FunOrFormat, Args, Metadata) ->
    do_log(Level, {FunOrFormat, Args}, Metadata).

macro_log(Location, Level, Report) ->
    log_allowed(Location, Level, Report, #{}).

macro_log(Location, Level, Report, Metadata) when is_map(Metadata), not is_function(Report) ->
    log_allowed(Location, Level, Report, Metadata);
macro_log(Location, Level, FunOrFormat, Args) ->
    log_allowed(Location, Level, {FunOrFormat, Args}, #{}).

macro_log(Location, Level, FunOrFormat, Args, Metadata) ->
    log_allowed(Location, Level, {FunOrFormat, Args}, Metadata).

do_log(Level, Message, Metadata) ->
    case less_or_equal_level(Level) of
        true -> log_allowed(#{}, Level, Message, Metadata);
        false -> ok
    end.

%% The library's own processes make reports of each other, for which they only look at processes.
is_quiet(application_controller) -> true;
is_quiet(code) -> true;
is_quiet(gen_event) -> true;
is_quiet(gen_fsm) -> true;
is_quiet(gen_server) -> true;
is_quiet(gen_statem) -> true;
is_quiet(proc_lib) -> true;
is_quiet(supervisor) -> true;
is_quiet(supervisor_bridge) -> true;
is_quiet(_) -> false.

%% Compared with the level that the primary configuration has by default.
less_or_equal_level(emergency) -> true;
less_or_equal_level(alert) -> true;
less_or_equal_level(critical) -> true;
less_or_equal_level(error) -> true;
less_or_equal_level(warning) -> true;
less_or_equal_level(notice) -> true;
less_or_equal_level(info) -> false;
less_or_equal_level(debug) -> false;
less_or_equal_level(_) -> erlang:error(function_clause).

%% A fun is called for what is to be logged, and nothing that it raises is seen.
log_allowed(Location, Level, {Fun, Args} = Call, Metadata) when is_function(Fun, 1) ->
    try Fun(Args) of
        {Result, #{} = Added} -> log_result(Location, Level, Result, maps:merge(Metadata, Added), Call);
        Result -> log_result(Location, Level, Result, Metadata, Call)
    catch
        Class:Reason ->
            log_allowed(Location, Level, {"LAZY_FUN CRASH: ~tp; Reason: ~tp", [Call, {Class, Reason}]}, Metadata)
    end;
log_allowed(Location, Level, Message, Metadata) when is_map(Metadata) ->
    Leader = leader(maps:merge(Location, maps:merge(process_metadata(), Metadata))),
    _ = node(Leader),
    do_log_allowed(Level, Message);
log_allowed(_, _, _, _) ->
    erlang:error(function_clause).

log_result(Location, Level, Result, Metadata, Call) ->
    case Result of
        ignore ->
            ok;
        {Format, Args} when (is_list(Format) orelse is_binary(Format) orelse is_atom(Format)), is_list(Args) ->
            log_allowed(Location, Level, Result, Metadata);
        _ when is_map(Result); is_list(Result); is_binary(Result) ->
            log_allowed(Location, Level, Result, Metadata);
        Other ->
            log_allowed(Location, Level, {"LAZY_FUN ERROR: ~tp; Returned: ~tp", [Call, Other]}, Metadata)
    end.

leader(#{gl := Leader}) -> Leader;
leader(#{}) -> self().

process_metadata() ->
    case get('$logger_metadata$') of
        Metadata when is_map(Metadata) -> Metadata;
        _ -> #{}
    end.

do_log_allowed(Level, Message) ->
    _ = less_or_equal_level(Level),
    is_message(Message).

is_message({Format, Args}) when is_list(Format), is_list(Args) -> ok;
is_message({Format, Args}) when is_binary(Format), is_list(Args) -> ok;
is_message({Format, Args}) when is_atom(Format), is_list(Args) -> ok;
is_message(Report) when is_map(Report) -> ok;
is_message(Report) when is_list(Report) -> ok;
is_message(Report) when is_binary(Report) -> ok;
is_message(_) -> erlang:error(function_clause).

%% The reports and messages of error_logger, which takes any term for them.
report(_) -> ok.
report(_, _) -> ok.
