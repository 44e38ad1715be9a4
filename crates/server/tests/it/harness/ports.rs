//! Ports for servers that have to know theirs before they start.

use std::net::TcpListener;

/// Ports of this machine that are free at present.
pub fn free_ports<const N: usize>() -> [u16; N] {
    let bind = |_| TcpListener::bind("127.0.0.1:0").expect("a port");
    // All are bound at once, so that none comes twice.
    let listeners: [TcpListener; N] = std::array::from_fn(bind);
    listeners.map(|listener| listener.local_addr().expect("an address").port())
}
