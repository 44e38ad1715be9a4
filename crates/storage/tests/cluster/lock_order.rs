//! The order of locks, as the log of a server shows it: what a transaction locks first, the next one has to lock first, too.
//!
//! The list is that of `ARCHITECTURE.md`. It is compared with every transaction of the tests that ran on the server, so no
//! statement of the product knows that it is watched.

use std::collections::HashMap;
use std::fmt::Write;

/// Settings of a server whose log shows them: each line begins with its process and transaction.
pub const WATCHED: [&str; 3] = [
    "log_statement=all",
    "log_parameter_max_length=64",
    "log_line_prefix=%p %v|",
];

/// What a transaction has locked so far.
#[derive(Default)]
struct Locked {
    last: usize,
    held: Vec<usize>,
    account: Option<String>,
}

/// The locks in their order.
const ORDER: [&str; 8] = [
    "people, or the feed of a store",
    "rows of indices",
    "counter index",
    "row of the store",
    "counter run",
    "rows of accounts",
    "links, sessions, users",
    "counter audit",
];

/// Returns the place in [`ORDER`] of what a statement locks.
fn place(statement: &str, first: Option<&str>) -> Option<usize> {
    let starts = |texts: &[&str]| texts.iter().any(|text| statement.starts_with(text));
    if statement.contains("pg_advisory_xact_lock") {
        return Some(0);
    }
    if statement.starts_with("UPDATE counters") {
        return match first? {
            "index" => Some(2),
            "run" => Some(4),
            "audit" => Some(7),
            _ => None,
        };
    }
    match statement {
        _ if starts(&["UPDATE indices", "DELETE FROM indices"]) => Some(1),
        _ if starts(&["UPDATE stores", "DELETE FROM stores"]) => Some(3),
        _ if starts(&["UPDATE accounts", "DELETE FROM accounts"]) => Some(5),
        _ if starts(&["UPDATE links", "UPDATE sessions", "UPDATE users"]) => Some(6),
        _ if starts(&["DELETE FROM links", "DELETE FROM sessions"]) => Some(6),
        _ => None,
    }
}

/// Returns the value of `$1` in a line with parameters.
fn first_parameter(line: &str) -> Option<&str> {
    let (_, values) = line.split_once("DETAIL:  parameters: $1 = '")?;
    values.split('\'').next()
}

/// Returns a line for each transaction of a log that took a lock too late, and the number of transactions that took more
/// than one.
pub fn violations(log: &str) -> (String, usize) {
    let mut transactions: HashMap<&str, Locked> = HashMap::new();
    let mut found = String::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((prefix, rest)) = line.split_once('|') else {
            continue;
        };
        let executed = rest.strip_prefix("LOG:  execute ");
        let Some((_, statement)) = executed.and_then(|text| text.split_once(": ")) else {
            continue;
        };
        let first = lines.peek().and_then(|next| first_parameter(next));
        let Some(place) = place(statement, first) else {
            continue;
        };
        let locked = transactions.entry(prefix).or_default();
        let again = locked.held.contains(&place);
        if !again && place < locked.last {
            let (early, late) = (ORDER[place], ORDER[locked.last]);
            let _ = writeln!(found, "{early} after {late}: {statement}");
        }
        if place == 5 && statement.contains("name = name") {
            let account = first.map(str::to_owned);
            if account < locked.account {
                let _ = writeln!(found, "accounts not by id: {statement}");
            }
            locked.account = account;
        }
        locked.last = locked.last.max(place);
        if !again {
            locked.held.push(place);
        }
    }
    let several = transactions.values().filter(|one| one.held.len() > 1);
    (found, several.count())
}

#[test]
fn a_log_tells_who_locks_too_late() {
    let line = |transaction: u32, statement: &str, first: &str| {
        format!(
            "7 3/{transaction}|LOG:  execute sqlx_s_1: {statement}\n7 3/{transaction}|DETAIL:  parameters: $1 = '{first}', $2 = NULL\n"
        )
    };
    let counter = "UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value";
    let account = "UPDATE accounts SET name = name WHERE id = $1";
    let index = "UPDATE indices SET sequence = sequence WHERE id = $1";
    let good = [
        line(1, index, "1"),
        line(1, "UPDATE stores SET name = $2 WHERE id = $1", "s"),
        line(1, index, "2"),
        line(1, counter, "audit"),
        line(2, account, "a"),
        line(2, account, "b"),
        line(2, "DELETE FROM sessions WHERE user_id = $1", "u"),
    ];
    assert_eq!(violations(&good.concat()), (String::new(), 2));
    let bad = [line(3, counter, "audit"), line(3, index, "1")];
    let (found, _) = violations(&bad.concat());
    assert_eq!(
        found,
        format!("rows of indices after counter audit: {index}\n")
    );
    let bad = [line(4, account, "b"), line(4, account, "a")];
    assert!(!violations(&bad.concat()).0.is_empty());
}
