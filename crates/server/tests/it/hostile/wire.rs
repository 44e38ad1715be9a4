//! Connections below the level of an HTTP client: from any loopback address, slow, or without a reader.

use socket2::{Domain, Socket, Type};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

/// The address from which attackers connect; the bystander connects from 127.0.0.1.
pub const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// The maximum of bytes that are read of a response.
const READ_MAX: usize = 4 << 20;

/// A response as received.
#[derive(Debug)]
pub struct Raw {
    pub status: u16,
    /// The complete header, in lower case.
    pub head: String,
    pub body: Vec<u8>,
}

impl Raw {
    /// Asserts that a 503 says when to retry.
    pub fn assert_retry_after(&self) {
        let says = self.head.contains("\r\nretry-after: ");
        assert!(
            self.status != 503 || says,
            "503 without Retry-After: {self:?}"
        );
    }
}

/// The machine's own address; `None` if it has no other one than loopback.
pub fn own_address() -> Option<Ipv4Addr> {
    // Choosing the address of a datagram socket sends nothing.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(198, 51, 100, 1), 9)).ok()?;
    match socket.local_addr().ok()?.ip() {
        IpAddr::V4(address) if !address.is_loopback() => Some(address),
        _ => None,
    }
}

/// A connection from `from` to the server at `base`.
pub fn connect(base: &str, from: Ipv4Addr) -> io::Result<TcpStream> {
    let address = base.trim_start_matches("http://");
    let address: SocketAddr = address.parse().expect("an address");
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((from, 0)).into())?;
    socket.connect(&address.into())?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The header of a request with a body of `length` bytes.
pub fn head(method: &str, path: &str, key: &str, length: usize) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    )
}

/// Sends a complete request with a body.
pub fn send(stream: &mut TcpStream, head: &str, body: &[u8]) -> io::Result<()> {
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)
}

/// Returns the next response on the connection; `None` if it ends before.
pub fn receive(stream: &mut TcpStream) -> Option<Raw> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > 65_536 || stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .and_then(|length| length.trim().parse::<usize>().ok())
        .unwrap_or(0);
    let mut body = Vec::new();
    let taken = u64::try_from(length.min(READ_MAX)).expect("a small number");
    stream.take(taken).read_to_end(&mut body).ok()?;
    Some(Raw { status, head, body })
}

/// Whether the server has closed the connection.
pub fn is_closed(stream: &mut TcpStream) -> bool {
    let timeout = Some(Duration::from_millis(1));
    stream.set_read_timeout(timeout).expect("a limit");
    match stream.read(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) => !matches!(
            error.kind(),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
        ),
    }
}

/// Returns the response to a GET of `path` with one more header line.
pub fn get(base: &str, path: &str, line: &str) -> Option<Raw> {
    let mut stream = connect(base, Ipv4Addr::LOCALHOST).ok()?;
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{line}\r\n\r\n");
    send(&mut stream, &head, b"").ok()?;
    receive(&mut stream)
}
