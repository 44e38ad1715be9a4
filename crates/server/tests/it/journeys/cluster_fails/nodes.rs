//! Nodes of OpenSearch of one test, which it may kill, pause and start again.

use crate::harness::{eventually_within, free_ports, signal};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Nodes of a cluster.
pub const COUNT: usize = 3;
/// How long they may take to start, which takes longer than anything else that tests wait for.
const START: Duration = Duration::from_secs(120);

/// The nodes of a cluster; stopped with this.
pub struct Nodes {
    dir: TempDir,
    /// The command of a node, without its folder and ports.
    command: Vec<String>,
    http: Vec<u16>,
    transport: Vec<u16>,
    running: Vec<Option<Child>>,
}

impl Nodes {
    /// Starts the nodes of one cluster. `None`, once said on stderr, where `cargo xtask nodes up` has not prepared it.
    pub fn start() -> Option<Self> {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/nodes/command");
        let Ok(command) = fs::read_to_string(file) else {
            let line = "SKIPPED: a cluster of several nodes (cargo xtask nodes up prepares it)\n";
            // Unlike `eprintln!`, this is shown for tests that succeed, too.
            let _ = io::stderr().write_all(line.as_bytes());
            return None;
        };
        let ports = free_ports::<{ 2 * COUNT }>();
        let (http, transport) = ports.split_at(COUNT);
        let mut nodes = Self {
            dir: TempDir::new().expect("a directory"),
            command: command.lines().map(str::to_owned).collect(),
            http: http.to_vec(),
            transport: transport.to_vec(),
            running: (0..COUNT).map(|_| None).collect(),
        };
        for at in 0..COUNT {
            nodes.start_again(at);
        }
        nodes.wait_complete();
        Some(nodes)
    }

    /// The hosts with ports.
    pub fn hosts(&self) -> Vec<String> {
        let hosts = self.http.iter().map(|port| format!("127.0.0.1:{port}"));
        hosts.collect()
    }

    fn folder(&self, at: usize) -> PathBuf {
        self.dir.path().join(at.to_string())
    }

    /// Starts a node that does not run, without waiting for it.
    pub fn start_again(&mut self, at: usize) {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.dir.path().join(format!("{at}.log")))
            .expect("a log");
        // A node's own port comes first, then those of the others.
        let others = self
            .transport
            .iter()
            .filter(|own| **own != self.transport[at]);
        let child = Command::new(&self.command[0])
            .args(&self.command[1..])
            .arg(self.folder(at))
            .args([self.http[at], self.transport[at]].map(|port| port.to_string()))
            .args(others.map(ToString::to_string))
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn();
        self.running[at] = Some(child.expect("java runs"));
    }

    /// Waits until every node is there and every shard has its copies.
    pub fn wait_complete(&self) {
        let wanted = format!("wait_for_status=green&wait_for_nodes={}", COUNT);
        for host in self.hosts() {
            let url = format!("http://{host}/_cluster/health?{wanted}&timeout=5s");
            eventually_within(START, "the cluster is complete", || {
                agent().get(&url).call().is_ok()
            });
        }
    }

    /// Kills a node.
    pub fn kill(&mut self, at: usize) {
        if let Some(mut child) = self.running[at].take() {
            child.kill().expect("it runs");
            child.wait().expect("it ends");
        }
    }

    /// Stops a node, which tells the others.
    pub fn stop(&mut self, at: usize) {
        self.signal(at, "TERM");
        if let Some(mut child) = self.running[at].take() {
            child.wait().expect("it ends");
        }
    }

    /// Deletes the data of a node that does not run.
    pub fn delete_data(&self, at: usize) {
        fs::remove_dir_all(self.folder(at)).expect("deleted");
    }

    /// Sends the signal of this name to a node.
    pub fn signal(&self, at: usize, name: &str) {
        signal(self.running[at].as_ref().expect("it runs"), name);
    }

    /// Allows or forbids writes to all indexes, as a cluster does whose disks are full.
    pub fn block_writes(&self, blocked: bool) {
        let value = if blocked { "true" } else { "null" };
        let setting = format!("{{\"index.blocks.read_only_allow_delete\": {value}}}");
        self.set("_all/_settings", setting);
    }

    /// Limits the number of shards for each node, as every cluster does; with `None`, to what it is by default.
    pub fn limit_shards(&self, limit: Option<u32>) {
        let limit = limit.map_or_else(|| "null".to_owned(), |limit| limit.to_string());
        let setting = format!("{{\"persistent\": {{\"cluster.max_shards_per_node\": {limit}}}}}");
        self.set("_cluster/settings", setting);
    }

    fn set(&self, path: &str, setting: String) {
        let url = format!("http://{}/{path}", self.hosts()[0]);
        let request = agent().put(&url).header("content-type", "application/json");
        request.send(setting).expect("the setting");
    }

    /// The number of the node that manages the cluster.
    pub fn manager(&self) -> usize {
        let url = format!("http://{}/_cat/cluster_manager?h=node", self.hosts()[0]);
        let mut response = agent().get(&url).call().expect("a response");
        let name = response.body_mut().read_to_string().expect("a name");
        let port: u16 = name
            .trim()
            .trim_start_matches("node-")
            .parse()
            .expect("a port");
        let own = self.transport.iter().position(|own| *own == port);
        own.expect("one of them")
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        for child in self.running.iter_mut().flatten() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(20)))
        .proxy(None);
    config.build().into()
}
