//! What work costs: processor time and memory of this process and of the node, and time.

use crate::Outcome;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Clock ticks of a second in `/proc`.
const TICKS: u64 = 100;

/// Processor time.
#[derive(Clone, Copy)]
pub struct Costs {
    /// Of this process.
    pub own: Duration,
    /// Of the node.
    pub node: Duration,
}

impl Costs {
    /// Returns what was added since `before`.
    pub fn since(self, before: Self) -> Self {
        Self {
            own: self.own.saturating_sub(before.own),
            node: self.node.saturating_sub(before.node),
        }
    }
}

/// Returns the processor time until now.
pub fn cpu() -> Outcome<Costs> {
    Ok(Costs {
        own: of_process("self")?,
        node: of_process(&node()?)?,
    })
}

fn of_process(pid: &str) -> Outcome<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let (_, fields) = text.rsplit_once(')').ok_or("the state of a process")?;
    // User and system time are fields 14 and 15 of all.
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks: u64 = fields[11..13]
        .iter()
        .filter_map(|own| own.parse::<u64>().ok())
        .sum();
    Ok(Duration::from_millis(ticks * 1_000 / TICKS))
}

/// Returns how long `work` takes.
#[expect(clippy::disallowed_methods, reason = "what is measured is a time")]
pub fn took<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Duration, E> {
    let since = Instant::now();
    work()?;
    Ok(since.elapsed())
}

/// Returns the resident memory in bytes, of this process and of the node.
pub fn memory() -> Outcome<(u64, u64)> {
    Ok((resident("self")?, resident(&node()?)?))
}

fn resident(pid: &str) -> Outcome<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(number
        .ok_or("the memory of a process")?
        .trim()
        .parse::<u64>()?
        * 1024)
}

/// Returns the process of the node.
fn node() -> Outcome<String> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/nodes/pid");
    Ok(std::fs::read_to_string(file)?.trim().to_owned())
}
