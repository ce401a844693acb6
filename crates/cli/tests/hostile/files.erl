%% Writes, changes and reads files by every module that can. ?F is a folder with the files `victim` and `secret`.
-module(files).
-compile(export_all).
-compile(nowarn_export_all).

-define(NEW, ?F ++ "/new").
-define(VICTIM, ?F ++ "/victim").
-define(SECRET, ?F ++ "/secret").

write() -> file:write_file(?NEW, "x").
write_raw() -> {ok, D} = file:open(?NEW, [write, raw]), file:write(D, "x").
append() -> file:write_file(?VICTIM, "x", [append]).
delete() -> file:delete(?VICTIM).
delete_raw() -> file:delete(?VICTIM, [raw]).
rename() -> file:rename(?VICTIM, ?NEW).
make_dir() -> file:make_dir(?NEW).
ensure_dir() -> filelib:ensure_dir(?NEW ++ "/x/y").
link() -> file:make_link(?VICTIM, ?NEW).
symlink() -> file:make_symlink("/etc/passwd", ?NEW).
mode() -> file:change_mode(?VICTIM, 8#777).
times() -> file:change_time(?VICTIM, {{2001, 1, 1}, {0, 0, 0}}).
owner() -> file:change_owner(?VICTIM, 1, 1).
info() -> file:write_file_info(?VICTIM, {file_info, 0, regular, read_write, undefined, undefined, undefined, 8#777, 1, 0, 0, 0, 0, 0}).
copy() -> file:copy(?VICTIM, ?NEW).
truncate() -> {ok, D} = file:open(?VICTIM, [read, write]), file:truncate(D).
prim() -> prim_file:write_file(?NEW, <<"x">>).
prim_delete() -> prim_file:delete(?VICTIM).
del_dir_r() -> file:del_dir_r(?F).
ram() -> {ok, D} = ram_file:open(<<"x">>, [read, write]), ram_file:uuencode(D), file:write_file(?NEW, "x").
disk_log() -> disk_log:open([{name, hostile_log}, {file, ?NEW}]), disk_log:log(hostile_log, x), disk_log:close(hostile_log).
dets() -> {ok, T} = dets:open_file(hostile_table, [{file, ?NEW}]), dets:insert(T, {a, 1}), dets:close(T).
ets_file() -> T = ets:new(t, [public]), ets:insert(T, {a, 1}), ets:tab2file(T, ?NEW).
tar() -> erl_tar:create(?NEW, [{"x", <<"x">>}]).
zip() -> zip:zip(?NEW, [{"x", <<"x">>}]).
zip_read() -> zip:zip(memory, [?SECRET], [memory]).
log_to_file() -> logger:add_handler(hostile, logger_std_h, #{config => #{file => ?NEW}}), logger:error("x").
error_log() -> error_logger:logfile({open, ?NEW}), error_logger:error_msg("x").
dump() -> erlang:halt("a dump").
crash_dump() -> os:putenv("ERL_CRASH_DUMP", ?NEW), erlang:halt("a dump").
trace_file() -> dbg:tracer(port, dbg:trace_port(file, ?NEW)), dbg:p(self(), c).
compile_to() -> compile:file(?F ++ "/other", [{outdir, ?F}]).
yecc() -> yecc:file(?F ++ "/other.yrl", [{parserfile, ?NEW}]).
escript() -> escript:create(?NEW, [shebang, {source, <<"main(_) -> ok.">>}]).
beam_write() -> beam_lib:strip_files([?F ++ "/other.beam"]).
systools() -> systools:make_script("other", [{path, [?F]}, {outdir, ?F}]).
read() -> file:read_file(?SECRET).
read_lines() -> {ok, D} = file:open(?SECRET, [read]), io:get_line(D, "").
consult() -> file:consult(?SECRET).
script() -> file:script(?SECRET).
loader() -> erl_prim_loader:get_file(?SECRET).
list_dir() -> file:list_dir(?F).
wildcard() -> filelib:wildcard(?F ++ "/*").
fold() -> filelib:fold_files(?F, ".*", true, fun(N, A) -> [N | A] end, []).
include() -> epp:parse_file(?SECRET, []).
environment() -> {os:getenv("HOSTILE_TOKEN"), os:getenv()}.
process_environment() -> file:read_file("/proc/self/environ").
parent_environment() -> [file:read_file(D ++ "/environ") || D <- filelib:wildcard("/proc/[0-9]*")].
home() -> file:list_dir(os:getenv("HOME", "/root")).
sendfile() -> {ok, D} = file:open(?SECRET, [read, raw]), file:sendfile(D, D).
keystore() -> public_key:cacerts_load(?SECRET).
