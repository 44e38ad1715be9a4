//! Tests in a browser: one Chromium runs all cases, each on a page of its own.
//!
//! Without Chromium and its driver each case prints SKIPPED; with `FINDWELL_BROWSER=required` that is a failure, with
//! `FINDWELL_BROWSER=off` no browser is looked for. Arguments are parts of names of cases; pictures of failed cases and
//! of each mode and theme are written to the folder of `FINDWELL_PICTURES`, else to `target/browser`.

#[path = "../../../storage/tests/cluster/mod.rs"]
mod cluster;
mod driver;
#[expect(dead_code, reason = "the harness of all integration tests names it")]
#[path = "../../../storage/tests/cluster/each_test.rs"]
mod each_test;
mod gate;
#[expect(
    dead_code,
    unused_imports,
    reason = "the harness of all integration tests; this one uses a part"
)]
#[path = "../it/harness/mod.rs"]
mod harness;
mod panel;
mod site;
mod stage;
mod tab;
mod widget;
mod wire;

use stage::Stage;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// A case: its name and what it does.
type Case = (&'static str, fn(&mut Stage));

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parts: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|one| !one.starts_with('-'))
        .collect();
    let wanted =
        |(name, _): &&Case| parts.is_empty() || parts.iter().any(|part| name.contains(part));
    let cases: Vec<&Case> = widget::CASES
        .iter()
        .chain(panel::CASES)
        .copied()
        .flatten()
        .filter(wanted)
        .collect();
    if arguments.iter().any(|one| one == "--list") || cases.is_empty() {
        return ExitCode::SUCCESS;
    }
    let mode = std::env::var("FINDWELL_BROWSER").unwrap_or_default();
    let found = if mode == "off" {
        None
    } else {
        driver::Driver::start()
    };
    let Some(driver) = found else {
        cases
            .iter()
            .for_each(|(name, _)| println!("{name} ... SKIPPED"));
        return ExitCode::from(u8::from(mode == "required"));
    };
    let failed = run(&cases, Stage::new(driver));
    println!("\nbrowser: {} cases, {} failed", cases.len(), failed.len());
    failed.iter().for_each(|name| println!("    {name}"));
    ExitCode::from(u8::from(!failed.is_empty()))
}

/// Runs the cases one after the other and returns the names of those that failed.
fn run(cases: &[&Case], mut stage: Stage) -> Vec<&'static str> {
    let mut failed = Vec::new();
    for (name, case) in cases {
        let outcome = catch_unwind(AssertUnwindSafe(|| case(&mut stage)));
        println!(
            "{name} ... {}",
            if outcome.is_ok() { "ok" } else { "FAILED" }
        );
        if outcome.is_err() {
            stage.tab.picture(&format!("failed-{name}"));
            failed.push(*name);
        }
        stage.tidy_up();
    }
    failed
}
