//! What is compared: one node with its data in a file, nodes on a PostgreSQL server, and nodes whose indexes are on OpenSearch.

use crate::cluster::Cluster;
use crate::failure::{Failure, Outcome};
use crate::process::Server;
use crate::stopwatch::Stopwatch;
use crate::workspace;
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
    /// So many nodes on one database server and the node of OpenSearch that runs.
    OpenSearch(usize),
}

impl Setup {
    /// Its name in the table.
    pub fn name(self) -> String {
        match self {
            Self::File => "SQLite, 1 node".to_owned(),
            Self::Postgres(1) => "PostgreSQL, 1 node".to_owned(),
            Self::Postgres(nodes) => format!("PostgreSQL, {nodes} nodes"),
            Self::OpenSearch(1) => "OpenSearch, 1 node".to_owned(),
            Self::OpenSearch(nodes) => format!("OpenSearch, {nodes} nodes"),
        }
    }

    /// How many nodes it has.
    pub fn nodes(self) -> usize {
        match self {
            Self::File => 1,
            Self::Postgres(nodes) | Self::OpenSearch(nodes) => nodes,
        }
    }
}

/// Running nodes, and the database server, if there is one.
pub struct Running {
    pub nodes: Vec<Server>,
    _cluster: Option<Cluster>,
    _indexes: Option<Indexes>,
}

impl Running {
    /// Starts a setup with this binary and these options of `serve`.
    ///
    /// # Errors
    ///
    /// When PostgreSQL is not installed, no node of OpenSearch runs where it is needed, or something does not start.
    pub fn start(setup: Setup, binary: &Path, options: &[&str]) -> Outcome<Self> {
        if setup == Setup::File {
            let node = Server::start_binary(binary.to_owned(), options)?;
            return Ok(Self {
                nodes: vec![node],
                _cluster: None,
                _indexes: None,
            });
        }
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
        let mut environment = vec![
            ("FINDWELL_DATABASE", of_service.as_path()),
            ("FINDWELL_ANALYTICS_DATABASE", of_log.as_path()),
            ("FINDWELL_MASTER_KEY_FILE", key.as_path()),
        ];
        let indexes = match setup {
            Setup::OpenSearch(_) => Some(Indexes::of_node()?),
            Setup::File | Setup::Postgres(_) => None,
        };
        if let Some(indexes) = &indexes {
            environment.push(("FINDWELL_SEARCH", &indexes.url));
            environment.push(("FINDWELL_SEARCH_PREFIX", &indexes.prefix));
        }
        let node = || Server::start_in(binary.to_owned(), options, &environment);
        let nodes = (0..setup.nodes()).map(|_| node());
        Ok(Self {
            nodes: nodes.collect::<Outcome<Vec<_>>>()?,
            _cluster: Some(cluster),
            _indexes: indexes,
        })
    }

    /// Processor time that the nodes have used so far.
    pub fn of_nodes(&self) -> Duration {
        self.nodes.iter().map(Server::processor_time).sum()
    }
}

/// Indexes on the node of OpenSearch that runs; deleted with this.
struct Indexes {
    address: String,
    url: PathBuf,
    prefix: PathBuf,
}

impl Indexes {
    fn of_node() -> Outcome<Self> {
        let file = workspace::root().join("target/nodes/address");
        let address = fs::read_to_string(&file)
            .map_err(|_| Failure::new("no node of OpenSearch runs: cargo xtask nodes up"))?;
        Ok(Self {
            url: PathBuf::from(format!("opensearch+{address}")),
            prefix: PathBuf::from(format!("capacity{}", std::process::id())),
            address,
        })
    }
}

impl Drop for Indexes {
    fn drop(&mut self) {
        // The node and its data are deleted sooner or later.
        let _ = ureq::delete(format!("{}/{}-*", self.address, self.prefix.display())).call();
    }
}

/// Time on the clock and of processors, from one moment to another.
pub struct Span {
    watch: Stopwatch,
    nodes: Duration,
    database: Duration,
    cluster: Duration,
}

/// What a span has used, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    /// On the clock.
    pub clock: f64,
    /// Of processors, by our nodes, the database and the search cluster.
    pub processors: [f64; 3],
}

impl Span {
    /// Begins to measure.
    pub fn begin(running: &Running) -> Self {
        Self {
            nodes: running.of_nodes(),
            database: of_processes("postgres"),
            cluster: of_processes("java"),
            watch: Stopwatch::start(),
        }
    }

    /// Returns what was used since then.
    pub fn used(&self, running: &Running) -> Used {
        let passed = self.watch.elapsed();
        let nodes = running.of_nodes().saturating_sub(self.nodes);
        let database = of_processes("postgres").saturating_sub(self.database);
        let cluster = of_processes("java").saturating_sub(self.cluster);
        Used {
            clock: passed.as_secs_f64(),
            processors: [nodes, database, cluster].map(|time| time.as_secs_f64()),
        }
    }
}

/// Processor time of all processes of this name on this machine, those that ended among them.
fn of_processes(name: &str) -> Duration {
    /// Linux counts in hundredths of a second.
    const TICK: Duration = Duration::from_millis(10);
    let name = format!("({name})");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let ticks = stats.filter(|stat| stat.contains(&name)).map(|stat| {
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
