//! Passes the bytes of one direction of a connection on, for proxies of tests.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

/// Passes bytes on as long as `may_pass` lets them; then ends both connections.
pub fn pump(mut from: &TcpStream, mut to: &TcpStream, mut may_pass: impl FnMut(&[u8]) -> bool) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !may_pass(&bytes[..count]) || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
