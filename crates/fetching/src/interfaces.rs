//! The addresses of this machine.

use std::io;
use std::net::IpAddr;

/// Returns the addresses of all interfaces of this machine, as they are now.
pub fn machine_addresses() -> io::Result<Vec<IpAddr>> {
    let interfaces = if_addrs::get_if_addrs()?;
    Ok(interfaces.into_iter().map(|one| one.ip()).collect())
}
