//! Complete imports of a server that is killed.
//!
//! 1. Killed at any step of the disk while a file is read, stored or closed, by a command or of a source, nothing is
//!    removed that the file has; the next import is not hindered by the one that was killed, and then the catalogue is
//!    what the file says.
//! 2. A source whose server was killed is taken over at once by the next one.
//! 3. An upload that was running is `interrupted` after a kill and can be started again at once; one that was arriving is
//!    gone with its file.

use super::data::{Documents, Store};
use super::disk::Disk;
use crate::harness::{Binary, Call, Client, Reply, eventually, findwell};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Steps of the disk after which a server is killed.
const STEPS: [u64; 12] = [0, 1, 3, 6, 10, 15, 22, 30, 40, 55, 75, 100];
const PASSWORD: &str = "tram gravel oboe 41";

/// A catalogue of 40 products less the two whose number the round decides, with a price of the round.
fn catalogue(round: usize) -> Documents {
    let missing = [round % 40, (round + 1) % 40];
    let numbers = (0..40).filter(|number| !missing.contains(number));
    let price = 10 + round as u64;
    numbers
        .map(|number| (number.to_string(), (format!("Bota {number}"), price)))
        .collect()
}

fn csv(catalogue: &Documents) -> String {
    let rows = catalogue.iter();
    let rows = rows.map(|(id, (name, price))| format!("{id},{name},{price} EUR\n"));
    format!("id,title,price\n{}", rows.collect::<String>())
}

/// Every product of `file` that was there before is there.
fn has_all(found: &Documents, before: &Documents, file: &Documents) {
    for id in file.keys().filter(|id| before.contains_key(*id)) {
        assert!(found.contains_key(id), "{id} was removed: {found:?}");
    }
}

fn import(data: &Path, store: &Store, file: &Documents) -> i32 {
    let path = data.join("catalogue.csv");
    std::fs::write(&path, csv(file)).expect("written");
    let path = path.to_str().expect("a path");
    let arguments = [
        "import",
        path,
        "--store",
        &store.id,
        "--language",
        "es",
        "--complete",
    ];
    findwell(data, &arguments).status
}

#[test]
fn a_killed_import_of_a_command_removes_nothing_that_the_file_has() {
    let disk = Disk::new();
    let store = Store::create(disk.path());
    let mut before = catalogue(0);
    let server = disk.serve();
    assert_eq!(import(disk.path(), &store, &before), 0);
    server.kill();
    let mut killed = 0;
    for (round, steps) in STEPS.into_iter().enumerate() {
        let file = catalogue(round + 1);
        let mut server = disk.serve();
        assert_eq!(store.consistent(&server.client, "es"), before);
        disk.kill_after(steps);
        import(disk.path(), &store, &file);
        killed += usize::from(server.has_ended());
        disk.spare();
        let server = disk.serve_after_kill(server);
        has_all(&store.consistent(&server.client, "es"), &before, &file);
        assert_eq!(import(disk.path(), &store, &file), 0, "after {steps} steps");
        assert_eq!(store.consistent(&server.client, "es"), file);
        before = file;
        server.kill();
    }
    assert!(killed > 6, "{killed} imports were killed");
}

/// A shop's server, which sends what the test says.
struct Feed {
    port: u16,
    body: Arc<Mutex<String>>,
}

impl Feed {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let body = Arc::new(Mutex::new(String::new()));
        let sent = Arc::clone(&body);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let _ = stream.read(&mut [0; 4_096]);
                let body = sent.lock().expect("no panic").clone();
                let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length";
                let _ =
                    stream.write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes());
            }
        });
        Self { port, body }
    }

    fn sends(&self, catalogue: &Documents) {
        *self.body.lock().expect("no panic") = csv(catalogue);
    }
}

impl Disk {
    /// Starts a server in place of one that was killed, or is killed now.
    fn serve_after_kill(&self, server: Binary) -> Binary {
        server.kill();
        self.serve()
    }

    /// Starts a server that may fetch from this machine.
    fn serve_fetching(&self, feed: &Feed) -> Binary {
        let mut command = self.command();
        command.env(
            "FINDWELL_ALLOW_SOURCE_HOST",
            format!("127.0.0.1:{}", feed.port),
        );
        Binary::of(command.spawn().expect("the binary runs"))
    }
}

#[test]
fn a_killed_fetch_is_taken_over_and_removes_nothing_that_the_file_has() {
    let disk = Disk::new();
    let store = Store::create(disk.path());
    let feed = Feed::new();
    let mut before = catalogue(0);
    feed.sends(&before);
    let server = disk.serve_fetching(&feed);
    let url = format!("http://127.0.0.1:{}/feed.csv", feed.port);
    let add = [
        "source",
        "add",
        "--store",
        &store.id,
        "--url",
        &url,
        "--language",
        "es",
    ];
    let source = findwell(disk.path(), &add).line().to_owned();
    let state = || {
        let listed = findwell(
            disk.path(),
            &["source", "list", "--store", &store.id, "--json"],
        );
        // The server may be killed while it responds.
        match listed.status {
            0 => listed.json()[0].clone(),
            _ => Value::Null,
        }
    };
    eventually("the first fetch", || state()["state"] == "ok");
    server.kill();
    for (round, steps) in STEPS.into_iter().enumerate() {
        let file = catalogue(round + 1);
        let mut server = disk.serve_fetching(&feed);
        assert_eq!(store.consistent(&server.client, "es"), before);
        feed.sends(&file);
        let fetched = state()["lastFetchAt"].clone();
        disk.kill_after(steps);
        // Another mapping is another reading, so the file is fetched at once.
        let mapping = format!("Column {round}=tags");
        findwell(disk.path(), &["source", "set", &source, "--map", &mapping]);
        eventually("a kill, or the end", || {
            let now = state();
            server.has_ended() || now["state"] == "ok" && now["lastFetchAt"] != fetched
        });
        disk.spare();
        server.kill();
        let server = disk.serve_fetching(&feed);
        has_all(&store.consistent(&server.client, "es"), &before, &file);
        findwell(
            disk.path(),
            &[
                "source",
                "set",
                &source,
                "--map",
                &format!("Again {round}=tags"),
            ],
        );
        eventually("the file is what is found", || {
            state()["state"] == "ok" && store.found(&server.client, "es") == file
        });
        before = file;
        server.kill();
    }
}

/// An owner who is signed in at a server.
struct Owner {
    client: Client,
    cookies: String,
    store: String,
}

impl Owner {
    /// Signs in, the first time by a link of the command line.
    fn of(server: &Binary, path: &str, body: &Value, store: &Store) -> Self {
        let call = server.client.call("POST", format!("/panel/api{path}"));
        let reply = call
            .header("Origin", server.client.base())
            .json(body)
            .send()
            .ok();
        Self {
            cookies: reply.cookies().join("; "),
            store: store.id.clone(),
            client: server.client.clone(),
        }
    }

    fn again(server: &Binary, store: &Store) -> Self {
        let body = json!({"email": "ana@shop.example", "password": PASSWORD});
        Self::of(server, "/sign-in", &body, store)
    }

    fn call(&self, method: &'static str, rest: &str) -> Call<'_> {
        let path = format!("/panel/api/stores/{}/imports{rest}", self.store);
        let call = self.client.call(method, path);
        call.header("Origin", self.client.base())
            .header("Cookie", &self.cookies)
    }

    fn upload(&self, file: &Documents) -> String {
        let call = self.call("POST", "?name=a.csv");
        let call = call.header("Content-Type", "application/octet-stream");
        let reply = call.body(csv(file)).send().ok();
        reply.data()["id"].as_str().expect("an id").to_owned()
    }

    fn state(&self, id: &str) -> Value {
        self.call("GET", &format!("/{id}"))
            .send()
            .ok()
            .data()
            .clone()
    }

    fn until(&self, id: &str, state: &str) {
        eventually(state, || self.state(id)["state"] == state);
    }

    fn start(&self, id: &str) -> Reply {
        self.try_start(id).expect("a reply")
    }

    fn try_start(&self, id: &str) -> Option<Reply> {
        let body = json!({"type": "products", "language": "es", "complete": true});
        let call = self.call("POST", &format!("/{id}/start"));
        call.json(&body).try_send()
    }

    /// Begins to send a file that never ends, and returns once a part of it is on the disk.
    fn half_an_upload(&self, data: &Path) -> TcpStream {
        let base = self.client.base();
        let host = base.strip_prefix("http://").expect("http");
        let mut stream = TcpStream::connect(host).expect("a connection");
        let head = format!(
            "POST /panel/api/stores/{}/imports?name=half.csv HTTP/1.1\r\nHost: {host}\r\nOrigin: {base}\r\nCookie: {}\r\n\
             Content-Type: application/octet-stream\r\nContent-Length: 100000\r\n\r\nid,title\n1,Bota\n",
            self.store, self.cookies
        );
        stream.write_all(head.as_bytes()).expect("sent");
        eventually("a part of the file", || {
            let files = std::fs::read_dir(data.join("imports")).expect("a folder");
            files
                .flatten()
                .any(|file| file.metadata().is_ok_and(|file| file.len() > 0))
        });
        stream
    }
}

impl Owner {
    /// Imports a file as the whole catalogue.
    fn import(&self, file: &Documents) {
        let id = self.upload(file);
        self.until(&id, "ready");
        self.start(&id).ok();
        self.until(&id, "done");
    }
}

/// A store with an owner and a first catalogue.
fn fed(disk: &Disk) -> (Store, Binary) {
    let store = Store::create(disk.path());
    let invited = [
        "user",
        "create",
        "--email",
        "ana@shop.example",
        "--role",
        "owner",
    ];
    let link = findwell(disk.path(), &invited).line().to_owned();
    let token = link.split('#').nth(1).expect("a token");
    let server = disk.serve();
    let body = json!({"token": token, "name": "Ana", "password": PASSWORD});
    Owner::of(&server, "/links/use", &body, &store).import(&catalogue(0));
    (store, server)
}

#[test]
fn an_upload_that_runs_is_interrupted_by_a_kill_and_starts_again() {
    let disk = Disk::new();
    let (store, mut server) = fed(&disk);
    let (first, file) = (catalogue(0), catalogue(5));
    let mut interrupted = 0;
    for steps in STEPS {
        let ana = Owner::again(&server, &store);
        let id = ana.upload(&file);
        ana.until(&id, "ready");
        disk.kill_after(steps);
        ana.try_start(&id);
        eventually("a kill, or the end", || {
            let reply = ana.call("GET", &format!("/{id}")).try_send();
            server.has_ended() || reply.is_some_and(|reply| reply.data()["state"] == "done")
        });
        disk.spare();
        server.kill();
        server = disk.serve();
        has_all(&store.consistent(&server.client, "es"), &first, &file);
        let ana = Owner::again(&server, &store);
        if ana.state(&id)["error"]["code"] == "interrupted" {
            interrupted += 1;
            ana.start(&id).ok();
            ana.until(&id, "done");
            assert_eq!(store.consistent(&server.client, "es"), file);
        } else if ana.state(&id)["state"] == "ready" {
            ana.call("POST", &format!("/{id}/cancel")).send().ok();
        }
        ana.import(&first);
    }
    assert!(interrupted > 3, "{interrupted} imports were interrupted");
}

#[test]
fn an_upload_that_arrives_is_gone_after_a_kill() {
    let disk = Disk::new();
    let (store, server) = fed(&disk);
    let half = Owner::again(&server, &store).half_an_upload(disk.path());
    server.kill();
    drop(half);
    let server = disk.serve();
    let ana = Owner::again(&server, &store);
    let listed = ana.call("GET", "").send().ok().data()[0].clone();
    let named = (&listed["name"], &listed["state"], &listed["bytes"]);
    assert_eq!(named, (&json!("half.csv"), &json!("failed"), &json!(0)));
    let one = ana.state(listed["id"].as_str().expect("an id"));
    assert_eq!(one["error"]["code"], "interrupted");
    ana.start(one["id"].as_str().expect("an id"))
        .error(409, "conflict");
    let files = std::fs::read_dir(disk.path().join("imports"));
    assert_eq!(files.expect("a folder").count(), 0);
}
