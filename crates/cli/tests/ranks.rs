//! Ranks of findings: what is a bug, what is doubtful, what was raised on purpose, and what the command makes of it.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{Ran, file, folder, hound, succeed};

/// Functions, each with the rank of the one finding that it has, or of several in order.
const RANKED: &str = r#"
-module(ranked).
-compile([export_all, nowarn_export_all, nowarn_unused_vars]).
-export_type([gate/0]).
-record(frame, {depth, name}).

%% doubtful: a question of kind about what may be anything
-spec any(any()) -> any().
any(X) -> X + 1.

%% bug: arithmetic on what the spec says
-spec number(integer()) -> float().
number(N) -> 10 / (N - 3).

%% doubtful: an atom that the program does not know
-spec dispatch(atom(), integer()) -> integer().
dispatch(add, N) -> N + 1;
dispatch(sub, N) -> N - 1.

%% bug: an atom that the spec names
-spec chosen(add | sub | mul, integer()) -> integer().
chosen(add, N) -> N + 1;
chosen(sub, N) -> N - 1.

%% bug: an empty list
-spec first([integer()]) -> integer().
first(L) -> hd(L).

%% doubtful: the end of an improper list
-spec count(iolist()) -> integer().
count([]) -> 0;
count([_ | T]) -> 1 + count(T).

%% doubtful: what a fun gives
-spec wild(fun(() -> any()), integer()) -> number().
wild(F, N) -> F() + N.

%% bug: what a fun gives, as its type says
-spec tame(fun(() -> integer()), integer()) -> integer().
tame(F, N) -> N div F().

%% bug: a value that the program made
-spec keyed(any(), [{any(), integer()}]) -> integer().
keyed(K, L) -> {_, V} = lists:keyfind(K, 1, L), V.

%% doubtful: a key that no type promises
-spec option(map()) -> any().
option(M) -> maps:get(timeout, M).

%% bug: a key that the type leaves out
-spec typed_option(#{timeout => integer()}) -> any().
typed_option(M) -> maps:get(timeout, M).

%% bug bug: two causes in one place
-spec twice(integer(), integer()) -> integer().
twice(A, B) -> positive(A) + positive(B).
positive(N) when N >= 0 -> N.

%% bug bug: two causes in one place, by calls that leave no trace
-spec apart(integer()) -> integer().
apart(N) when N < 0 -> broken(N);
apart(N) when N > 100 -> broken(N);
apart(N) -> N.
broken(N) -> element(N, {}).

%% bug: one cause, however many rounds of a loop
-spec rounds([integer()]) -> ok.
rounds([]) -> ok;
rounds([3 | T]) -> rounds(T);
rounds([N | T]) when N > 0 -> rounds(T).

%% doubtful bug: nothing hides behind the kind of another part
-spec both(any(), integer()) -> any().
both(X, N) -> case {X, N} of {a, 1} -> ok; {b, M} when M > 0 -> ok end.

%% bug: what may be anything decides on the branch only
-spec branch(any(), integer()) -> any().
branch(X, N) when is_list(X) -> N;
branch(_, N) -> 1 div N.

%% bug: the branch for the rest crashes by itself
-spec rest(any()) -> any().
rest({_, _}) -> ok;
rest(_) -> hd([]).

%% declared: a reason of its own
-spec own(integer()) -> ok.
own(7) -> error({no_seven, 7});
own(_) -> ok.

%% declared: a check of arguments
-spec checked(integer()) -> ok.
checked(N) when N > 3 -> error(badarg);
checked(_) -> ok.

%% declared: a helper that raises
-spec thrown(0..9) -> ok.
thrown(N) when N > 3 -> fail(N);
thrown(_) -> ok.
-spec fail(integer()) -> no_return().
fail(N) -> throw({bad, N}).

%% bug: an assertion
-spec asserted(integer()) -> ok.
asserted(N) -> N =/= 5 orelse error({assert, [{module, ?MODULE}, {line, ?LINE}, {value, false}]}), ok.

%% bug: the library raises on a value of the spec
-spec text(binary()) -> integer().
text(B) -> binary_to_integer(B).

%% doubtful: without a spec
unspecified({a, X}) -> X * 2;
unspecified(b) -> ok.

%% bug: without a spec, on a value of the right kind
divided(N) -> 10 div N.

%% bug: without a spec, an empty list is a list
unspecified_first(L) -> hd(L).

%% doubtful: a module that an input names
-spec named(module()) -> any().
named(M) -> M:start().

%% doubtful: a server that nothing has started
served() -> gen_server:call(my_server, get).

%% bug: numbers within reason, before those that are too large for a float
-spec ratio(integer()) -> float().
ratio(N) -> 1 / N.

%% doubtful: a table that another part of the program makes
-spec stored(integer()) -> any().
stored(K) -> ets:lookup(a_table_of_another, K).

%% doubtful: a value of a part that may be anything
-spec handed(any()) -> integer().
handed(X) when is_atom(X) -> X;
handed(_) -> 0.

%% bug: a value that the spec does not have
-spec given(integer()) -> atom().
given(N) -> N.

%% doubtful: the library goes through a list that does not end
-spec reversed({any(), any()}) -> any().
reversed({[_, _ | _] = L, _}) -> lists:reverse(L);
reversed(_) -> ok.

%% doubtful: half a surrogate pair
-spec encoded([char()]) -> any().
encoded(L) -> true = is_binary(unicode:characters_to_binary(L)).

%% doubtful: a value that only half a surrogate pair makes
-spec text_of([char()]) -> {ok, binary()}.
text_of(L) -> {ok, unicode:characters_to_binary(L)}.

-opaque gate() :: #{open => fun((integer()) -> boolean())}.

%% doubtful: a value that no call makes
-spec opened(gate()) -> boolean().
opened(#{open := F}) -> F(1).

%% doubtful: a field of a record that no spec narrows
indented(#frame{depth = D}) -> binary:copy(<<" ">>, D).

%% doubtful bug: a negative byte, which hides no character that is none
printed(L) -> iolist_to_binary(L).

%% bug bug: one cause for each part of a text, whatever stands before
-spec month(binary()) -> integer().
month(<<"Jan ", Rest/binary>>) -> year(Rest);
month(<<"Feb ", Rest/binary>>) -> year(Rest);
month(<<"Mar ", Rest/binary>>) -> year(Rest).
year(<<Year:16>>) -> Year.

%% declared declared bug: what is raised on purpose for one text is for others, but not for another argument
-spec digits(string(), integer()) -> integer().
digits([], N) -> list_to_integer(integer_to_list(N) ++ "x");
digits([$- | _], _) -> error(badarg);
digits(L, _) -> list_to_integer(L).

%% doubtful: whatever is asked about the end of an improper list
-spec ended(iolist()) -> ok.
ended([_ | T]) when is_binary(T) -> (fun(<<>>) -> ok end)(T);
ended(_) -> ok.

%% doubtful: a process that nothing has started
-spec watched(string()) -> any().
watched(L) when length(L) > 4 -> is_pid(list_to_pid(L));
watched(_) -> ok.

%% doubtful doubtful bug: a negative byte in a list of which no spec says what is in it
sent(L) when is_list(L) -> iolist_size(L);
sent(B) -> byte_size(B).

%% doubtful doubtful doubtful: what is in a tuple that only the program makes
traced({call, N}) -> atom_to_list(N);
traced({return, N, _}) -> lists:nth(N, [a, b]).

%% doubtful: a year too far before all dates
-spec dated(integer()) -> 28..29.
dated(N) -> calendar:last_day_of_the_month(N + 68719476736, 2).

%% doubtful: no day, although it is of the library's own type
-spec later(calendar:date(), 1..28) -> integer().
later(Date, Days) -> calendar:date_to_gregorian_days(Date) + Days.

%% doubtful: how many elements a tuple has
-spec third({integer(), tuple()}) -> any().
third({_, T}) -> element(3, T).

%% doubtful: a process that another part of the program starts
-spec notified(integer()) -> ok.
notified(N) -> my_server ! N, ok.

%% bug: a process that gets its name too late
-spec announced(integer()) -> integer().
announced(N) ->
    S = self(),
    spawn(fun() -> S ! ready, register(late_server, self()), receive M -> S ! M end end),
    receive ready -> late_server ! N end,
    receive M -> M end.

%% bug: a table that is made too late
-spec looked_up(integer()) -> list().
looked_up(N) ->
    S = self(),
    P = spawn(fun() -> S ! ready, ets:new(late_table, [named_table]), receive stop -> ok end end),
    L = receive ready -> ets:lookup(late_table, N) end,
    P ! stop,
    L.

%% doubtful: a float where the code wants integers, in a map
scaled(#{coef := C, exp := E}) when is_number(E), E < 0 -> {binary:copy(<<"0">>, -E), C}.

%% doubtful: no byte, in what may be anything
-spec sealed({any()}) -> binary().
sealed({X}) when is_integer(X), X >= 0 -> iolist_to_binary([X]);
sealed(_) -> <<>>.

%% doubtful: what an operation is handed as it is, from a map with any keys
-spec drained(map()) -> any().
drained(#{stream := Z}) -> zlib:inflateReset(Z);
drained(_) -> ok.

%% doubtful: atoms that are too long for the VM
-spec tagged([$a..$z]) -> atom().
tagged(L) when length(L) > 255, hd(L) =:= $a -> list_to_atom(L);
tagged(_) -> none.

%% doubtful: a negative time, without a spec
delayed(N) -> erlang:send_after(N, self(), tick).

%% doubtful: no character, in a list that is asked about further on
-spec lowered([any()]) -> binary().
lowered([X]) when is_integer(X) -> (fun(B) when is_binary(B) -> B end)(unicode:characters_to_binary([X]));
lowered(_) -> <<>>.

%% doubtful: what no solver sees into is handed a list of anything
-spec spelled(list()) -> boolean().
spelled(L) -> is_binary(unicode:characters_to_binary(L, utf8)).

%% bug: arithmetic on what the program itself made, without a spec
signed({number, [$- | L]}) -> -unsigned(L);
signed({number, L}) -> unsigned(L).
unsigned([C | _]) when C >= $0, C =< $9 -> C - $0;
unsigned(_) -> none.

%% doubtful: only numbers beyond all floats
-spec half(integer()) -> float().
half(N) -> N / 2.
"#;

/// The findings of each function, in order.
fn ranks(ran: &Ran, function: &str) -> Vec<(String, String)> {
    let functions = ran.functions();
    let named = functions.iter().find(|(name, _)| name.contains(&format!(":{function}/")));
    let line = named.unwrap_or_else(|| panic!("{function} was not explored: {}", ran.err)).1;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = line["findings"].as_array().cloned().unwrap_or_default();
    findings
        .iter()
        .map(|it| (text(&it["rank"]), format!("{}: {}", text(&it["call"]), text(&it["rank_reason"]))))
        .collect()
}

/// The ranks in the comment before each function.
fn expected(text: &str) -> Vec<(String, Vec<String>)> {
    let mut expected = Vec::new();
    let mut ranks: Option<Vec<String>> = None;
    for line in text.lines() {
        if let Some((words, _)) = line.strip_prefix("%% ").and_then(|comment| comment.split_once(':')) {
            ranks = Some(words.split(' ').map(str::to_owned).collect());
        } else if let (Some(name), false) = (line.split('(').next(), line.starts_with(['-', ' ']) || line.is_empty())
            && let Some(ranks) = ranks.take()
        {
            expected.push((name.to_owned(), ranks));
        }
    }
    expected
}

#[test]
fn findings_have_the_ranks_that_the_program_says() {
    let path = file(&folder("ranks_ranked"), "ranked.erl", RANKED);
    let ran = hound(&["explore", "--format", "json", "--runs", "300", &path]);
    let expected = expected(RANKED);
    assert!(expected.len() > 25, "{expected:?}");
    let mut wrong = Vec::new();
    for (function, expected) in expected {
        let found = ranks(&ran, &function);
        let mut ranks: Vec<&str> = found.iter().map(|(rank, _)| rank.as_str()).collect();
        let mut wanted: Vec<&str> = expected.iter().map(String::as_str).collect();
        ranks.sort_unstable();
        wanted.sort_unstable();
        if ranks != wanted {
            wrong.push(format!("{function}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const THREE: &str = "
-module(three).
-export([bug/1, doubtful/1, declared/1, long/1]).
-spec bug(integer()) -> integer().
bug(N) -> 10 div N.
-spec doubtful(any()) -> number().
doubtful(X) -> X + 1.
-spec declared(integer()) -> ok.
declared(7) -> error(seven);
declared(_) -> ok.
-spec long([0..3]) -> ok.
long([]) -> ok;
long([X | T]) when X > 1 -> long(T);
long([_ | T]) -> long(T).
";

#[test]
fn bugs_are_shown_in_full_and_others_in_a_line() {
    let path = file(&folder("ranks_shown"), "three.erl", THREE);
    let ran = hound(&["explore", "--runs", "20", &path]);
    for text in [
        "three.erl:5:14 in three:bug/1\n",
        "= call: three:bug(0)\n",
        "three.erl:5:14: error: badarith in three:bug/1\n",
        "= rank: bug, the spec allows these inputs\n",
        "three.erl:7:18: error: badarith in three:doubtful/1 (doubtful: the spec has any() for argument 1; 1 path)\n",
        "three.erl:9:16: error: seven in three:declared/1 (declared: three:declared/1 raises it on purpose; 1 path)\n",
        "3 findings (1 bug, 1 doubtful, 1 declared); 3 crash, 0 safe, 1 incomplete\n",
        "2 findings shown in short; --all shows all in full\n",
    ] {
        assert!(ran.out.contains(text), "no {text:?} in\n{}", ran.out);
    }
    assert!(!ran.out.contains("three:declared(7)"), "{}", ran.out);
    let ran = hound(&["explore", "--all", "--runs", "20", &path]);
    for text in ["= call: three:declared(7)\n", "= rank: declared, three:declared/1 raises it on purpose\n"] {
        assert!(ran.out.contains(text), "no {text:?} in\n{}", ran.out);
    }
    assert!(!ran.out.contains("--all"), "{}", ran.out);
}

#[test]
fn the_exit_code_is_about_bugs_unless_the_user_says_otherwise() {
    let path = file(&folder("ranks_codes"), "three.erl", THREE);
    for (function, codes) in [("bug/1", [1, 1, 1, 1]), ("doubtful/1", [0, 1, 1, 1]), ("declared/1", [0, 0, 1, 1])] {
        let code = |what: &str| hound(&["explore", "--fail-on", what, &path, function]).code;
        assert_eq!(["bug", "doubtful", "any", "incomplete"].map(code), codes, "{function}");
        assert_eq!(hound(&["explore", &path, function]).code, codes[0], "{function}");
    }
    let code = |what: &str| hound(&["explore", "--runs", "20", "--fail-on", what, &path, "long/1"]).code;
    assert_eq!(["bug", "any", "incomplete"].map(code), [0, 0, 1]);
}

#[test]
fn a_missing_module_is_one_warning() {
    let text = "-module(needs).\n-export([f/1, g/1, h/1]).\n-spec f(integer()) -> any().\nf(X) -> nowhere:decode(X).\n\
                -spec g(integer()) -> any().\ng(X) -> {ok, nowhere:encode(X)}.\n\
                -spec h(integer()) -> any().\nh(X) -> lists:nosuch(X).\n";
    let path = file(&folder("ranks_missing"), "needs.erl", text);
    let ran = hound(&["explore", &path]);
    assert_eq!(ran.err.matches("the module nowhere is not there").count(), 1, "{}", ran.err);
    assert!(
        ran.out.contains("needs:h/1: error: undef") || ran.out.contains("error: undef in needs:h/1"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("1 finding (1 bug); 1 crash, 0 safe, 2 incomplete"), "{}", ran.out);
    let json = hound(&["explore", "--format", "json", &path, "f/1"]);
    assert!(json.out.contains("\"code\":\"missing-module\""), "{}", json.out);
}

#[test]
fn one_crash_through_many_functions_is_one_finding() {
    let text = "-module(shared).\n-export([f/1, g/1, h/1]).\n\
                -spec f(integer()) -> integer().\nf(N) -> 1 + part(N).\n\
                -spec g(integer()) -> integer().\ng(N) -> 2 + part(N + 1).\n\
                -spec h(integer()) -> integer().\nh(N) -> 3 div N.\n\
                part(N) -> 100 div N.\n";
    let path = file(&folder("ranks_shared"), "shared.erl", text);
    let ran = hound(&["explore", &path]);
    for text in [
        "shared.erl:9:16 in shared:f/1\n",
        "= call: shared:f(0)\n",
        "shared.erl:9:16: error: badarith in shared:g/1 (bug, as in shared:f/1): shared:g(-1)\n",
        "shared.erl:8:11: error: badarith in shared:h/1\n",
        "shared.erl:9:16: error: badarith through shared:f/1, shared:g/1\n",
        "2 findings (2 bugs); 3 crash",
    ] {
        assert!(ran.out.contains(text), "no {text:?} in\n{}", ran.out);
    }
    let functions = hound(&["explore", "--format", "json", &path]).functions();
    let same = |function: &str| functions[function]["findings"][0]["same_as"].clone();
    assert_eq!([same("shared:f/1"), same("shared:g/1")], [Value::Null, Value::from("shared:f/1")]);
    assert_eq!(functions["shared:g/1"]["findings"][0]["call"], "shared:g(-1)");
}

/// The junk comes first; what it hides on the same line is a bug all the same.
#[test]
fn a_junk_witness_hides_no_bug() {
    let text = "-module(hidden).\n-export([f/1, g/1, h/2]).\n\
                f(L) -> hd(L).\n\
                g(C) -> digit(C).\n\
                digit(C) when C >= $0, C =< $9 -> C - $0.\n\
                -spec h(any(), [integer()]) -> integer().\n\
                h(X, L) -> sum([X | L]).\n\
                sum([N | T]) when is_integer(N), N < 10 -> N + sum(T);\n\
                sum([]) -> 0.\n";
    let path = file(&folder("ranks_hidden"), "hidden.erl", text);
    let ran = hound(&["explore", "--format", "json", &path, "f/1", "g/1", "h/2"]);
    for (function, call) in [("f", "hidden:f([])"), ("h", "hidden:h(0, \"\\n\")")] {
        let found = ranks(&ran, function);
        assert!(found.iter().any(|(rank, it)| rank == "bug" && it.starts_with(call)), "{function}: {found:?}");
    }
    let found = ranks(&ran, "g");
    assert!(found.iter().any(|(rank, _)| rank == "bug"), "{found:?}");
}

#[test]
fn exceptions_of_elixir_are_raised_on_purpose_and_its_compilers_are_not() {
    let text = r#"
defmodule Ranked do
  @spec raised(integer()) :: :ok
  def raised(7), do: raise(ArgumentError, "seven")
  def raised(_), do: :ok

  @spec field(%{optional(:a) => integer()}) :: integer()
  def field(map), do: map.a

  @spec fetch!(%{optional(:a) => integer()}) :: integer()
  def fetch!(map), do: Map.fetch!(map, :a)

  @spec broken!(integer()) :: integer()
  def broken!(n), do: div(1, n)

  @spec fetched(%{optional(:a) => integer()}) :: integer()
  def fetched(map), do: Map.fetch!(map, :a)

  @spec matched([integer()]) :: integer()
  def matched(list) do
    [first | _] = list
    first
  end

  @spec shown(any()) :: String.t()
  def shown(thing), do: "a #{thing}"

  @doc false
  def hidden([first | _]), do: 1 / first

  @doc "The same for everyone."
  def public([first | _]), do: 1 / first
end
"#;
    let folder = folder("ranks_elixir");
    file(&folder, "ranked.ex", text);
    succeed("elixirc", &["ranked.ex"], &folder);
    let ran = hound(&["explore", "--format", "json", "--runs", "200", &folder.display().to_string()]);
    let expected = [
        ("raised", "declared"),
        ("field", "bug"),
        ("'fetch!'", "declared"),
        ("'broken!'", "bug"),
        ("fetched", "bug"),
        ("matched", "bug"),
        ("shown", "doubtful"),
        ("hidden", "doubtful"),
    ];
    for (function, rank) in expected {
        let found = ranks(&ran, function);
        assert!(found.iter().all(|(found, _)| found == rank) && !found.is_empty(), "{function}: {found:?}");
    }
    assert!(ranks(&ran, "public").iter().any(|(rank, _)| rank == "bug"));
    assert!(Path::new(&folder).exists());
}

/// Values that only a search makes: each has a twin that its author wants to hear of.
#[test]
fn handles_module_names_and_kinds_that_no_spec_has_are_doubtful() {
    let text = "-module(odd).\n-export([wait/1, made/1, call/2, known/1, small/1, divided/1, listed/1, counted/1, bytes/1, chars/1, \
                later/1, soon/1, run/1]).\n\
                -spec wait(reference()) -> any().\nwait(R) -> {ok, atomics:get(R, 1)}.\n\
                -spec made(0..3) -> integer().\nmade(N) -> atomics:get(atomics:new(2, []), N).\n\
                -spec call(module(), integer()) -> any().\ncall(M, N) -> {ok, M:run(N, 2)}.\n\
                -spec known(odd | lists) -> any().\nknown(M) -> {ok, M:run(1)}.\n\
                run(7) -> ok.\n\
                small(N) when N < 100 -> <<(N - 1):8>>;\nsmall(_) -> ok.\n\
                divided(N) -> 10 / (N - 3.0).\n\
                listed([_ | T]) -> length(T);\nlisted([]) -> 0.\n\
                counted([_, _ | T]) -> 10 div (length(T) - 1);\ncounted(_) -> 0.\n\
                -spec bytes(#{text => any()}) -> binary().\nbytes(#{text := T}) -> iolist_to_binary([T]);\nbytes(_) -> <<>>.\n\
                -spec chars(string()) -> binary().\nchars(T) -> list_to_binary(T).\n\
                -spec later(non_neg_integer()) -> reference().\nlater(N) -> erlang:start_timer(N, self(), late).\n\
                -spec soon(-1..9) -> reference().\nsoon(N) -> erlang:start_timer(N, self(), soon).\n";
    let path = file(&folder("ranks_odd"), "odd.erl", text);
    let functions = [
        ("wait/1", "doubtful"),
        ("made/1", "bug"),
        ("known/1", "bug"),
        ("small/1", "doubtful"),
        ("divided/1", "bug"),
        ("listed/1", "doubtful"),
        ("counted/1", "bug"),
        ("chars/1", "bug"),
        ("later/1", "doubtful"),
        ("soon/1", "bug"),
    ];
    let names: Vec<&str> = functions.iter().map(|(name, _)| *name).chain(["call/2", "bytes/1"]).collect();
    let ran = hound(&[&["explore", "--format", "json", "--no-store", "--runs", "500", &path], &names[..]].concat());
    let wrong = functions.iter().filter(|(name, rank)| {
        let found = ranks(&ran, name.split('/').next().unwrap_or_default());
        let has = |wanted: &str| found.iter().any(|(rank, _)| rank == wanted);
        !has(rank) || *rank == "doubtful" && has("bug")
    });
    let wrong: Vec<_> =
        wrong.map(|(name, rank)| (name, rank, ranks(&ran, name.split('/').next().unwrap_or_default()))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let of_names = ranks(&ran, "call");
    assert!(!of_names.is_empty() && of_names.iter().all(|(rank, _)| rank == "doubtful"), "{of_names:?}");
    // A number above all bytes may be a character.
    let of_bytes = ranks(&ran, "bytes");
    assert!(of_bytes.iter().all(|(rank, call)| rank == "doubtful" || !call.contains("=> -")), "{of_bytes:?}");
}
