//! Pauses a transaction in the middle, from outside: a trigger of the test's own database waits for a session of the test.
//!
//! The product knows nothing of it, so any operation pauses wherever it writes to a table.

use crate::cluster::find_programs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// The lock that the trigger waits for.
const KEY: u32 = 4_711;
/// How often a condition is looked at; each look starts a process, which takes some 20 ms.
const LOOKS_MAX: usize = 1_000;

/// A pause of whoever writes first to a table.
pub struct Pause {
    url: String,
    table: String,
    holder: Child,
    input: Option<ChildStdin>,
}

fn psql(url: &str) -> Command {
    let programs = find_programs().expect("the programs of the server");
    let mut psql = Command::new(programs.join("psql"));
    psql.args(["--no-psqlrc", "--quiet", "--no-align", "--tuples-only"])
        .args(["-v", "ON_ERROR_STOP=1", url]);
    psql
}

/// Executes statements; returns what the last one selected.
pub fn execute(url: &str, statements: &str) -> String {
    let output = psql(url).args(["--command", statements]).output();
    let output = output.expect("psql runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statements}: {errors}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

impl Pause {
    /// From now on, whoever first writes a row of `table` waits after that statement, until this ends.
    pub fn at(url: &str, table: &str) -> Self {
        let statements = format!(
            "CREATE SEQUENCE pause_turns; \
             CREATE FUNCTION pause_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             IF nextval('pause_turns') = 1 THEN PERFORM pg_catalog.pg_advisory_xact_lock_shared({KEY}); END IF; \
             RETURN NULL; END $$; \
             CREATE TRIGGER pause AFTER INSERT OR UPDATE OR DELETE ON {table} \
             FOR EACH STATEMENT EXECUTE FUNCTION pause_here()"
        );
        execute(url, &statements);
        let session = psql(url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut holder = session.expect("psql runs");
        let mut input = holder.stdin.take().expect("a pipe");
        let lock = format!("SELECT pg_catalog.pg_advisory_lock({KEY});\n\\echo held\n");
        input.write_all(lock.as_bytes()).expect("sent");
        let output = holder.stdout.take().expect("a pipe");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        assert!(lines.any(|line| line == "held"), "the lock is not held");
        Self {
            url: url.to_owned(),
            table: table.to_owned(),
            holder,
            input: Some(input),
        }
    }

    /// Waits until somebody pauses; `is_over` says whether nobody is going to.
    pub fn until_reached(&self, is_over: impl Fn() -> bool) {
        let reached = self.look(
            "SELECT is_called FROM pause_turns",
            |text| text == "t",
            &is_over,
        );
        assert!(reached, "nobody wrote to {}", self.table);
    }

    /// Waits until a second one waits for the one that pauses, or `is_over`; returns whether it waits.
    pub fn until_awaited(&self, is_over: impl Fn() -> bool) -> bool {
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity \
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let several = |text: &str| text.parse::<u64>().is_ok_and(|count| count > 1);
        self.look(waiting, several, &is_over)
    }

    fn look(&self, sql: &str, is_so: impl Fn(&str) -> bool, is_over: &impl Fn() -> bool) -> bool {
        for _ in 0..LOOKS_MAX {
            let over = is_over();
            if is_so(&execute(&self.url, sql)) {
                return true;
            }
            if over {
                return false;
            }
        }
        panic!("{sql} does not become true");
    }

    /// Lets the one that pauses go on.
    pub fn release(&mut self) {
        drop(self.input.take());
        let ended = self.holder.wait().expect("psql ends");
        assert!(ended.success(), "{ended}");
    }

    /// Removes the trigger, once nobody uses the table.
    pub fn remove(self) {
        let statements = format!(
            "DROP TRIGGER pause ON {}; DROP FUNCTION pause_here; DROP SEQUENCE pause_turns",
            self.table
        );
        execute(&self.url, &statements);
    }
}
