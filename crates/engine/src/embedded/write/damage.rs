//! Distinguishes errors of a damaged index from those of the machine, which could not read it now for lack of file
//! handles, memory maps, memory or permissions, or because of its disk. The latter leave the index unchanged and are
//! retried.

use crate::EngineError;
use std::io;
use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

/// Whether `error` means that the files differ from what was written.
pub fn is_damage(error: &EngineError) -> bool {
    if let Some(error) = error.source.downcast_ref::<TantivyError>() {
        return is_damaged(error);
    }
    let error = error.source.downcast_ref::<io::Error>();
    error.is_none_or(is_about_contents)
}

fn is_damaged(error: &TantivyError) -> bool {
    match error {
        TantivyError::IoError(error)
        | TantivyError::OpenReadError(OpenReadError::IoError {
            io_error: error, ..
        })
        | TantivyError::OpenWriteError(OpenWriteError::IoError {
            io_error: error, ..
        })
        | TantivyError::OpenDirectoryError(
            OpenDirectoryError::FailedToCreateTempDir(error)
            | OpenDirectoryError::IoError {
                io_error: error, ..
            },
        )
        | TantivyError::LockFailure(LockError::IoError(error), _) => is_about_contents(error),
        TantivyError::LockFailure(LockError::LockBusy, _)
        | TantivyError::Poisoned
        | TantivyError::ErrorInThread(_)
        | TantivyError::SystemError(_) => false,
        _ => true,
    }
}

/// Whether an error is about the contents of files or about missing files. Readers report invalid contents themselves, so
/// a missing file is the only such error of the operating system.
fn is_about_contents(error: &io::Error) -> bool {
    error.raw_os_error().is_none() || error.kind() == io::ErrorKind::NotFound
}

#[cfg(test)]
mod tests {
    //! 1. Lack of handles, maps, memory, disk space or permissions, and a failing disk, are not damage, in any error
    //!    type.
    //! 2. Missing, truncated or altered files are damage.

    use super::*;
    use std::path::PathBuf;
    use std::sync::Arc;
    use tantivy::error::DataCorruption;

    /// EPERM, EIO, EAGAIN, ENOMEM, EACCES, ENFILE, EMFILE, ENOSPC.
    const SYSTEM_ERRORS: [i32; 8] = [1, 5, 11, 12, 13, 23, 24, 28];

    fn wrapped(error: impl Fn() -> io::Error) -> [EngineError; 4] {
        let during = |error: TantivyError| EngineError::new("open an index", error);
        let path = PathBuf::from("meta.json");
        let read = OpenReadError::wrap_io_error(error(), path.clone());
        let folder = OpenDirectoryError::wrap_io_error(error(), path);
        [
            EngineError::new("find an index", error()),
            during(TantivyError::IoError(Arc::new(error()))),
            during(read.into()),
            during(folder.into()),
        ]
    }

    #[test]
    fn system_errors_are_not_damage() {
        for code in SYSTEM_ERRORS {
            for error in wrapped(|| io::Error::from_raw_os_error(code)) {
                assert!(!is_damage(&error), "{code} as {error:?}");
            }
        }
        let thread = TantivyError::SystemError("no thread".to_owned());
        assert!(!is_damage(&EngineError::new("read an index", thread)));
    }

    #[test]
    fn missing_or_altered_files_are_damage() {
        let missing = wrapped(|| io::Error::from_raw_os_error(2));
        let cut_off = wrapped(|| io::ErrorKind::UnexpectedEof.into());
        let corrupt = DataCorruption::comment_only("no such version");
        let corrupt = EngineError::new("open an index", TantivyError::DataCorruption(corrupt));
        let gone = OpenReadError::FileDoesNotExist(PathBuf::from("a"));
        let gone = EngineError::new("open an index", TantivyError::OpenReadError(gone));
        for error in missing.iter().chain(&cut_off).chain([&corrupt, &gone]) {
            assert!(is_damage(error), "{error:?}");
        }
    }
}
