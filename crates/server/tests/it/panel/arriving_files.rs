//! 1. Four files arrive at a time; one more of another store is 503 and told when to try again; what was broken off makes
//!    room, and leaves nothing.
//! 2. A file that stops arriving is 408; nothing of it is left, and the store takes another one.

use super::Person;
use crate::harness::{Shop, eventually};
use domain::limits::IMPORTS_OPEN_MAX;
use domain::{Role, StoreId};
use server::boot::Patience;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Begins to send a file to a store: its first line of `announced` bytes.
fn begin(shop: &Shop, person: &Person, store: &StoreId, announced: usize) -> TcpStream {
    let base = shop.client.base();
    let host = base.strip_prefix("http://").expect("http");
    let mut stream = TcpStream::connect(host).expect("a connection");
    let head = format!(
        "POST /panel/api/stores/{store}/imports?name=a.csv HTTP/1.1\r\nHost: {host}\r\nOrigin: {base}\r\n\
         Cookie: {}; {}\r\nContent-Type: application/octet-stream\r\nContent-Length: {announced}\r\n\
         Connection: close\r\n\r\nid,name\n",
        person.known, person.session
    );
    stream.write_all(head.as_bytes()).expect("sent");
    stream
}

fn received(mut stream: TcpStream) -> String {
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    response
}

/// How many files are in the folder of imports.
fn files(shop: &Shop) -> usize {
    let folder = std::fs::read_dir(shop.dir().join("imports"));
    folder.expect("the folder").count()
}

#[test]
fn four_files_arrive_at_a_time() {
    let shop = Shop::open();
    let eve = shop.member("eve@shop.example", Role::Editor);
    let stores = (0..=IMPORTS_OPEN_MAX).map(|number| shop.new_store(&format!("Store {number}")));
    let mut stores: Vec<StoreId> = stores.collect();
    let last = stores.pop().expect("one more");
    let mut arriving: Vec<TcpStream> = stores
        .iter()
        .map(|store| begin(&shop, &eve, store, 1_000))
        .collect();
    eventually("all arrive", || files(&shop) == IMPORTS_OPEN_MAX);

    let refused = received(begin(&shop, &eve, &last, 8)).to_lowercase();
    assert!(refused.starts_with("http/1.1 503 "), "{refused}");
    assert!(refused.contains("\r\nretry-after: 30\r\n"), "{refused}");
    assert!(refused.contains("\"code\":\"unavailable\""), "{refused}");
    // A second one of a store whose file arrives is its own conflict, however many there are.
    let second = received(begin(&shop, &eve, &stores[0], 8));
    assert!(second.starts_with("HTTP/1.1 409 "), "{second}");
    assert_eq!(files(&shop), IMPORTS_OPEN_MAX);

    drop(arriving.pop());
    eventually("one is broken off", || files(&shop) == IMPORTS_OPEN_MAX - 1);
    let taken = received(begin(&shop, &eve, &last, 8));
    assert!(taken.starts_with("HTTP/1.1 201 "), "{taken}");
    drop(arriving);
}

#[test]
fn a_file_that_stops_arriving_is_408() {
    let shop = Shop::open_with(|options| {
        options.patience = Patience {
            file_pause: Duration::from_millis(200),
            ..Patience::default()
        };
    });
    let eve = shop.member("eve@shop.example", Role::Editor);
    let stopped = received(begin(&shop, &eve, &shop.store, 1_000));
    assert!(stopped.starts_with("HTTP/1.1 408 "), "{stopped}");
    assert!(
        stopped.contains("\"code\":\"request_timeout\""),
        "{stopped}"
    );
    eventually("nothing is left", || files(&shop) == 0);
    eventually("the store takes another one", || {
        received(begin(&shop, &eve, &shop.store, 8)).starts_with("HTTP/1.1 201 ")
    });
}
