//! What is compared: one node with its data in a file, and nodes on a PostgreSQL server.

use crate::cluster::Cluster;
use crate::failure::{Failure, Outcome};
use crate::process::{Server, UNLIMITED};
use crate::stopwatch::Stopwatch;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Settings of a server that loses nothing, unlike that of tests, and its memory.
const SETTINGS: [&str; 3] = ["fsync=on", "shared_buffers=512MB", "max_wal_size=4GB"];

/// Where the data is, and how many nodes serve it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// One node, with the data in its directory.
    File,
    /// So many nodes on one database server.
    Postgres(usize),
}

impl Setup {
    /// Its name in the table.
    pub fn name(self) -> String {
        match self {
            Self::File => "SQLite, 1 node".to_owned(),
            Self::Postgres(1) => "PostgreSQL, 1 node".to_owned(),
            Self::Postgres(nodes) => format!("PostgreSQL, {nodes} nodes"),
        }
    }
}

/// Running nodes, and the database server, if there is one.
pub struct Running {
    pub nodes: Vec<Server>,
    _cluster: Option<Cluster>,
}

impl Running {
    /// Starts a setup with this binary.
    ///
    /// # Errors
    ///
    /// When PostgreSQL is not installed, or something does not start.
    pub fn start(setup: Setup, binary: &Path) -> Outcome<Self> {
        let Setup::Postgres(count) = setup else {
            let node = Server::start_binary(binary.to_owned(), &UNLIMITED)?;
            return Ok(Self {
                nodes: vec![node],
                _cluster: None,
            });
        };
        let missing = || Failure::new("PostgreSQL 15 or newer is not installed");
        let cluster = Cluster::start(None, &SETTINGS).ok_or_else(missing)?;
        for database in ["capacity", "capacity_log"] {
            let create = format!("CREATE DATABASE {database} TEMPLATE template0");
            if !cluster.sql("postgres", &create) {
                return Err(Failure::new(cluster.log()));
            }
        }
        let key = cluster.folder().join("master.key");
        fs::write(&key, [7; 32]).map_err(Failure::of(key.display()))?;
        let url = |database: &str| {
            let folder = cluster.folder().display();
            PathBuf::from(format!(
                "postgres://findwell@localhost/{database}?host={folder}"
            ))
        };
        let (of_service, of_log) = (url("capacity"), url("capacity_log"));
        let environment = [
            ("FINDWELL_DATABASE", of_service.as_path()),
            ("FINDWELL_ANALYTICS_DATABASE", of_log.as_path()),
            ("FINDWELL_MASTER_KEY_FILE", key.as_path()),
        ];
        let node = || Server::start_in(binary.to_owned(), &UNLIMITED, &environment);
        let nodes = (0..count).map(|_| node()).collect::<Outcome<Vec<_>>>()?;
        Ok(Self {
            nodes,
            _cluster: Some(cluster),
        })
    }

    /// Processor time that the nodes have used so far.
    pub fn of_nodes(&self) -> Duration {
        self.nodes.iter().map(Server::processor_time).sum()
    }
}

/// Time on the clock and of processors, from one moment to another.
pub struct Span {
    watch: Stopwatch,
    nodes: Duration,
    database: Duration,
}

impl Span {
    /// Begins to measure.
    pub fn begin(running: &Running) -> Self {
        Self {
            nodes: running.of_nodes(),
            database: of_database(),
            watch: Stopwatch::start(),
        }
    }

    /// Returns the seconds since then: on the clock, of the nodes' processors, and of the database server's.
    pub fn seconds(&self, running: &Running) -> [f64; 3] {
        let passed = self.watch.elapsed();
        let nodes = running.of_nodes().saturating_sub(self.nodes);
        let database = of_database().saturating_sub(self.database);
        [passed, nodes, database].map(|time| time.as_secs_f64())
    }
}

/// Processor time of all processes of PostgreSQL on this machine, those that ended among them.
fn of_database() -> Duration {
    /// Linux counts in hundredths of a second.
    const TICK: Duration = Duration::from_millis(10);
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let ticks = stats
        .filter(|stat| stat.contains("(postgres)"))
        .map(|stat| {
            // Own time and that of children that ended are the 12th to 15th field after the name.
            let fields = stat
                .rsplit(')')
                .next()
                .unwrap_or_default()
                .split_whitespace();
            let times = fields.skip(11).take(4);
            times
                .filter_map(|time| time.parse::<u32>().ok())
                .sum::<u32>()
        });
    TICK * ticks.sum::<u32>()
}
