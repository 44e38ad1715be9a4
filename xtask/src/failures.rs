//! `failures`: the table of what happens when a part of several nodes fails, each row tried with real processes.

use crate::failure::{Failure, Outcome};
use crate::{journeys, nodes};
use std::process::{Output, Stdio};

/// A row: what fails, what has to hold, and the tests that show it.
struct Row {
    fails: &'static str,
    holds: &'static str,
    tests: &'static [&'static str],
}

macro_rules! rows {
    ($($fails:literal: $holds:literal, [$($test:literal),*];)*) => {
        [$(Row { fails: $fails, holds: $holds, tests: &[$(concat!("journeys::", $test)),*] }),*]
    };
}

const ROWS: [Row; 22] = rows! {
    "a node is killed": "nothing acknowledged is lost, no search of the other one fails",
        ["node_kills::nothing_acknowledged_is_lost_and_no_search_fails"];
    "a node is killed and another one takes its feed": "both find the same",
        ["two_nodes::both_take_documents_and_one_is_killed"];
    "a node behind the balancer is killed": "clients and keys move to the other one",
        ["behind_nginx::clients_and_keys_stay_on_their_server"];
    "the directory of a node is lost": "it fills its indexes, or copies them",
        ["on_postgresql::commands_kills_and_an_empty_directory", "two_nodes::a_new_server_copies_indexes"];
    "a node is away during a reindex": "it does its part when it is back",
        ["two_nodes::a_reindex_is_one_of_all"];
    "PostgreSQL is stopped at once": "shoppers are served, everything else is 503",
        ["postgres_fails::the_database_stops_at_once"];
    "PostgreSQL does not respond": "shoppers are served, everything else is 503 in time",
        ["postgres_fails::the_database_does_not_respond"];
    "PostgreSQL is read-only after a failover": "reads succeed, writes are 503",
        ["postgres_fails::the_database_is_read_only"];
    "the disk of PostgreSQL is full": "nothing half done is acknowledged",
        ["postgres_fails::the_disk_is_full"];
    "the response of a commit is lost": "what is sent again has the same result",
        ["postgres_fails::the_response_of_a_commit_is_lost"];
    "PostgreSQL goes on with an older state": "indexes follow it",
        ["postgres_fails::an_older_state_is_restored_under_running_servers",
         "postgres_fails::an_older_state_is_restored_while_servers_are_stopped"];
    "OpenSearch is away": "searches are 503, nothing acknowledged is lost",
        ["on_opensearch::a_cluster_that_is_away_delays_and_loses_nothing"];
    "OpenSearch cannot be used": "the server does not start, and says why",
        ["on_opensearch::a_cluster_that_cannot_be_used_is_refused"];
    "a node is killed in a bulk, a swap, a clear, while an index is closed": "another one goes on, nothing is lost, nothing is left behind",
        ["index_kills::a_server_is_killed_in_a_bulk", "index_kills::a_server_is_killed_in_a_change_of_averages",
         "index_kills::a_server_is_killed_in_a_clear", "index_kills::a_server_is_killed_in_a_swap"];
    "a node is paused while another one takes its place": "it changes nothing of what the other one has done",
        ["index_kills::a_paused_server_changes_nothing_of_the_next_one"];
    "one of three nodes of OpenSearch is killed, the managing one too": "no search fails, what is sent is found",
        ["cluster_fails::one_of_three_is_killed"];
    "nodes of OpenSearch are started anew, one after the other": "no search fails, what is sent is found",
        ["cluster_fails::nodes_are_started_anew_one_after_the_other"];
    "all nodes of OpenSearch are killed, or lose their data": "searches are 503 and never of a part; indexes are built anew",
        ["cluster_fails::all_are_killed"];
    "a node of OpenSearch does not respond, or none": "searches are right or 503 in time, and go on without it",
        ["cluster_fails::nodes_do_not_respond"];
    "the disks of OpenSearch are full": "shoppers are served, the feed is 503 once the index lags",
        ["cluster_fails::disks_are_full"];
    "OpenSearch takes no further index": "new stores are 503, the others go on; once it does, all is found",
        ["cluster_fails::the_cluster_takes_no_further_index"];
    "a node has no way to OpenSearch": "the other one serves, and finds what it takes",
        ["cluster_fails::one_server_has_no_way_to_the_cluster"];
};

/// Tries every row, those on OpenSearch where Java is, and prints the table.
///
/// # Errors
///
/// When a row fails, or PostgreSQL is not installed.
pub fn run() -> Outcome<()> {
    nodes::beside(rows_tried)
}

fn rows_tried() -> Outcome<()> {
    let mut failed = 0;
    println!("| what fails | what holds | |");
    println!("|---|---|---|");
    for row in &ROWS {
        let output = tried(row)?;
        let verdict = verdict(&output, row.tests.len());
        println!("| {} | {} | {verdict} |", row.fails, row.holds);
        if verdict == FAIL {
            failed += 1;
            eprintln!("{}", String::from_utf8_lossy(&output.stdout));
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        }
    }
    match failed {
        0 => Ok(()),
        _ => Err(Failure::new(format!(
            "{failed} of {} rows fail",
            ROWS.len()
        ))),
    }
}

fn tried(row: &Row) -> Outcome<Output> {
    journeys::tests(row.tests)
        .args(["--exact", "--include-ignored", "--quiet"])
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::of(journeys::WHAT))
}

const PASS: &str = "PASS";
const FAIL: &str = "FAIL";
const SKIPPED: &str = "SKIPPED";

/// Judges the output of so many tests: a test that was not run is a failure, and one that skipped itself says so.
fn verdict(output: &Output, tests: usize) -> &'static str {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let all = format!("test result: ok. {tests} passed");
    match (
        output.status.success() && text.contains(&all),
        errors.contains("SKIPPED:"),
    ) {
        (false, _) => FAIL,
        (true, true) => SKIPPED,
        (true, false) => PASS,
    }
}

#[cfg(test)]
mod tests {
    //! A row passes when all of its tests ran and succeeded.

    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    #[test]
    fn rows_are_judged_by_tests_that_ran() {
        let of = |status: i32, out: &str, err: &str| Output {
            status: ExitStatus::from_raw(status),
            stdout: out.into(),
            stderr: err.into(),
        };
        let two = "test result: ok. 2 passed; 0 failed";
        assert_eq!(verdict(&of(0, two, ""), 2), PASS);
        assert_eq!(verdict(&of(0, two, "SKIPPED: a test"), 2), SKIPPED);
        assert_eq!(verdict(&of(0, "test result: ok. 0 passed", ""), 1), FAIL);
        assert_eq!(verdict(&of(256, two, ""), 2), FAIL);
    }
}
