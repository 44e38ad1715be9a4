//! The order of commits, as the log of the database server shows it: whoever waits for a lock commits after who held it.

use super::operation::{Done, Mark};
use std::collections::HashMap;

/// Settings of a server whose log shows them: each line begins with its process and transaction.
pub const LOGGED: [&str; 2] = ["log_statement=all", "log_line_prefix=%p %v|"];

/// The statement of a clear, which has no text of its own.
const CLEAR: &str = "UPDATE indices SET cleared = ";

/// Where each text was committed last, and where the clears were.
#[derive(Default)]
struct Commits {
    texts: HashMap<String, usize>,
    clears: Vec<usize>,
    count: usize,
}

/// What a transaction has shown so far.
#[derive(Default)]
struct Shown {
    texts: Vec<String>,
    clears: bool,
}

/// The operations in the order of their commits; those that committed nothing are left out.
pub fn in_order(log: &str, done: Vec<Done>) -> Vec<Done> {
    let commits = Commits::of(log);
    let mut clears = commits.clears.into_iter();
    let mut placed: Vec<(usize, Done)> = Vec::with_capacity(done.len());
    for one in done {
        let place = match &one.mark {
            Some(text) => commits.texts.get(text).copied(),
            // All clears are the same, so it does not matter which is which.
            None if one.operation.mark == Mark::Clear => clears.next(),
            None => Some(0),
        };
        placed.extend(place.map(|place| (place, one)));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, one)| one).collect()
}

impl Commits {
    fn of(log: &str) -> Self {
        let mut commits = Self::default();
        let mut open: HashMap<&str, Shown> = HashMap::new();
        let mut last = "";
        for line in log.lines() {
            let text = match line.split_once('|') {
                Some((prefix, text)) if is_prefix(prefix) => {
                    last = prefix;
                    text
                }
                // A value of several lines.
                _ => line,
            };
            if text.ends_with(": COMMIT") {
                commits.add(open.remove(last).unwrap_or_default());
            } else if text.ends_with(": ROLLBACK") {
                open.remove(last);
            } else {
                let shown = open.entry(last).or_default();
                shown.clears |= text.contains(CLEAR);
                shown.texts.extend(marks(text));
            }
        }
        commits
    }

    fn add(&mut self, shown: Shown) {
        self.count += 1;
        for text in shown.texts {
            self.texts.insert(text, self.count);
        }
        if shown.clears {
            self.clears.push(self.count);
        }
    }
}

fn is_prefix(prefix: &str) -> bool {
    let is_number = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'/')
    };
    prefix
        .split_once(' ')
        .is_some_and(|(process, transaction)| is_number(process) && is_number(transaction))
}

/// The marks in a line: texts of clients, runs and requests.
fn marks(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for start in ["tok", "run_", "req_"] {
        let mut rest = line;
        while let Some(at) = rest.find(start) {
            let of_mark = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = rest[at..].find(|c| !of_mark(c)).unwrap_or(rest.len() - at);
            found.push(rest[at..at + end].to_owned());
            rest = &rest[at + end..];
        }
    }
    found
}

impl Mark {
    /// The text by which an operation with this mark is found, whose request had this id.
    pub fn text(&self, request: &str) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Request => Some(request.to_owned()),
            Self::Clear | Self::AnyTime => None,
        }
    }
}

#[test]
fn a_log_tells_the_order() {
    let line =
        |transaction: u32, text: &str| format!("7 3/{transaction}|LOG:  execute s: {text}\n");
    let log = [
        line(1, "INSERT $1 = '{\"name\":\"tok000001\"}'"),
        line(2, "SELECT 1, $2 = 'two\nlines tok000002', 'req_0a_1'"),
        line(2, "COMMIT"),
        line(1, "UPDATE indices SET cleared = $3"),
        line(3, "tok000003"),
        line(3, "ROLLBACK"),
        line(1, "COMMIT"),
    ];
    let commits = Commits::of(&log.concat());
    let mut texts: Vec<_> = commits.texts.into_iter().collect();
    texts.sort();
    let expected = [("req_0a_1", 1), ("tok000001", 2), ("tok000002", 1)];
    assert_eq!(texts, expected.map(|(text, at)| (text.to_owned(), at)));
    assert_eq!(commits.clears, [2]);
}
