//! `nodes`: a node of OpenSearch on loopback, for tests and measurements: downloads it, starts and stops it.
//!
//! Tests find it by the file with its address; it is not started by them, because it takes seconds. Those that stop nodes start
//! nodes of their own, by the file with the command.

mod jars;

use crate::failure::{Failure, Outcome};
use crate::workspace;
use clap::{Args, Subcommand};
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Looks at a node until it has to have started or ended.
const LOOKS: usize = 600;
/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(200);
/// Memory of the node's heap unless it is said: enough for the tests.
const HEAP: &str = "400m";

/// What to do with the node.
#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Starts the node, unless it runs already, and prints its address.
    Up {
        /// Memory of its heap, as Java names it
        #[arg(long, default_value = HEAP, value_name = "SIZE")]
        heap: String,
    },
    /// Stops the node and deletes its data.
    Down,
}

/// Starts or stops the node.
pub fn run(options: &Options) -> Outcome<()> {
    match &options.action {
        Action::Up { heap } => Node::of_checkout().up(heap),
        Action::Down => Node::of_checkout().down(),
    }
}

/// Does some work while the node runs, where Java is; one that ran before goes on running.
///
/// # Errors
///
/// Those of the work, or the node cannot be stopped.
pub fn beside<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    let node = Node::of_checkout();
    if node.running().is_some() {
        return work();
    }
    if let Err(failure) = node.up(HEAP) {
        eprintln!("without OpenSearch: {failure}");
    }
    let done = work();
    node.down()?;
    done
}

/// The node of this checkout.
struct Node {
    /// Where everything of it is.
    folder: PathBuf,
}

impl Node {
    fn of_checkout() -> Self {
        Self {
            folder: workspace::root().join("target/nodes"),
        }
    }

    fn up(&self, heap: &str) -> Outcome<()> {
        if let Some(address) = self.running() {
            println!("{address}");
            return Ok(());
        }
        fs::create_dir_all(&self.folder).map_err(Failure::of(self.folder.display()))?;
        let sources = workspace::root().join("xtask/nodes");
        let lib = jars::download(&sources, &self.folder)?;
        let classes = self.folder.join("classes");
        compile(&sources.join("Node.java"), &lib, &classes)?;
        self.remove_data()?;
        let command = command(&sources, (&lib, &classes), heap);
        self.write("command", &command.join("\n"))?;
        let address = self.start(&command)?;
        self.write("address", &address)?;
        println!("{address}");
        Ok(())
    }

    /// Returns the address of the node if it runs.
    fn running(&self) -> Option<String> {
        self.process()?;
        let address = fs::read_to_string(self.folder.join("address")).ok()?;
        is_healthy(&address).then_some(address)
    }

    /// Returns the process of the node; none if another process has its id by now.
    fn process(&self) -> Option<u32> {
        let pid = fs::read_to_string(self.folder.join("pid")).ok()?;
        let pid: u32 = pid.trim().parse().ok()?;
        let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let own = self.data().display().to_string();
        String::from_utf8_lossy(&command)
            .contains(&own)
            .then_some(pid)
    }

    /// Starts the node with the first words of its command; returns its address.
    fn start(&self, command: &[String]) -> Outcome<String> {
        let [http, transport] = free_ports()?;
        let log = self.folder.join("node.log");
        let log_file = File::create(&log).map_err(Failure::of(log.display()))?;
        let errors = log_file.try_clone().map_err(Failure::of(log.display()))?;
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .arg(self.data())
            .args([http.to_string(), transport.to_string()])
            .stdin(Stdio::null())
            .stdout(log_file)
            .stderr(errors)
            // It goes on when this command and its terminal end.
            .process_group(0)
            .spawn()
            .map_err(Failure::of("java, of which a JDK of version 17 is enough"))?;
        self.write("pid", &child.id().to_string())?;
        let address = format!("http://127.0.0.1:{http}");
        for _ in 0..LOOKS {
            if is_healthy(&address) {
                return Ok(address);
            }
            if child.try_wait().map_err(Failure::of("the node"))?.is_some() {
                break;
            }
            sleep(PAUSE);
        }
        let text = fs::read_to_string(&log).unwrap_or_default();
        Err(Failure::new(format!("the node did not start:\n{text}")))
    }

    fn down(&self) -> Outcome<()> {
        if let Some(pid) = self.process() {
            let killed = Command::new("kill").arg(pid.to_string()).status();
            killed.map_err(Failure::of("kill"))?;
            for _ in 0..LOOKS {
                if self.process().is_none() {
                    break;
                }
                sleep(PAUSE);
            }
        }
        for file in ["address", "pid"] {
            // There is none if no node was started.
            let _ = fs::remove_file(self.folder.join(file));
        }
        self.remove_data()
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn remove_data(&self) -> Outcome<()> {
        let data = self.data();
        match fs::remove_dir_all(&data) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Failure::of(data.display())(error))
            }
            _ => Ok(()),
        }
    }

    fn write(&self, file: &str, text: &str) -> Outcome<()> {
        let path = self.folder.join(file);
        fs::write(&path, text).map_err(Failure::of(path.display()))
    }
}

/// Returns the command that runs a node, without its last arguments: folder and ports.
fn command(sources: &Path, (lib, classes): (&Path, &Path), heap: &str) -> Vec<String> {
    let log = sources.join("log4j2.properties");
    vec![
        "java".to_owned(),
        format!("-Xms{heap}"),
        format!("-Xmx{heap}"),
        "-XX:+UseSerialGC".to_owned(),
        format!("-Dlog4j2.configurationFile={}", log.display()),
        "-cp".to_owned(),
        format!("{}:{}/*", classes.display(), lib.display()),
        "Node".to_owned(),
    ]
}

/// Compiles the class of the node into `classes`.
fn compile(source: &Path, lib: &Path, classes: &Path) -> Outcome<()> {
    fs::create_dir_all(classes).map_err(Failure::of(classes.display()))?;
    let status = Command::new("javac")
        .args(["-nowarn", "-cp", &format!("{}/*", lib.display()), "-d"])
        .arg(classes)
        .arg(source)
        .status()
        .map_err(Failure::of("javac, of which a JDK of version 17 is enough"))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::new("the class of the node does not compile")),
    }
}

/// Returns two ports of loopback that are free at present.
fn free_ports() -> Outcome<[u16; 2]> {
    let bind = || TcpListener::bind(("127.0.0.1", 0)).map_err(Failure::of("a free port"));
    let listeners = [bind()?, bind()?];
    let [http, transport] = listeners
        .each_ref()
        .map(|listener| listener.local_addr().map(|address| address.port()));
    let failed = "a free port";
    Ok([
        http.map_err(Failure::of(failed))?,
        transport.map_err(Failure::of(failed))?,
    ])
}

/// Whether the node at `address` responds and can be written to.
fn is_healthy(address: &str) -> bool {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(5)))
        .proxy(None)
        .build()
        .into();
    let health = agent.get(format!(
        "{address}/_cluster/health?wait_for_status=green&timeout=1s"
    ));
    health.call().is_ok()
}
