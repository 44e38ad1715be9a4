//! Visitors without a key who attack from another address: connections, clients that read nothing, wrong keys, long
//! query strings, requests that never end.

use super::World;
use super::record::Records;
use socket2::{Domain, Socket, Type};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Source address of their connections.
const FROM: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// Connections that one worker holds open; the oldest is dropped for a new one.
const HELD_MAX: usize = 100;
/// Timeout for the status of a response.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Attacks until the load is over.
pub fn attack(world: &World, at: usize, of: usize) -> Records {
    let mut records = Records::default();
    let mut pace = world.pace(world.rate / 5.0, at, of);
    let mut held: Vec<TcpStream> = Vec::new();
    let mut round = at;
    while let Some(due) = pace.wait() {
        let (what, status) = match round % 5 {
            0 => (
                "wrong key",
                status(world, &get("/api/v1/me", &format!("cfg_wrong{round}"))),
            ),
            1 => (
                "many parameters",
                status(world, &get(&parameters(), "none")),
            ),
            2 => ("connection held", hold(world, &mut held, b"GET / HT")),
            3 => ("response not read", hold(world, &mut held, &unread())),
            _ => ("body never ends", hold(world, &mut held, &endless(world))),
        };
        records.add_hostile(what, status, pace.since(due));
        round += of;
        if held.len() > HELD_MAX {
            held.remove(0);
        }
    }
    records
}

fn connect(world: &World) -> io::Result<TcpStream> {
    let address = world.addresses[0].trim_start_matches("http://");
    let address: SocketAddr = address.parse().map_err(io::Error::other)?;
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((FROM, 0)).into())?;
    socket.connect(&address.into())?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(TIMEOUT))?;
    Ok(stream)
}

fn get(path: &str, key: &str) -> Vec<u8> {
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n\r\n");
    head.into_bytes()
}

fn parameters() -> String {
    let names: Vec<String> = (0..4_000).map(|name| format!("{name:x}")).collect();
    format!("/api/v1/me?{}", names.join("&"))
}

/// Requests whose responses nobody reads.
fn unread() -> Vec<u8> {
    get("/api/v1/openapi.json", "none").repeat(30)
}

fn endless(world: &World) -> Vec<u8> {
    let head = format!(
        "POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 200000\r\n\r\n",
        world.hostile.public
    );
    [head.as_bytes(), &[b' '; 150_000]].concat()
}

/// Sends `bytes` and holds the connection without reading; returns 200 when it was accepted, 0 when it was not.
fn hold(world: &World, held: &mut Vec<TcpStream>, bytes: &[u8]) -> u16 {
    let sent = connect(world).and_then(|mut stream| {
        stream.set_nonblocking(true)?;
        // What does not fit into the send buffer is dropped: the response is never read.
        let written = stream.write_all(bytes);
        let is_full = |error: &io::Error| error.kind() == io::ErrorKind::WouldBlock;
        match written {
            Err(error) if !is_full(&error) => Err(error),
            _ => Ok(stream),
        }
    });
    match sent {
        Ok(stream) => {
            held.push(stream);
            200
        }
        Err(_) => 0,
    }
}

/// Returns the status of the response to `bytes`; 0 when there is none.
fn status(world: &World, bytes: &[u8]) -> u16 {
    let received = connect(world).and_then(|mut stream| {
        stream.write_all(bytes)?;
        let mut start = [0; 12];
        stream.read_exact(&mut start)?;
        Ok(start)
    });
    let text = received.map(|start| String::from_utf8_lossy(&start[9..]).into_owned());
    text.ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}
