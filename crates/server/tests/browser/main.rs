//! Tests in a browser: one Chromium runs the cases of the widget, another one beside it those of the panel, each case on a
//! page of its own.
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
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

/// A case: its name and what it does.
type Case = (&'static str, fn(&mut Stage));

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parts = arguments.iter().map(String::as_str);
    let parts: Vec<&str> = parts.filter(|one| !one.starts_with('-')).collect();
    let halves = [widget::CASES, panel::CASES].map(|half| wanted(half, &parts));
    let halves: Vec<Vec<&Case>> = (halves.into_iter())
        .filter(|half| !half.is_empty())
        .collect();
    if arguments.iter().any(|one| one == "--list") || halves.is_empty() {
        return ExitCode::SUCCESS;
    }
    let mode = std::env::var("FINDWELL_BROWSER").unwrap_or_default();
    let drivers = halves.iter().map(|_| match mode.as_str() {
        "off" => None,
        _ => driver::Driver::start(),
    });
    let Some(drivers) = drivers.collect::<Option<Vec<_>>>() else {
        let names = halves.iter().flatten().map(|(name, _)| name);
        names.for_each(|name| println!("{name} ... SKIPPED"));
        return ExitCode::from(u8::from(mode == "required"));
    };
    let failed: Vec<&str> = std::thread::scope(|scope| {
        let runs = halves.iter().zip(drivers);
        let runs = runs.map(|(half, driver)| scope.spawn(|| run(half, Stage::new(driver))));
        let runs: Vec<_> = runs.collect();
        let failed = runs.into_iter().map(|run| match run.join() {
            Ok(failed) => failed,
            Err(panic) => resume_unwind(panic),
        });
        failed.flatten().collect()
    });
    let count: usize = halves.iter().map(Vec::len).sum();
    println!("\nbrowser: {count} cases, {} failed", failed.len());
    failed.iter().for_each(|name| println!("    {name}"));
    ExitCode::from(u8::from(!failed.is_empty()))
}

/// Returns the cases whose names have one of `parts`, or all without any.
fn wanted(cases: &[&'static [Case]], parts: &[&str]) -> Vec<&'static Case> {
    let is_wanted =
        |(name, _): &&Case| parts.is_empty() || parts.iter().any(|part| name.contains(part));
    cases.iter().copied().flatten().filter(is_wanted).collect()
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
