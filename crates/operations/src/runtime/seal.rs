//! The key in the file `master.key`: encrypts context secrets (XChaCha20-Poly1305), and keys of other purposes are derived
//! from it.

use crate::OperationError;
use crate::runtime::ids;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use storage::Storage;

pub(crate) const KEY_FILE: &str = "master.key";
/// Extension of the key while it is being written; never read.
const EXTENSION_NEW: &str = "key.new";
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
/// What is sealed to compare keys.
const WORD: &str = "master key";

/// Seals and unseals secrets. A sealed secret is bound to a context, so that it cannot be moved to another row.
#[derive(Clone)]
pub(crate) struct Seal(Arc<SealKey>);

struct SealKey {
    cipher: XChaCha20Poly1305,
    /// From which keys of other purposes are derived.
    parent: Hmac<Sha256>,
}

impl Seal {
    /// Opens the seal of the key in `path`; returns whether it was created because there was none, which `may_create`
    /// allows.
    ///
    /// Errors: if the file is missing and may not be created, cannot be read or written, or does not hold a key.
    pub fn open(path: &Path, may_create: bool) -> Result<(Self, bool), OperationError> {
        let shown = path.display();
        let (key, is_new) = match fs::read(path) {
            Ok(key) => (key, false),
            Err(error) if error.kind() == io::ErrorKind::NotFound && may_create => {
                let key = ids::bytes::<KEY_BYTES>()?;
                write_whole(path, &key).map_err(OperationError::internal)?;
                (key.to_vec(), true)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(OperationError::internal(format!(
                    "there is no master key in {shown}; it is created once, for a new database, and copied to wherever the \
                     database is used: (umask 077; head -c {KEY_BYTES} /dev/urandom > {shown})"
                )));
            }
            Err(error) => {
                return Err(OperationError::internal(format!("{shown}: {error}")));
            }
        };
        let cipher = XChaCha20Poly1305::new_from_slice(&key).map_err(|_| {
            OperationError::internal(format!("{shown} does not hold a key of {KEY_BYTES} bytes"))
        })?;
        let parent = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(&key)
            .map_err(OperationError::internal)?;
        Ok((Self(Arc::new(SealKey { cipher, parent })), is_new))
    }

    /// Compares the key with the one that `storage` was first opened with.
    ///
    /// Errors: if it is another one, with which nothing that is sealed there could be read.
    pub async fn check(&self, storage: &Storage, path: &Path) -> Result<(), OperationError> {
        let sealed = storage.kept_seal(&self.seal(WORD, WORD)?).await?;
        match self.unseal(&sealed, WORD) {
            Ok(word) if word == WORD => Ok(()),
            _ => Err(OperationError::internal(format!(
                "the master key in {} is not the one that the database was first opened with",
                path.display()
            ))),
        }
    }

    /// Returns the key for `purpose`, which is the same wherever `master.key` is.
    pub fn derived(&self, purpose: &str) -> [u8; KEY_BYTES] {
        let mut mac = self.0.parent.clone();
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Seals `secret`. Only this seal opens the text, and only for the same `context`.
    pub fn seal(&self, secret: &str, context: &str) -> Result<String, OperationError> {
        let nonce = ids::bytes::<NONCE_BYTES>()?;
        let payload = Payload {
            msg: secret.as_bytes(),
            aad: context.as_bytes(),
        };
        let sealed = self
            .0
            .cipher
            .encrypt(XNonce::from_slice(&nonce), payload)
            .map_err(|_| OperationError::internal("a secret could not be sealed"))?;
        Ok(STANDARD.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// Returns the secret that was sealed for `context`.
    pub fn unseal(&self, sealed: &str, context: &str) -> Result<String, OperationError> {
        let broken = || {
            OperationError::internal(
                "a context secret cannot be unsealed; does master.key belong to this data directory?",
            )
        };
        let bytes = STANDARD.decode(sealed).map_err(|_| broken())?;
        if bytes.len() < NONCE_BYTES {
            return Err(broken());
        }
        let (nonce, sealed) = bytes.split_at(NONCE_BYTES);
        let payload = Payload {
            msg: sealed,
            aad: context.as_bytes(),
        };
        let secret = self
            .0
            .cipher
            .decrypt(XNonce::from_slice(nonce), payload)
            .map_err(|_| broken())?;
        String::from_utf8(secret).map_err(|_| broken())
    }
}

/// Writes the key under another name first, so that the file is complete or missing.
pub(crate) fn write_whole(path: &Path, key: &[u8]) -> io::Result<()> {
    let new = path.with_extension(EXTENSION_NEW);
    // A leftover of a full disk or a kill was never in use. Only a new file gets the requested permissions.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => write_private(&new, key)?,
    }
    fs::rename(&new, path)?;
    path.parent().map_or(Ok(()), sync_directory)
}

fn write_private(path: &Path, key: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(key)?;
    file.sync_all()
}

/// Makes the entries of a directory durable.
#[cfg(unix)]
fn sync_directory(dir: &Path) -> io::Result<()> {
    fs::File::open(dir)?.sync_all()
}

/// Other systems cannot open a directory as a file, and make its entries durable by themselves.
#[cfg(not(unix))]
fn sync_directory(_dir: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(dir: &Path) -> Result<(Seal, bool), OperationError> {
        Seal::open(&dir.join(KEY_FILE), true)
    }

    #[test]
    fn a_missing_key_is_created_only_where_it_may() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("shared.key");
        let missing = Seal::open(&path, false).err().expect("no key");
        assert!(
            crate::causes(&missing).contains("/dev/urandom"),
            "{missing:?}"
        );
        assert!(!path.exists());
        fs::write(&path, [7; 31]).expect("written");
        assert!(Seal::open(&path, true).is_err());
        fs::write(&path, [7; 32]).expect("written");
        assert!(!Seal::open(&path, false).expect("a key").1);
    }

    #[test]
    fn a_secret_opens_only_in_its_context_and_with_its_key() {
        let dir = tempfile::tempdir().expect("a directory");
        let seal = open(dir.path()).expect("creates a key").0;
        let sealed = seal.seal("ctx_x", "s1/i1").expect("seals");
        assert!(!sealed.contains("ctx_x"));
        let again = open(dir.path()).expect("reads the key").0;
        assert_eq!(again.unseal(&sealed, "s1/i1").expect("opens"), "ctx_x");
        assert!(again.unseal(&sealed, "s1/i2").is_err());
        let other = tempfile::tempdir().expect("a directory");
        let other = open(other.path()).expect("creates a key").0;
        assert!(other.unseal(&sealed, "s1/i1").is_err());
        assert!(other.unseal("AAAA", "s1/i1").is_err());
        assert_eq!(seal.derived("a"), again.derived("a"));
        assert_ne!(seal.derived("a"), seal.derived("b"));
        assert_ne!(seal.derived("a"), other.derived("a"));
    }

    #[cfg(unix)]
    #[test]
    fn the_key_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a directory");
        open(dir.path()).expect("creates a key");
        let file = fs::metadata(dir.path().join(KEY_FILE)).expect("a file");
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_leftover_of_a_kill_is_not_a_key() {
        let dir = tempfile::tempdir().expect("a directory");
        let left = dir.path().join("master.key.new");
        fs::write(&left, b"half").expect("writes");
        let seal = open(dir.path()).expect("creates a key").0;
        assert!(!left.exists());
        let sealed = seal.seal("ctx_x", "s1/i1").expect("seals");
        fs::write(&left, b"half").expect("writes");
        let again = open(dir.path()).expect("reads the key").0;
        assert_eq!(again.unseal(&sealed, "s1/i1").expect("opens"), "ctx_x");
    }
}
