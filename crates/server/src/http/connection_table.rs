//! Limits open connections, in total and per address, and evicts the longest idle one at the limit.

use super::proxies::Proxies;
use domain::ClientAddress;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Maximum connections of one server.
pub const CONNECTIONS_MAX: usize = 4_096;
/// Default of the maximum connections per address.
pub const CONNECTIONS_PER_ADDRESS: usize = 256;
/// Maximum addresses that are warned of: a client that forges the header must not flood the log.
const WARNED_MAX: usize = 16;

/// Limits of open connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// In total.
    pub all: usize,
    /// Per address; 0 for no limit.
    pub per_address: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            all: CONNECTIONS_MAX,
            per_address: CONNECTIONS_PER_ADDRESS,
        }
    }
}

/// The open connections of a server.
#[derive(Debug)]
pub struct ConnectionTable {
    limits: ConnectionLimits,
    proxies: Arc<Proxies>,
    open: Mutex<OpenConnections>,
    rejected: AtomicU64,
}

#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    by_number: HashMap<u64, Arc<Connection>>,
    by_address: HashMap<ClientAddress, usize>,
    warned: HashSet<IpAddr>,
}

/// The state of one connection.
#[derive(Debug)]
struct Connection {
    busy: AtomicBool,
    /// Logical time of its last use.
    last_used: AtomicU64,
    evicted: Notify,
}

impl ConnectionTable {
    /// Creates an empty table.
    pub fn new(limits: ConnectionLimits, proxies: Arc<Proxies>) -> Self {
        Self {
            limits,
            proxies,
            open: Mutex::default(),
            rejected: AtomicU64::new(0),
        }
    }

    /// Returns the number of open connections.
    pub fn count(&self) -> usize {
        self.open().by_number.len()
    }

    /// Returns the number of connections that were closed at once because there were too many.
    pub fn rejected(&self) -> u64 {
        self.rejected.load(Ordering::Relaxed)
    }

    /// Admits a connection of `peer`. Returns `None` when its address is at the limit, or when the table is full and no
    /// connection is idle.
    pub fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionSlot> {
        let peer = peer.to_canonical();
        // A proxy opens connections for all its clients.
        let counted = self.limits.per_address > 0 && !self.proxies.trusts(peer);
        let address = counted.then(|| ClientAddress::from(peer));
        let mut open = self.open();
        let held = address.and_then(|address| open.by_address.get(&address));
        let at_limit = held.is_some_and(|held| *held >= self.limits.per_address);
        if at_limit || !open.make_room(self.limits.all) {
            self.rejected.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let number = open.tick();
        let connection = Arc::new(Connection {
            busy: AtomicBool::new(false),
            last_used: AtomicU64::new(number),
            evicted: Notify::new(),
        });
        open.by_number.insert(number, Arc::clone(&connection));
        if let Some(address) = address {
            *open.by_address.entry(address).or_default() += 1;
        }
        Some(ConnectionSlot {
            table: Arc::clone(self),
            number,
            address,
            connection,
        })
    }

    /// Warns once of a peer that sends forwarding headers but is not a trusted proxy.
    pub fn notice_forwarding(&self, peer: IpAddr) {
        let peer = peer.to_canonical();
        if self.proxies.trusts(peer) {
            return;
        }
        let mut open = self.open();
        if open.warned.len() < WARNED_MAX && open.warned.insert(peer) {
            tracing::warn!(
                %peer,
                "requests from this address carry a forwarding header, but it is no --trusted-proxy: its clients count as one"
            );
        }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        // The table is sound after a panic: entries are only added and removed.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn tick(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Returns whether there is room for another connection; at the limit, evicts the longest idle one.
    fn make_room(&mut self, all: usize) -> bool {
        if self.by_number.len() < all {
            return true;
        }
        let idle = self.by_number.iter();
        let idle = idle.filter(|(_, connection)| !connection.busy.load(Ordering::Relaxed));
        let longest = idle.min_by_key(|(_, one)| one.last_used.load(Ordering::Relaxed));
        let Some((number, _)) = longest else {
            return false;
        };
        let number = *number;
        if let Some(connection) = self.by_number.remove(&number) {
            connection.evicted.notify_one();
        }
        true
    }
}

/// An admitted connection, removed from the table on drop.
#[derive(Debug)]
pub struct ConnectionSlot {
    table: Arc<ConnectionTable>,
    number: u64,
    address: Option<ClientAddress>,
    connection: Arc<Connection>,
}

impl ConnectionSlot {
    /// Returns a handle that records the requests of this connection.
    pub fn usage(&self) -> ConnectionUse {
        ConnectionUse {
            table: Arc::clone(&self.table),
            connection: Arc::clone(&self.connection),
        }
    }

    /// Waits until the connection is evicted to make room for another one.
    pub async fn evicted(&self) {
        self.connection.evicted.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.table.open();
        open.by_number.remove(&self.number);
        let Some(address) = self.address else { return };
        if let Some(held) = open.by_address.get_mut(&address) {
            *held -= 1;
            if *held == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}

/// Records the requests of one connection in the table.
#[derive(Clone, Debug)]
pub struct ConnectionUse {
    table: Arc<ConnectionTable>,
    connection: Arc<Connection>,
}

impl ConnectionUse {
    /// Marks the connection as busy until the returned guard is dropped.
    pub fn begin(&self) -> Busy {
        self.connection.busy.store(true, Ordering::Relaxed);
        Busy(self.clone())
    }

    /// Records a forwarding header on a request of `peer`.
    pub fn notice_forwarding(&self, peer: IpAddr) {
        self.table.notice_forwarding(peer);
    }
}

/// Guard of a request in flight.
#[derive(Debug)]
pub struct Busy(ConnectionUse);

impl Drop for Busy {
    fn drop(&mut self) {
        let ConnectionUse { table, connection } = &self.0;
        let now = table.open().tick();
        connection.last_used.store(now, Ordering::Relaxed);
        connection.busy.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    //! 1. Connections per address are limited, an IPv6 network counts as one address, and a trusted proxy has no limit.
    //! 2. At the total limit, the longest idle connection is evicted; a busy one never is.

    use super::*;
    use std::time::Duration;
    use tokio::time::timeout;

    fn table(all: usize, per_address: usize) -> Arc<ConnectionTable> {
        let proxies = Proxies {
            trusted: vec!["10.0.0.0/8".parse().expect("a network")],
            ..Proxies::default()
        };
        let limits = ConnectionLimits { all, per_address };
        Arc::new(ConnectionTable::new(limits, Arc::new(proxies)))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn connections_per_address_are_limited() {
        let table = table(100, 2);
        let one = table.admit(address("192.0.2.1")).expect("the first");
        let _two = table
            .admit(address("::ffff:192.0.2.1"))
            .expect("the second");
        assert!(table.admit(address("192.0.2.1")).is_none());
        assert!(table.admit(address("192.0.2.2")).is_some());
        assert_eq!((table.rejected(), table.count()), (1, 2));
        drop(one);
        assert!(table.admit(address("192.0.2.1")).is_some());
        let network = ["2001:db8:1:2::1", "2001:db8:1:2:3::1", "2001:db8:1:2:4::1"];
        let taken: Vec<_> = network
            .iter()
            .filter_map(|one| table.admit(address(one)))
            .collect();
        assert_eq!(taken.len(), 2);
        let proxied: Vec<_> = (0..9)
            .filter_map(|_| table.admit(address("10.1.1.1")))
            .collect();
        assert_eq!(proxied.len(), 9);
    }

    #[tokio::test]
    async fn the_longest_idle_connection_is_evicted() {
        let table = table(3, 0);
        let admit = || table.admit(address("192.0.2.1"));
        let [one, two, three] = [(); 3].map(|()| admit().expect("there is room"));
        drop(one.usage().begin());
        let busy = two.usage().begin();
        let four = admit().expect("one is evicted");
        let at_once = Duration::from_secs(5);
        timeout(at_once, three.evicted())
            .await
            .expect("the longest idle");
        drop(three);
        let busy_too = four.usage().begin();
        let five = admit().expect("the first is evicted");
        timeout(at_once, one.evicted()).await.expect("idle");
        let all_busy = five.usage().begin();
        assert!(admit().is_none(), "none is idle");
        drop((busy, busy_too, all_busy));
        assert!(admit().is_some());
        assert_eq!(table.rejected(), 1);
    }
}
