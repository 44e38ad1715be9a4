//! The open connections: how many there may be, how many of one address, and which of them gives way.

use super::proxies::Proxies;
use domain::ClientAddress;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Connections of one server.
pub const CONNECTIONS_MAX: usize = 4_096;
/// Connections of one address, if the operator sets no other number.
pub const CONNECTIONS_PER_ADDRESS: usize = 256;
/// Addresses that are warned of; whoever sends the header by himself is not worth a line for each of his addresses.
const WARNED_MAX: usize = 16;

/// How many connections there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Of all clients.
    pub all: usize,
    /// Of one address; 0 for no limit.
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
    refused: AtomicU64,
}

#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    by_number: HashMap<u64, Arc<Connection>>,
    by_address: HashMap<ClientAddress, usize>,
    warned: HashSet<IpAddr>,
}

/// One connection as the table sees it.
#[derive(Debug)]
struct Connection {
    busy: AtomicBool,
    /// When it was last busy, in the order of all connections.
    last_used: AtomicU64,
    gives_way: Notify,
}

impl ConnectionTable {
    /// No connections yet.
    pub fn new(limits: ConnectionLimits, proxies: Arc<Proxies>) -> Self {
        Self {
            limits,
            proxies,
            open: Mutex::default(),
            refused: AtomicU64::new(0),
        }
    }

    /// Connections that are open.
    pub fn count(&self) -> usize {
        self.open().by_number.len()
    }

    /// Connections that were closed at once because there were too many.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Takes a connection of `peer` in; none when it is one too many of its address, or all others are busy.
    pub fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Seat> {
        let peer = peer.to_canonical();
        // A proxy has the connections of all its clients.
        let counted = self.limits.per_address > 0 && !self.proxies.trusts(peer);
        let address = counted.then(|| ClientAddress::from(peer));
        let mut open = self.open();
        let held = address.and_then(|address| open.by_address.get(&address));
        let one_too_many = held.is_some_and(|held| *held >= self.limits.per_address);
        if one_too_many || !open.has_room(self.limits.all) {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let number = open.tick();
        let connection = Arc::new(Connection {
            busy: AtomicBool::new(false),
            last_used: AtomicU64::new(number),
            gives_way: Notify::new(),
        });
        open.by_number.insert(number, Arc::clone(&connection));
        if let Some(address) = address {
            *open.by_address.entry(address).or_default() += 1;
        }
        Some(Seat {
            table: Arc::clone(self),
            number,
            address,
            connection,
        })
    }

    /// Warns once of a peer that tells of clients behind it although nobody named it as a proxy.
    pub fn notice_forwarding(&self, peer: IpAddr) {
        let peer = peer.to_canonical();
        if self.proxies.trusts(peer) {
            return;
        }
        let mut open = self.open();
        if open.warned.len() < WARNED_MAX && open.warned.insert(peer) {
            tracing::warn!(
                %peer,
                "requests of this address name a client, but it is no --trusted-proxy: all its clients count as one"
            );
        }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        // The table is sound after a panic: what is in it is only added and removed.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn tick(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Whether another connection may come; at the limit, the one that was idle longest gives way.
    fn has_room(&mut self, all: usize) -> bool {
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
            connection.gives_way.notify_one();
        }
        true
    }
}

/// A connection that was taken in; dropped, it is none any more.
#[derive(Debug)]
pub struct Seat {
    table: Arc<ConnectionTable>,
    number: u64,
    address: Option<ClientAddress>,
    connection: Arc<Connection>,
}

impl Seat {
    /// What tells the table of this connection's requests.
    pub fn use_of(&self) -> Use {
        Use {
            table: Arc::clone(&self.table),
            connection: Arc::clone(&self.connection),
        }
    }

    /// Waits until the connection has to give way to another one.
    pub async fn gives_way(&self) {
        self.connection.gives_way.notified().await;
    }
}

impl Drop for Seat {
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

/// Tells the table of the requests of one connection.
#[derive(Clone, Debug)]
pub struct Use {
    table: Arc<ConnectionTable>,
    connection: Arc<Connection>,
}

impl Use {
    /// A request has begun; it ends when the mark is dropped.
    pub fn begin(&self) -> Busy {
        self.connection.busy.store(true, Ordering::Relaxed);
        Busy(self.clone())
    }

    /// A forwarding header was seen on a request of `peer`.
    pub fn notice_forwarding(&self, peer: IpAddr) {
        self.table.notice_forwarding(peer);
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub struct Busy(Use);

impl Drop for Busy {
    fn drop(&mut self) {
        let Use { table, connection } = &self.0;
        let now = table.open().tick();
        connection.last_used.store(now, Ordering::Relaxed);
        connection.busy.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    //! 1. An address has so many connections and no more, an IPv6 network counts as one, and a named proxy has no limit.
    //! 2. At the limit of all, the connection that was idle longest gives way; a busy one never does.

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
    fn an_address_has_so_many() {
        let table = table(100, 2);
        let one = table.admit(address("192.0.2.1")).expect("the first");
        let _two = table
            .admit(address("::ffff:192.0.2.1"))
            .expect("the second");
        assert!(table.admit(address("192.0.2.1")).is_none());
        assert!(table.admit(address("192.0.2.2")).is_some());
        assert_eq!((table.refused(), table.count()), (1, 2));
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
    async fn the_one_that_was_idle_longest_gives_way() {
        let table = table(3, 0);
        let admit = || table.admit(address("192.0.2.1"));
        let [one, two, three] = [(); 3].map(|()| admit().expect("there is room"));
        drop(one.use_of().begin());
        let busy = two.use_of().begin();
        let four = admit().expect("one gives way");
        let at_once = Duration::from_secs(5);
        timeout(at_once, three.gives_way())
            .await
            .expect("the longest idle");
        drop(three);
        let busy_too = four.use_of().begin();
        let five = admit().expect("the first gives way");
        timeout(at_once, one.gives_way()).await.expect("idle");
        let all_busy = five.use_of().begin();
        assert!(admit().is_none(), "none is idle");
        drop((busy, busy_too, all_busy));
        assert!(admit().is_some());
        assert_eq!(table.refused(), 1);
    }
}
