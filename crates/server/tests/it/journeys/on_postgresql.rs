//! 1. With its data on PostgreSQL, a server does for feed, shoppers, agents and owners what it does with a file.
//! 2. Commands work with and without the server, on an empty directory too; a check finds nothing, a backup names pg_dump.
//! 3. What was acknowledged survives a kill and the loss of the directory.
//! 4. Texts with the character NUL are errors of the caller.
//! 5. The password is in no output, log, metric or list of processes; a lost key is refused.

use crate::cluster::Cluster;
use crate::harness::{
    Binary, Client, Outcome, Shop, command, command_of, eventually, free_ports, outcome, product,
};
use crate::mcp::{call_ok, nul};
use domain::Role;
use operations::{DataLocations, DatabaseUrl};
use serde_json::json;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const PASSWORD: &str = "tr0ub4dor-of-postgres";

/// Databases of a service and of its search log, and a key file.
pub struct Server {
    cluster: Cluster,
    port: u16,
    /// Variables of all nodes besides.
    pub more: Vec<(&'static str, String)>,
    /// The binary, unless it is the one of this version.
    pub program: Option<PathBuf>,
}

impl Server {
    /// `None` where there is no PostgreSQL.
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// As [`Server::start`], with these settings of the database server.
    pub fn start_with(settings: &[&str]) -> Option<Self> {
        let [port] = free_ports();
        let cluster = Cluster::start(Some(port), settings)?;
        let role = format!("CREATE ROLE shop LOGIN PASSWORD '{PASSWORD}'");
        for statement in [
            role.as_str(),
            "CREATE DATABASE shop OWNER shop",
            "CREATE DATABASE shop_log OWNER shop",
        ] {
            assert!(cluster.sql("postgres", statement), "{}", cluster.log());
        }
        fs::write(cluster.folder().join("master.key"), [7; 32]).expect("written");
        fs::write(cluster.folder().join("password"), PASSWORD).expect("written");
        Some(Self {
            cluster,
            port,
            more: Vec::new(),
            program: None,
        })
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://shop@127.0.0.1:{}/{database}", self.port)
    }

    /// What the database server logged.
    pub fn log(&self) -> String {
        self.cluster.log()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Executes statements as the superuser; returns whether they succeeded.
    pub fn sql(&self, database: &str, statements: &str) -> bool {
        self.cluster.sql(database, statements)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.cluster.folder().join(name)
    }

    /// A directory for a node, created empty.
    fn node(&self, name: &str) -> PathBuf {
        let dir = self.file(name);
        fs::create_dir_all(&dir).expect("created");
        dir
    }

    fn command(&self, node: &str, arguments: &[&str]) -> Command {
        let dir = self.node(node);
        let mut command = match &self.program {
            Some(program) => command_of(program, &dir, arguments),
            None => command(&dir, arguments),
        };
        command
            .env("FINDWELL_DATABASE", self.url("shop"))
            .env("FINDWELL_ANALYTICS_DATABASE", self.url("shop_log"))
            .env("FINDWELL_DATABASE_PASSWORD_FILE", self.file("password"))
            .env("FINDWELL_MASTER_KEY_FILE", self.file("master.key"))
            .envs(self.more.iter().map(|(name, value)| (name, value)));
        command
    }

    pub fn run(&self, node: &str, arguments: &[&str]) -> Outcome {
        let outcome = outcome(&mut self.command(node, arguments));
        let text = format!("{outcome:?}");
        assert!(!text.contains(PASSWORD), "{text}");
        outcome
    }

    /// A check of a node succeeds and finds nothing.
    pub fn check(&self, node: &str) {
        self.run(node, &["check", "--json"]).finds_nothing();
    }

    /// A command of a node, to be run later and elsewhere.
    pub fn later(&self, node: &str, arguments: &[&str]) -> impl FnOnce() -> Outcome + Send + use<> {
        let mut command = self.command(node, arguments);
        move || outcome(&mut command)
    }

    /// A node that logs everything into `log`.
    pub fn serve(&self, node: &str) -> Binary {
        self.serve_through(node, self.port)
    }

    /// As [`Server::serve`], with another port on the way to the database.
    pub fn serve_through(&self, node: &str, port: u16) -> Binary {
        self.serve_as(node, port, 0)
    }

    /// As [`Server::serve`], listening on this port.
    pub fn serve_at(&self, node: &str, listen: u16) -> Binary {
        self.serve_as(node, self.port, listen)
    }

    fn serve_as(&self, node: &str, port: u16, listen: u16) -> Binary {
        let url = format!("postgres://shop@127.0.0.1:{port}/shop");
        let listen = format!("127.0.0.1:{listen}");
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.file("log-of-node"));
        let child = self
            .command(node, &["serve", "--listen", &listen, "--log", "debug"])
            .env("FINDWELL_DATABASE", url)
            .stdout(Stdio::piped())
            .stderr(log.expect("a log"))
            .spawn()
            .expect("the binary runs");
        Binary::of(child)
    }
}

#[test]
fn feed_shoppers_agents_and_owners() {
    let Some(server) = Server::start() else {
        return;
    };
    let url = |database: &str| {
        Some(DatabaseUrl::parse(&server.url(database), Some(PASSWORD)).expect("an address"))
    };
    let shop = Shop::open_with(|options| {
        options.locations = DataLocations {
            database: url("shop"),
            search_log: url("shop_log"),
            master_key: Some(server.file("master.key")),
            search: None,
        };
    });
    let documents = json!([
        product("1", "Bota roja"),
        product("2", "Bota azul"),
        product("3", "Zapato")
    ]);
    shop.bulk("products", "es", &documents).ok();
    shop.until_found("es", &["1", "2", "3"]);
    shop.feed("POST", "/feed/products/delete")
        .json(&json!({"ids": ["3"]}))
        .send()
        .ok();
    shop.until_found("es", &["1", "2"]);

    let relevance = json!({"boosts": {"name": 9}});
    shop.own("PUT", "/relevance").json(&relevance).send().ok();
    let synonym = json!({"language": "es", "terms": ["bota", "botín"]});
    call_ok(&shop, "create_synonym", synonym);
    let request = json!({"q": "botin", "lang": "es", "types": ["products"]});
    eventually("the synonym is in effect", || {
        shop.search(&request).ok().data()["products"]["total"] == 2
    });
    let found = call_ok(
        &shop,
        "test_relevance",
        json!({"q": "bota", "boosts": {"name": 3}}),
    );
    assert_eq!(found["success"], true);
    let revisions = shop.own("GET", "/revisions").send().ok();
    assert!(
        revisions
            .data()
            .as_array()
            .is_some_and(|all| all.len() >= 2)
            || revisions.data().is_object()
    );

    let owner = shop.member("ana@shop.example", Role::Owner);
    let store = shop.by(&owner, "GET", &shop.of_store("")).send();
    assert_eq!(store.status, 200, "{store:?}");
    let audit = shop.audit(50);
    assert!(
        audit.as_array().is_some_and(|records| records.len() > 2),
        "{audit}"
    );

    shop.write_search_log();
    let queries = shop.own("GET", "/analytics/queries?limit=5").send().ok();
    assert!(queries.text.contains("botin"), "{}", queries.text);
    let metrics = shop.client.call("GET", "/metrics").send().text;
    assert!(metrics.contains("findwell_storage_up 1") && !metrics.contains(PASSWORD));
    nul::no_tool_fails(&shop);
}

#[test]
fn commands_kills_and_an_empty_directory() {
    let Some(server) = Server::start() else {
        return;
    };
    let new = ["store", "create", "--name", "x", "--language", "es"];
    let store = server.run("one", &new).line().to_owned();
    let key = ["key", "create", "--store", &store, "--kind", "search-only"];
    let key = server.run("one", &key).line().to_owned();
    let catalogue = server.file("products.ndjson");
    let lines = (0..40).map(|at| format!("{{\"id\": \"{at}\", \"name\": \"Bota {at}\"}}\n"));
    fs::write(&catalogue, lines.collect::<String>()).expect("written");
    let catalogue = catalogue.to_str().expect("UTF-8");
    let import = ["import", "--store", &store, "--language", "es", catalogue];
    assert_eq!(server.run("one", &import).status, 0);

    let found = |client: &Client| {
        let call = client.call("GET", "/api/v1/search?q=bota&types=products&limit=1");
        let reply = call.key(&key).send();
        reply.json["data"]["products"]["total"].as_u64()
    };
    let mut node = server.serve("one");
    eventually("the import is found", || found(&node.client) == Some(40));
    // Through the server: what they change is in effect at once.
    let other = ["key", "create", "--store", &store, "--kind", "connector"];
    let connector = server.run("one", &other).line().to_owned();
    let bulk = json!({"language": "es", "documents": [product("new", "Bota nueva")]});
    let call = node.client.call("POST", "/api/v1/feed/products/bulk");
    call.key(&connector).json(&bulk).send().ok();
    assert!(!processes().contains(PASSWORD));
    node.end();

    // The machine is lost: another one has the key file and no index.
    let mut node = server.serve("three");
    eventually("everything acknowledged is found", || {
        found(&node.client) == Some(41)
    });
    server.check("three");
    let backup = server.file("backup");
    let backup = ["backup", backup.to_str().expect("UTF-8")];
    let refused = server.run("three", &backup);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.stderr.contains("pg_dump"), "{refused:?}");
    assert_eq!(server.run("three", &["reindex"]).status, 0);
    assert_eq!(node.stop(), 0);

    server.check("three");
    let demo = server.run("three", &["demo"]);
    assert_eq!(demo.status, 2, "{demo:?}");
    fs::remove_file(server.file("master.key")).expect("removed");
    let keyless = server.run("three", &["store", "list"]);
    assert_eq!(keyless.status, 1, "{keyless:?}");
    assert!(
        keyless.stderr.contains("there is no master key"),
        "{keyless:?}"
    );
    assert!(!server.file("master.key").exists());
    fs::write(server.file("password"), "wrong-one-altogether").expect("written");
    let refused = server.run("three", &["store", "list"]);
    assert!(
        refused.status == 1 && !refused.stderr.contains("wrong-one"),
        "{refused:?}"
    );
    let log = fs::read_to_string(server.file("log-of-node")).expect("a log");
    assert!(!log.is_empty() && !log.contains(PASSWORD));
}

/// The arguments of all nodes.
fn processes() -> String {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let arguments = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let arguments = arguments.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    // Other tests create roles by arguments.
    let of_nodes: Vec<String> = arguments
        .filter(|one| one.contains("--log\0debug"))
        .collect();
    assert!(!of_nodes.is_empty(), "the node is a process");
    of_nodes.join("\n")
}
