//! The printed results of a load.

use super::memory::Memory;
use super::record::{Name, Record, Records};
use std::time::Duration;

const MIB: u64 = 1024 * 1024;

/// Prints the requests of shops and attackers, and the memory.
pub fn print(records: &Records, memory: &Memory, lasted: Duration) {
    println!();
    println!(
        "{:<26} {:>8} {:>8} {:>9} {:>9} {:>9}  failed by status",
        "shops", "ok", "a second", "50th ms", "95th ms", "99th ms"
    );
    let of = |hostile: bool| {
        records
            .iter()
            .filter(move |(name, _)| name.hostile == hostile)
    };
    of(false).for_each(|(name, record)| println!("{}", line(name, record, lasted)));
    println!("attackers");
    of(true).for_each(|(name, record)| println!("{}", line(name, record, lasted)));
    if let Some(quarters) = memory.quarters() {
        let [first, second, third, last] = quarters.map(|bytes| bytes / MIB);
        println!("memory, medians of quarters in MiB: {first}, {second}, {third}, {last}");
    }
    if let Some(peak) = memory.peak {
        println!("memory, peak: {} MiB", peak / MIB);
    }
}

fn line(name: &Name, record: &Record, lasted: Duration) -> String {
    let rate = record.succeeded() as f64 / lasted.as_secs_f64();
    let millis = |percent: usize| {
        let time = record.percentile(percent);
        time.map_or_else(
            || "-".to_owned(),
            |time| format!("{:.1}", time.as_secs_f64() * 1000.0),
        )
    };
    let failed: Vec<String> = record
        .failed()
        .map(|(status, count)| match status {
            0 => format!("no response: {count}"),
            _ => format!("{status}: {count}"),
        })
        .collect();
    format!(
        "  {:<24} {:>8} {rate:>8.1} {:>9} {:>9} {:>9}  {}",
        name.what,
        record.succeeded(),
        millis(50),
        millis(95),
        millis(99),
        failed.join(", ")
    )
}
