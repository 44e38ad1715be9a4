//! `import-load`: imports a large invented catalogue as one document a line and as CSV, and compares speed and memory.

mod catalogue;

use crate::failure::{Failure, Outcome};
use crate::process::{Server, UNLIMITED, named_or_built};
use crate::stopwatch::{Stopwatch, poll_every};
use catalogue::Format;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most memory of the command that reads a file to its end, in MiB.
const COMMAND_MEMORY_MAX: u64 = 300;
/// Least speed of CSV as a share of that of one document a line.
const SPEED_SHARE_MIN: f64 = 0.5;
/// Time between two looks at the memory of the command.
const LOOK: Duration = Duration::from_millis(50);
/// Longest time of one import.
const IMPORT_MAX: Duration = Duration::from_secs(4 * 3_600);

/// Options of `import-load`.
#[derive(clap::Args)]
pub struct Options {
    /// Products of the catalogue.
    #[arg(long, default_value_t = 1_000_000)]
    products: usize,
    /// Measures this binary instead of building one.
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// What an import took.
struct Measured {
    seconds: f64,
    /// Most resident memory of the command, in MiB.
    command: u64,
    /// Anonymous memory of the server before the import and its most while it ran, in MiB.
    server_before: u64,
    server: u64,
    documents: u64,
}

/// Imports both files, each into a store of its own, and prints a line for each.
///
/// # Errors
///
/// A bound is exceeded, or an import fails or rejects rows.
pub fn run(options: &Options) -> Outcome<()> {
    let binary = named_or_built(options.binary.as_deref())?;
    let server = Server::start_binary(binary, &UNLIMITED)?;
    println!(
        "{:<8} {:>9} {:>10} {:>8} {:>8} {:>12} {:>22}",
        "format", "MB", "products", "seconds", "per s", "command MiB", "server MiB before, at most"
    );
    let lines = measured(&server, Format::Lines, options.products)?;
    let csv = measured(&server, Format::Csv, options.products)?;
    let share = lines.seconds / csv.seconds;
    println!(
        "CSV is read at {:.0} % of the speed of one document a line.",
        100.0 * share
    );
    if csv.command > COMMAND_MEMORY_MAX {
        return Err(Failure::new(format!(
            "the command took {} MiB, at most {COMMAND_MEMORY_MAX} are wanted",
            csv.command
        )));
    }
    if share < SPEED_SHARE_MIN {
        return Err(Failure::new(format!(
            "at least {SPEED_SHARE_MIN} of the speed is wanted"
        )));
    }
    Ok(())
}

fn measured(server: &Server, format: Format, products: usize) -> Outcome<Measured> {
    let file = std::env::temp_dir().join(format!(
        "findwell-import-{}.{}",
        std::process::id(),
        format.ending()
    ));
    let outcome = of_file(server, format, products, &file);
    // A file that was not written needs no removal.
    fs::remove_file(&file).unwrap_or_default();
    outcome
}

fn of_file(server: &Server, format: Format, products: usize, file: &Path) -> Outcome<Measured> {
    catalogue::write(format, products, file)?;
    let bytes = fs::metadata(file)
        .map_err(Failure::of(file.display()))?
        .len();
    let measured = import(server, format, file)?;
    if measured.documents != products as u64 {
        return Err(Failure::new(format!(
            "{} of {products} products are stored",
            measured.documents
        )));
    }
    let rate = products as f64 / measured.seconds;
    println!(
        "{:<8} {:>9} {:>10} {:>8.1} {rate:>8.0} {:>12} {:>15}, {:>5}",
        format.ending(),
        bytes / 1_000_000,
        measured.documents,
        measured.seconds,
        measured.command,
        measured.server_before,
        measured.server
    );
    Ok(measured)
}

/// Runs the command, and looks at its memory and the server's until it ends.
fn import(server: &Server, format: Format, file: &Path) -> Outcome<Measured> {
    let store = server.new_store(format.ending(), "en")?;
    let mebibytes = |bytes: Option<u64>| bytes.unwrap_or(0) / 1_048_576;
    let server_before = mebibytes(server.anonymous_memory());
    let path = file.to_string_lossy();
    let watch = Stopwatch::start();
    let mut child = server.spawn(&["import", "--store", &store, "--json", &path])?;
    let (mut command, mut most) = (0, 0);
    let ended = poll_every(LOOK, IMPORT_MAX, || {
        command = command.max(mebibytes(peak_of(child.id())));
        most = most.max(mebibytes(server.anonymous_memory()));
        child.try_wait().transpose()
    });
    let seconds = watch.elapsed().as_secs_f64();
    let status = ended.ok_or_else(|| Failure::new("the import takes too long"))?;
    let status = status.map_err(Failure::of("findwell import"))?;
    let output = child
        .wait_with_output()
        .map_err(Failure::of("findwell import"))?;
    let result: Value =
        serde_json::from_slice(&output.stdout).map_err(Failure::of("the result of the import"))?;
    if !status.success() {
        return Err(Failure::new(format!("findwell import: {status}: {result}")));
    }
    Ok(Measured {
        seconds,
        command,
        server_before,
        server: most,
        documents: result["accepted"].as_u64().unwrap_or(0),
    })
}

/// Most resident memory of a process so far, in bytes; none where the system does not report it, or when it has ended.
fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1_024)
}
