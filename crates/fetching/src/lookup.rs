//! Looks up a name once, and passes on its addresses only if a file may be fetched from every one of them.

use crate::fault::{FetchCode, FetchFault};
use crate::interfaces::machine_addresses;
use domain::message;
use domain::source::{SourceAddress, is_public};
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// Addresses that are tried of one response; all of them are checked before.
const TRIED_MAX: usize = 16;

/// What knows the addresses of a name.
pub trait HostLookup: Send + Sync + 'static {
    /// Returns all addresses of a name.
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The look-up of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemLookup;

impl HostLookup for SystemLookup {
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let found = (name, 0).to_socket_addrs()?;
        Ok(found.map(|address| address.ip()).collect())
    }
}

/// Resolves the host of one address that was checked as it is written.
pub(crate) struct CheckedLookup {
    pub address: SourceAddress,
    pub lookup: Arc<dyn HostLookup>,
}

impl fmt::Debug for CheckedLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckedLookup").finish_non_exhaustive()
    }
}

impl CheckedLookup {
    fn checked(&self, timeout: Duration) -> Result<Vec<IpAddr>, FetchFault> {
        let found = match self.address.literal() {
            Some(literal) => vec![literal],
            None => self.looked_up(timeout)?,
        };
        if found.is_empty() {
            return Err(dns_failed());
        }
        if !self.address.is_exempt() {
            // Without knowing which addresses are this machine's, none can be passed.
            let own = machine_addresses().map_err(|_| FetchFault::forbidden_address())?;
            if !found
                .iter()
                .all(|one| is_public(*one) && !own.contains(one))
            {
                return Err(FetchFault::forbidden_address());
            }
        }
        Ok(found)
    }

    /// Looks the name up on a thread of its own, because the system's look-up cannot be told to end.
    fn looked_up(&self, timeout: Duration) -> Result<Vec<IpAddr>, FetchFault> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let (lookup, name) = (Arc::clone(&self.lookup), self.address.host().to_owned());
        std::thread::Builder::new()
            .name("source-lookup".to_owned())
            .spawn(move || sender.send(lookup.addresses(&name)).ok())
            .map_err(|_| dns_failed())?;
        match receiver.recv_timeout(timeout) {
            Ok(found) => found.map_err(|_| dns_failed()),
            Err(_) => Err(FetchFault::timeout()),
        }
    }
}

fn dns_failed() -> FetchFault {
    FetchFault::new(FetchCode::DnsFailed, message::source::dns_failed())
}

impl Resolver for CheckedLookup {
    fn resolve(
        &self,
        uri: &Uri,
        _: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let other = |fault: FetchFault| ureq::Error::Other(Box::new(fault));
        // The client asks for the host of its own request and for nothing else.
        if uri.host() != Some(self.address.host()) {
            return Err(other(FetchFault::forbidden_address()));
        }
        let found = self.checked(*timeout.after).map_err(other)?;
        let mut addresses = self.empty();
        for address in found.into_iter().take(TRIED_MAX) {
            addresses.push(SocketAddr::new(address, self.address.port()));
        }
        Ok(addresses)
    }
}
