//! The releases of the shop module: what lies in their folder, kept in memory.

mod archive;
mod folder;

use arc_swap::ArcSwap;
use domain::release::{ReleaseAbout, Version, platform_of_client};
use folder::SeenReleases;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The releases of all platforms.
type ReleaseTable = BTreeMap<String, BTreeMap<Version, Arc<ModuleRelease>>>;

/// A release with its archive.
#[derive(Debug)]
pub struct ModuleRelease {
    /// Its version.
    pub version: Version,
    /// Its description.
    pub about: ReleaseAbout,
    /// SHA-256 of its archive, in hexadecimal.
    pub sha256: String,
    /// Its archive.
    pub zip: Arc<[u8]>,
}

/// The folder of releases and what was last found there.
#[derive(Debug)]
pub struct Releases {
    dir: PathBuf,
    table: ArcSwap<ReleaseTable>,
    seen: Mutex<SeenReleases>,
}

impl Releases {
    /// Returns the releases in `dir`, none until it is read.
    pub(crate) fn new(dir: PathBuf) -> Self {
        Self {
            dir,
            table: ArcSwap::default(),
            seen: Mutex::default(),
        }
    }

    /// Reads the folder. Blocks while files are read.
    pub(crate) fn refresh(&self) {
        let mut seen = self.seen.lock();
        self.table.store(Arc::new(seen.read(&self.dir)));
    }

    /// Returns the release of the highest version for a platform.
    pub fn latest(&self, platform: &str) -> Option<Arc<ModuleRelease>> {
        let table = self.table.load();
        let (_, release) = table.get(platform)?.last_key_value()?;
        Some(Arc::clone(release))
    }

    /// Returns each platform with its highest version, in the order of their names.
    pub fn latest_of_all(&self) -> Vec<(String, Arc<ModuleRelease>)> {
        let table = self.table.load();
        let latest = table.iter().filter_map(|(platform, versions)| {
            let (_, release) = versions.last_key_value()?;
            Some((platform.clone(), Arc::clone(release)))
        });
        latest.collect()
    }

    /// Returns the release of one version for a platform.
    pub fn release(&self, platform: &str, version: Version) -> Option<Arc<ModuleRelease>> {
        self.table.load().get(platform)?.get(&version).cloned()
    }

    /// Returns the highest version for the platform of a client header.
    pub(crate) fn latest_for(&self, client: &str) -> Option<Version> {
        let release = self.latest(&platform_of_client(client)?)?;
        Some(release.version)
    }
}
