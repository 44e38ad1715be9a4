//! The disk below a server under test: full, fatal, traced or with a wrong clock, as the test chooses.

use crate::harness::{Binary, command};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The words of memory that the library and the test share, in their order.
#[derive(Clone, Copy)]
enum Word {
    Steps,
    FullFrom,
    FailedSteps,
    KillAt,
    ClockS,
    InIndexes,
}

/// A data directory whose files can be made to fail.
pub struct Disk {
    _dir: TempDir,
    /// The canonical path of the directory, which the library compares paths with.
    root: PathBuf,
    aside: TempDir,
    control: File,
}

impl Disk {
    /// An empty directory.
    pub fn new() -> Self {
        let (dir, aside) = (TempDir::new(), TempDir::new());
        let (dir, aside) = (dir.expect("a directory"), aside.expect("a directory"));
        let path = aside.path().join("control");
        std::fs::write(&path, [0; 48]).expect("written");
        let mut options = OpenOptions::new();
        let control = options.read(true).write(true).open(path).expect("opened");
        let root = dir.path().canonicalize().expect("a path");
        Self {
            _dir: dir,
            root,
            aside,
            control,
        }
    }

    /// The data directory.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The file in which the steps and responses of traced servers are recorded.
    pub fn trace(&self) -> PathBuf {
        self.aside.path().join("trace")
    }

    /// The size of the trace so far.
    pub fn traced(&self) -> u64 {
        std::fs::metadata(self.trace()).expect("a trace").len()
    }

    /// Starts a server on this disk.
    pub fn serve(&self) -> Binary {
        self.try_serve().expect("the server starts")
    }

    /// Kills `server` and starts another one in its place.
    pub fn serve_after(&self, server: &mut Binary) -> Binary {
        server.end();
        self.serve()
    }

    /// Starts a server; `None` if it exits before it prints its address.
    pub fn try_serve(&self) -> Option<Binary> {
        Binary::try_of(self.command().spawn().expect("the binary runs"))
    }

    /// Starts a server whose steps and responses are recorded.
    pub fn serve_traced(&self) -> Binary {
        let mut command = self.command();
        command.env("DISK_TRACE", self.trace());
        Binary::of(command.spawn().expect("the binary runs"))
    }

    /// The command that starts a server on the disk.
    pub fn command(&self) -> Command {
        let mut command = command(&self.root, &["serve", "--listen", "127.0.0.1:0"]);
        command
            // A server that lives for a second has no use for huge pages, and zeroing them takes a fifth of its time.
            .env("MIMALLOC_ALLOW_THP", "0")
            .env("LD_PRELOAD", library())
            .env("DISK_ROOT", &self.root)
            .env("DISK_CONTROL", self.aside.path().join("control"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.read(Word::Steps)
    }

    /// Makes every step after the next `count` fail for lack of space.
    pub fn fill_after(&self, count: u64) {
        self.write(Word::FailedSteps, 0);
        self.write(Word::FullFrom, self.steps() + count + 1);
    }

    /// Makes every further step on a file of an index fail for lack of space.
    pub fn fill_indexes(&self) {
        self.write(Word::InIndexes, 1);
        self.fill_after(0);
    }

    /// Frees space again; returns the number of failed steps.
    pub fn free(&self) -> u64 {
        self.write(Word::FullFrom, 0);
        self.write(Word::InIndexes, 0);
        self.failed_steps()
    }

    /// The number of steps that failed since the disk was last filled.
    pub fn failed_steps(&self) -> u64 {
        self.read(Word::FailedSteps)
    }

    /// Kills the server at the step after the next `count`.
    pub fn kill_after(&self, count: u64) {
        self.write(Word::KillAt, self.steps() + count + 1);
    }

    /// Stops killing servers.
    pub fn spare(&self) {
        self.write(Word::KillAt, 0);
    }

    /// Shifts the clock by so many seconds.
    pub fn shift_clock(&self, seconds: i64) {
        self.write(Word::ClockS, seconds.cast_unsigned());
    }

    fn read(&self, word: Word) -> u64 {
        let mut bytes = [0; 8];
        let read = self.control.read_exact_at(&mut bytes, word as u64 * 8);
        read.expect("the word is there");
        u64::from_ne_bytes(bytes)
    }

    fn write(&self, word: Word, value: u64) {
        let bytes = value.to_ne_bytes();
        let written = self.control.write_all_at(&bytes, word as u64 * 8);
        written.expect("the word is written");
    }
}

/// The library, built once: a C compiler exists wherever this workspace builds, because SQLite needs one.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/faults/disk.c");
        // Built under another name first: two test runs may build it at the same time.
        let built = dir.join(format!("disk-{}.so", std::process::id()));
        let status = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
            .args([&built, Path::new(source)])
            .args(["-ldl", "-lpthread"])
            .status();
        assert!(status.expect("cc runs").success(), "disk.c builds");
        let library = dir.join("disk.so");
        std::fs::rename(built, &library).expect("renamed");
        library
    })
}
