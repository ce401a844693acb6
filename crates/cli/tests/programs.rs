//! The corpus of programs with processes: each defect is found and confirmed, each program without one is proved.

mod support;

use serde_json::Value;
use support::{hound, top};

/// A function, its verdict, and the beginning of a finding that it must have.
type Row = (&'static str, &'static str, &'static str);

const ROWS: [Row; 88] = [
    ("secret_message/1", "crash", "error:{opened_by,675}"),
    ("secret_message_ok/1", "safe", ""),
    ("secret_reply/1", "crash", "error:badarith"),
    ("secret_reply_ok/1", "safe", ""),
    ("two_secrets/2", "crash", "error:opened"),
    ("two_secrets_ok/2", "safe", ""),
    ("fig_6_2/0", "safe", ""),
    ("fig_6_4/0", "safe", ""),
    ("fig_6_7/0", "crash", "error:positive"),
    ("fig_6_9/0", "crash", "error:one"),
    ("fig_6_11/0", "crash", "error:triggered"),
    ("ping_pong/1", "crash", "error:match_ball"),
    ("ping_pong_ok/1", "safe", ""),
    ("order_of_senders/0", "crash", "error:{badmatch,[2,1]}"),
    ("order_of_senders_ok/0", "safe", ""),
    ("order_and_value/1", "crash", "error:both"),
    ("order_and_value_ok/1", "safe", ""),
    ("overtaking/0", "crash", "error:overtaken"),
    ("overtaking_ok/0", "safe", ""),
    ("register_race/0", "crash", "error:badarg"),
    ("register_race_ok/0", "safe", ""),
    ("whereis_after_death/0", "crash", "error:badarg"),
    ("whereis_after_death_ok/0", "safe", ""),
    ("send_to_name/0", "crash", "error:badarg"),
    ("send_to_name_ok/0", "safe", ""),
    ("lost_update/0", "crash", "error:{badmatch,[{n,1}]}"),
    ("lost_update_ok/0", "safe", ""),
    ("check_then_act/0", "crash", "error:{badmatch,[{sold,2}]}"),
    ("check_then_act_ok/0", "safe", ""),
    ("counter/0", "crash", "error:{badmatch,1}"),
    ("counter_ok/0", "safe", ""),
    ("lazy_init/0", "crash", "error:badarg"),
    ("lazy_init_ok/0", "safe", ""),
    ("lock_order/0", "crash", "deadlock:"),
    ("lock_order_ok/0", "safe", ""),
    ("philosophers/0", "crash", "deadlock:"),
    ("philosophers_ok/0", "safe", ""),
    ("crossed_calls/0", "crash", "deadlock:"),
    ("crossed_calls_ok/0", "safe", ""),
    ("lost_reply/1", "crash", "deadlock:"),
    ("lost_reply_ok/1", "safe", ""),
    ("selective/1", "crash", "error:in_order"),
    ("selective_ok/1", "safe", ""),
    ("flushed/0", "crash", "error:left_over"),
    ("flushed_ok/0", "safe", ""),
    ("late_timeout/0", "crash", "error:timeout"),
    ("late_timeout_ok/0", "safe", ""),
    ("trapped/1", "crash", "error:seven"),
    ("trapped_ok/1", "safe", ""),
    ("linked_death/1", "crash", "exit:three"),
    ("linked_death_ok/1", "safe", ""),
    ("monitor_late/0", "crash", "error:too_late"),
    ("monitor_late_ok/0", "safe", ""),
    ("exit_reason/1", "crash", "error:eighteen"),
    ("exit_reason_ok/1", "safe", ""),
    ("server_request/1", "crash", "error:badarith"),
    ("server_request_ok/1", "safe", ""),
    ("server_state/1", "crash", "error:function_clause"),
    ("server_state_ok/1", "safe", ""),
    ("server_race/0", "crash", "error:{badmatch,1}"),
    ("server_race_ok/0", "safe", ""),
    ("server_cast/0", "crash", "error:{badmatch,5}"),
    ("server_cast_ok/0", "safe", ""),
    ("machine_sequence/1", "crash", "error:broken"),
    ("machine_sequence_ok/1", "safe", ""),
    ("machine_timeout/0", "crash", "error:{badmatch,closed}"),
    ("machine_timeout_ok/0", "safe", ""),
    ("restarted/0", "crash", "error:badarg"),
    ("restarted_ok/0", "safe", ""),
    ("too_many_restarts/0", "crash", "error:gave_up"),
    ("pool/0", "crash", "error:{badmatch,[w,w]}"),
    ("pool_ok/0", "safe", ""),
    ("pipeline/1", "crash", "error:{wrong,31}"),
    ("pipeline_ok/1", "safe", ""),
    ("fan_in/1", "crash", "error:backwards"),
    ("fan_in_ok/1", "safe", ""),
    ("unlinked_child/1", "crash", "error:{badmatch,false}"),
    ("unlinked_child_ok/1", "safe", ""),
    ("captured/1", "crash", "error:badarith"),
    ("captured_ok/1", "safe", ""),
    ("alias_late/0", "crash", "error:came"),
    ("alias_late_ok/0", "safe", ""),
    ("stop_twice/0", "crash", "exit:noproc"),
    ("stop_twice_ok/0", "safe", ""),
    ("heir/1", "crash", "error:{badmatch,false}"),
    ("heir_ok/1", "safe", ""),
    ("leaking/0", "safe", "leak:"),
    ("leaking_ok/0", "safe", ""),
];

/// Ends of processes: reasons that are inputs, exits that no process gets as a message.
const ENDS: [Row; 97] = [
    ("pids_mapped/1", "crash", "error:{badmatch,"),
    ("pids_mapped_ok/1", "safe", ""),
    ("refs_mapped_ok/0", "safe", ""),
    ("pids_sorted_ok/0", "safe", ""),
    ("pids_of_three_ok/0", "safe", ""),
    ("pids_rotated/0", "incomplete", ""),
    ("refs_rotated/0", "incomplete", ""),
    ("pids_keyed/0", "incomplete", ""),
    ("pids_of_five/0", "incomplete", ""),
    ("pool_of_three_ok/1", "safe", ""),
    ("deep_exit/0", "crash", "exit:deep"),
    ("deep_exit_ok/0", "safe", ""),
    ("no_time_gone/0", "crash", "error:struck"),
    ("no_time_gone_ok/0", "safe", ""),
    ("own_time/0", "crash", "error:struck"),
    ("own_time_ok/0", "safe", ""),
    ("own_time_through/0", "crash", "error:struck"),
    ("no_time/0", "crash", "error:struck"),
    ("no_time_ok/0", "safe", ""),
    ("no_times_ok/0", "safe", ""),
    ("zero_or_more/1", "crash", "error:{at_once,0}"),
    ("timer_server/0", "incomplete", ""),
    ("timer_server_ok/0", "safe", ""),
    ("trapped_twice/0", "crash", "error:ended"),
    ("trapped_twice_ok/0", "safe", ""),
    ("own_exit/1", "crash", "exit:oops"),
    ("own_exit_ok/1", "safe", ""),
    ("tagged_exit/1", "crash", "exit:{"),
    ("tagged_exit_ok/1", "safe", ""),
    ("signal/1", "crash", "exit:lived"),
    ("signal_ok/1", "safe", ""),
    ("killed/1", "crash", "error:{badmatch,none}"),
    ("killed_ok/1", "safe", ""),
    ("linked/1", "crash", "exit:0"),
    ("linked_ok/1", "safe", ""),
    ("trapped/1", "crash", "error:{badmatch,false}"),
    ("trapped_ok/1", "safe", ""),
    ("forgotten/0", "crash", "exit:oops"),
    ("forgotten_ok/0", "safe", ""),
    ("stopped/1", "crash", "exit:bad"),
    ("stopped_ok/1", "safe", ""),
    ("watcher_gone/0", "crash", "exit:oops"),
    ("watcher_gone_ok/0", "safe", ""),
    ("untrapped/0", "crash", "exit:oops"),
    ("untrapped_ok/0", "safe", ""),
    ("queue/0", "incomplete", ""),
    ("dictionary/0", "incomplete", ""),
    ("not_started/1", "crash", "error:{case_clause,"),
    ("not_started_ok/1", "safe", ""),
    ("grandchildren/0", "crash", "error:second_first"),
    ("name_of_input/1", "crash", "error:{badmatch,false}"),
    ("name_of_input_ok/1", "safe", ""),
    ("message_to_name/1", "crash", "error:hit"),
    ("message_to_name_ok/1", "safe", ""),
    ("taken_name/1", "crash", "error:badarg"),
    ("late_name/1", "crash", "error:there"),
    ("far_timeout/1", "crash", "error:timeout_value"),
    ("any_timeout/1", "crash", "error:timeout_value"),
    ("semaphore/0", "crash", "error:{badmatch,2}"),
    ("semaphore_ok/0", "safe", ""),
    ("third_party/0", "crash", "error:{badmatch,noproc}"),
    ("third_party_ok/0", "safe", ""),
    ("asked_by_third/0", "crash", "error:{badmatch,noproc}"),
    ("asked_by_third_ok/0", "safe", ""),
    ("linked_third_ok/0", "safe", ""),
    ("before_value/1", "crash", "exit:foo"),
    ("before_value_ok/1", "safe", ""),
    ("behind_signal/0", "crash", "error:{badmatch,2}"),
    ("behind_signal_ok/0", "safe", ""),
    ("exit_before_message_ok/0", "safe", ""),
    ("kill_before_look/0", "crash", "error:lived"),
    ("kill_before_look_ok/0", "safe", ""),
    ("foreign_monitor/0", "crash", "error:{badmatch,true}"),
    ("foreign_alias/0", "crash", "error:{badmatch,false}"),
    ("own_monitor_ok/0", "safe", ""),
    ("same_time/0", "crash", "error:{badmatch,2}"),
    ("same_time_wait/0", "crash", "error:came"),
    ("same_time_cancel/0", "crash", "deadlock"),
    ("same_time_sender/0", "crash", "error:came"),
    ("same_time_name/0", "crash", "error:came"),
    ("same_time_name_ok/0", "safe", ""),
    ("same_time_own_ok/0", "safe", ""),
    ("same_time_apart_ok/0", "safe", ""),
    ("pids_in_order/0", "incomplete", ""),
    ("refs_in_order/0", "incomplete", ""),
    ("pids_sorted/0", "incomplete", ""),
    ("pids_as_keys/0", "incomplete", ""),
    ("pids_in_a_table/0", "incomplete", ""),
    ("pids_hashed/0", "incomplete", ""),
    ("pids_linked/0", "incomplete", ""),
    ("pids_equal_ok/0", "safe", ""),
    ("keys_with_pids_ok/0", "safe", ""),
    ("own_alias/0", "incomplete", ""),
    ("own_alias_ok/0", "safe", ""),
    ("request_option/0", "crash", "error:badopt"),
    ("request_reply_ok/0", "safe", ""),
    ("no_request/0", "crash", "error:badarg"),
];

/// Milliseconds that a program may take, with room for a machine that is busy.
const LONGEST: u64 = 20_000;

fn explored() -> Vec<Value> {
    let files = [
        "programs",
        "programs_door",
        "programs_sup",
        "programs_ends",
        "programs_ticks",
        "programs_nodes",
        "programs_numbers",
    ];
    let paths = files.map(|file| top().join(format!("crates/cli/tests/processes/{file}.erl")).display().to_string());
    let mut words = vec!["explore", "--format", "json"];
    words.extend(paths.iter().map(String::as_str));
    hound(&words).functions().into_values().collect()
}

/// Programs that never come to rest.
const TICKS: [Row; 37] = [
    ("interval/0", "crash", "error:twenty"),
    ("interval_ok/0", "safe", ""),
    ("beside_counting/1", "crash", "error:bad"),
    ("beside_ticks/0", "crash", "error:bad"),
    ("beside_ticks_ok/0", "safe", ""),
    ("beside_interval/0", "crash", "error:bad"),
    ("beside_ball/0", "crash", "error:bad"),
    ("beside_names/0", "crash", "error:bad"),
    ("ticking/1", "crash", "error:seven"),
    ("ticking_ok/1", "safe", ""),
    ("server/0", "crash", "error:four"),
    ("server_ok/0", "safe", ""),
    ("far/0", "crash", "error:far"),
    ("far_ok/0", "safe", ""),
    ("clock/0", "crash", "error:late"),
    ("kept/0", "crash", "error:kept"),
    ("kept_ok/0", "safe", ""),
    ("row/0", "crash", "error:{badmatch,false}"),
    ("row_ok/0", "safe", ""),
    ("counter/0", "crash", "error:{badmatch,false}"),
    ("counter_ok/0", "safe", ""),
    ("workers/0", "crash", "error:second_first"),
    ("workers_ok/0", "safe", ""),
    ("input/1", "crash", "error:equal"),
    ("input_ok/1", "safe", ""),
    ("inbox/0", "crash", "error:{badmatch,false}"),
    ("inbox_ok/0", "safe", ""),
    ("two/0", "crash", "error:twice"),
    ("two_ok/0", "safe", ""),
    ("asked/0", "crash", "error:{badmatch,false}"),
    ("float/0", "crash", "error:far"),
    ("named/0", "crash", "error:last"),
    ("named_ok/0", "safe", ""),
    ("references_ok/0", "safe", ""),
    ("polling_ok/0", "safe", ""),
    ("polling_server/1", "crash", "error:bad"),
    ("polling_server_ok/1", "safe", ""),
];

/// Calls on the own node, and groups of processes.
const NODES: [Row; 20] = [
    ("far/0", "incomplete", ""),
    ("far_call/0", "incomplete", ""),
    ("timeout/0", "safe", ""),
    ("bad/0", "safe", ""),
    ("members/1", "crash", "exit:three"),
    ("two/0", "crash", "error:{badmatch,1}"),
    ("cast/0", "safe", ""),
    ("several/0", "safe", ""),
    ("gone/0", "crash", "error:{badmatch,["),
    ("gone_ok/0", "safe", ""),
    ("raised/0", "safe", ""),
    ("divided/1", "crash", "error:badarith"),
    ("requested/0", "safe", ""),
    ("groups/0", "safe", ""),
    ("watched/0", "safe", ""),
    ("mapped/1", "crash", "exit:badrpc"),
    ("mapped_ok/1", "safe", ""),
    ("inverse/2", "crash", "error:badarith"),
    ("collected/0", "crash", "error:{badmatch,false}"),
    ("collected_ok/1", "safe", ""),
];

/// Numbers that are others in every run.
const NUMBERS: [Row; 21] = [
    ("labels/0", "crash", "error:{badmatch,["),
    ("labels_ok/0", "safe", ""),
    ("distinct_ok/0", "safe", ""),
    ("rising_ok/0", "safe", ""),
    ("rising/0", "incomplete", ""),
    ("even/0", "incomplete", ""),
    ("guessed/1", "incomplete", ""),
    ("named/0", "incomplete", ""),
    ("returned_ok/0", "safe", ""),
    ("schedulers_ok/1", "safe", ""),
    ("two_schedulers/0", "incomplete", ""),
    ("chunks_ok/1", "safe", ""),
    ("chunks/1", "crash", "error:sixteen"),
    ("any_number/0", "incomplete", ""),
    ("split_ok/1", "safe", ""),
    ("processes/0", "incomplete", ""),
    ("hashed_ok/1", "safe", ""),
    ("hashed/1", "incomplete", ""),
    ("as_keys_ok/0", "safe", ""),
    ("in_a_table_ok/1", "safe", ""),
    ("in_a_table/1", "crash", "error:{badmatch,false}"),
];

#[test]
fn defects_are_found_and_their_absence_is_proved() {
    let all = explored();
    let mut wrong = Vec::new();
    let rows = ROWS.map(|row| ("programs", row)).into_iter().chain(ENDS.map(|row| ("programs_ends", row)));
    let rows = rows.chain(TICKS.map(|row| ("programs_ticks", row)));
    let rows = rows.chain(NODES.map(|row| ("programs_nodes", row)));
    let rows = rows.chain(NUMBERS.map(|row| ("programs_numbers", row)));
    for (module, (function, verdict, finding)) in rows {
        let name = format!("{module}:{function}");
        let Some(line) = all.iter().find(|line| line["function"] == name.as_str()) else {
            wrong.push(format!("{function}: not explored"));
            continue;
        };
        let findings = line["findings"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let shown: Vec<String> =
            findings.iter().map(|it| format!("{}:{}", text(&it["class"]), text(&it["reason"]))).collect();
        let is_found = finding.is_empty() && shown.is_empty() || shown.iter().any(|it| it.starts_with(finding));
        let is_replayed = findings.iter().all(|it| it["schedule"].is_null() || it["schedule"]["replayed"] == true);
        let is_confirmed = is_replayed && line["unconfirmed"].as_array().is_some_and(Vec::is_empty);
        let is_quick = line["stats"]["wall_ms"].as_u64().is_some_and(|taken| taken < LONGEST);
        if line["verdict"] != verdict || !is_found || !is_confirmed || !is_quick {
            let (got, reasons, unconfirmed) = (&line["verdict"], &line["reasons"], &line["unconfirmed"]);
            wrong.push(format!("{function}: {got} {shown:?} {reasons} {unconfirmed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The schedule of a finding is one that both engines follow.
#[test]
fn a_finding_is_replayed_from_its_json() {
    let rows = [
        ("programs", "order_of_senders", "no match of right hand side value [2,1]"),
        // The exploration has seen the other grandchild first.
        ("programs_ends", "grandchildren", "exception error: second_first"),
    ];
    let folder = support::folder("programs_json");
    for (module, function, shown) in rows {
        let path = top().join(format!("crates/cli/tests/processes/{module}.erl")).display().to_string();
        let json = hound(&["explore", "--format", "json", &path, &format!("{module}:{function}/0")]).out;
        let file = support::file(&folder, "finding.json", &json);
        for engine in ["machine", "beam"] {
            let call = format!("{module}:{function}()");
            let ran = hound(&["run", "--schedule", &file, "--engine", engine, &path, &call]);
            assert!(ran.out.contains(shown), "{engine}: {}{}", ran.out, ran.err);
        }
    }
}
