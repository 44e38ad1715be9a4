//! Reads the folder of releases: `<platform>/<platform>-<x.y.z>.zip`, each with its description in a `.json` beside it.

use super::archive::is_whole;
use super::{ModuleRelease, ReleaseTable};
use crate::runtime::content_hash::digest;
use domain::limits::{
    RELEASE_ABOUT_BYTES_MAX, RELEASE_PLATFORMS_MAX, RELEASE_ZIP_BYTES_MAX, RELEASES_BYTES_MAX,
    RELEASES_OF_PLATFORM_MAX,
};
use domain::release::{ReleaseAbout, Version};
use domain::store::is_platform;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Files of one folder that are looked at; a folder of releases has few.
const FILES_MAX: usize = 1_000;

/// What is known of the files of one release: it is read again when they change.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    zip: Option<(SystemTime, u64)>,
    json: Option<(SystemTime, u64)>,
}

impl Stamp {
    fn of(zip: &Path) -> Self {
        let stamp = |path: &Path| {
            let about = fs::metadata(path).ok()?;
            Some((about.modified().ok()?, about.len()))
        };
        Self {
            zip: stamp(zip),
            json: stamp(&zip.with_extension("json")),
        }
    }
}

/// The releases as they were last read, valid or not.
#[derive(Debug, Default)]
pub(super) struct SeenReleases {
    files: HashMap<PathBuf, (Stamp, Option<Arc<ModuleRelease>>)>,
    /// What was logged for its name, at most [`FILES_MAX`] paths.
    ignored: HashSet<PathBuf>,
}

impl SeenReleases {
    /// Reads what changed in `dir` since the last time, and logs everything that is new and invalid.
    pub fn read(&mut self, dir: &Path) -> ReleaseTable {
        let mut before = std::mem::take(&mut self.files);
        let mut table = ReleaseTable::new();
        let mut room = RELEASES_BYTES_MAX;
        let (platforms, others) = names(dir)
            .into_iter()
            .partition::<Vec<_>, _>(|name| is_platform(name));
        self.ignore(dir, others);
        for platform in platforms.into_iter().take(RELEASE_PLATFORMS_MAX) {
            let mut valid = BTreeMap::new();
            let of_platform = dir.join(&platform);
            let (archives, others) = archives(&of_platform, &platform);
            self.ignore(&of_platform, others);
            for (version, zip) in archives {
                if valid.len() == RELEASES_OF_PLATFORM_MAX {
                    break;
                }
                let stamp = Stamp::of(&zip);
                let release = match before.remove(&zip) {
                    Some((known, release)) if known == stamp => release,
                    _ => read_or_log(&zip, version, room),
                };
                if let Some(release) = &release {
                    room = room.saturating_sub(release.zip.len() as u64);
                    valid.insert(version, Arc::clone(release));
                }
                self.files.insert(zip, (stamp, release));
            }
            if !valid.is_empty() {
                table.insert(platform, valid);
            }
        }
        table
    }

    /// Logs once that these names are none of releases.
    fn ignore(&mut self, dir: &Path, names: Vec<String>) {
        for path in names.into_iter().map(|name| dir.join(name)) {
            if self.ignored.len() < FILES_MAX && self.ignored.insert(path.clone()) {
                tracing::warn!(
                    file = %path.display(),
                    "not a release of the shop module: they are PLATFORM/PLATFORM-X.Y.Z.zip with a .json beside it"
                );
            }
        }
    }
}

/// Returns the names in a folder, in order; none if it cannot be read.
fn names(dir: &Path) -> Vec<String> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            tracing::debug!(dir = %dir.display(), %error, "a folder of releases cannot be read");
            return Vec::new();
        }
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.take(FILES_MAX).collect();
    names.sort_unstable();
    names
}

/// Returns the archives of a platform, the highest version first, and the names of what belongs to none of them.
fn archives(dir: &Path, platform: &str) -> (Vec<(Version, PathBuf)>, Vec<String>) {
    let version = |name: &str, extension: &str| {
        let text = name.strip_prefix(platform)?.strip_prefix('-')?;
        Version::parse(text.strip_suffix(extension)?)
    };
    let names = names(dir);
    let found = names
        .iter()
        .filter_map(|name| Some((version(name, ".zip")?, dir.join(name))));
    let mut archives: Vec<(Version, PathBuf)> = found.collect();
    archives.sort_unstable_by(|a, b| b.cmp(a));
    let described = |version: Version| archives.iter().any(|(own, _)| *own == version);
    let is_other = |name: &String| {
        version(name, ".zip").is_none() && !version(name, ".json").is_some_and(described)
    };
    let others = names.into_iter().filter(is_other).collect();
    (archives, others)
}

fn read_or_log(zip: &Path, version: Version, room: u64) -> Option<Arc<ModuleRelease>> {
    match read(zip, version, room) {
        Ok(release) => {
            tracing::info!(file = %zip.display(), "release of the shop module");
            Some(Arc::new(release))
        }
        Err(reason) => {
            tracing::warn!(file = %zip.display(), reason, "a release of the shop module is not valid");
            None
        }
    }
}

fn read(zip: &Path, version: Version, room: u64) -> Result<ModuleRelease, String> {
    let about = content(&zip.with_extension("json"), RELEASE_ABOUT_BYTES_MAX)
        .map_err(|reason| format!("its description: {reason}"))?;
    let about: ReleaseAbout = serde_json::from_slice(&about)
        .map_err(|error| format!("its description is not valid: {error}"))?;
    about.check(version)?;
    let bytes = content(zip, RELEASE_ZIP_BYTES_MAX)?;
    if !is_whole(&bytes) {
        return Err("is no whole ZIP archive".to_owned());
    }
    if bytes.len() as u64 > room {
        return Err(format!(
            "exceeds {RELEASES_BYTES_MAX} bytes of all releases"
        ));
    }
    Ok(ModuleRelease {
        sha256: digest(&bytes),
        version,
        about,
        zip: bytes.into(),
    })
}

/// Returns the content of a file of at most `max` bytes.
fn content(path: &Path, max: u64) -> Result<Vec<u8>, String> {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (about, file) = opened.map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("is no file".to_owned());
    }
    let mut bytes = Vec::new();
    let read = file.take(max + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    match bytes.len() as u64 > max {
        true => Err(format!("must have at most {max} bytes")),
        false => Ok(bytes),
    }
}
