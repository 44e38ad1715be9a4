//! Which errors of an opening say that an index is damaged. All others say that the machine could not read it now, for
//! want of handles, maps, memory or rights, or because its disk failed: then it stays as it is, and is tried again.

use crate::EngineError;
use std::io;
use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

/// Whether `error` tells that what is on disk is not what was once written.
pub fn is_damage(error: &EngineError) -> bool {
    if let Some(error) = error.source.downcast_ref::<TantivyError>() {
        return is_damaged(error);
    }
    let error = error.source.downcast_ref::<io::Error>();
    error.is_none_or(is_of_contents)
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
        | TantivyError::LockFailure(LockError::IoError(error), _) => is_of_contents(error),
        TantivyError::LockFailure(LockError::LockBusy, _)
        | TantivyError::Poisoned
        | TantivyError::ErrorInThread(_)
        | TantivyError::SystemError(_) => false,
        _ => true,
    }
}

/// Whether an error is about what files hold, or that there are none. Readers find that out by themselves; of the errors
/// of the system only a missing file is of this kind.
fn is_of_contents(error: &io::Error) -> bool {
    error.raw_os_error().is_none() || error.kind() == io::ErrorKind::NotFound
}

#[cfg(test)]
mod tests {
    //! 1. Want of handles, maps, memory, room or rights, and a disk that fails, are no damage, however they are told.
    //! 2. What is missing, cut off or not what was written is damage.

    use super::*;
    use std::path::PathBuf;
    use std::sync::Arc;
    use tantivy::error::DataCorruption;

    /// EPERM, EIO, EAGAIN, ENOMEM, EACCES, ENFILE, EMFILE, ENOSPC.
    const WANTS: [i32; 8] = [1, 5, 11, 12, 13, 23, 24, 28];

    fn told(error: impl Fn() -> io::Error) -> [EngineError; 4] {
        let during = |error: TantivyError| EngineError::new("open an index", error);
        let path = PathBuf::from("meta.json");
        let read = OpenReadError::wrap_io_error(error(), path.clone());
        let folder = OpenDirectoryError::wrap_io_error(error(), path);
        [
            EngineError::new("look for an index", error()),
            during(TantivyError::IoError(Arc::new(error()))),
            during(read.into()),
            during(folder.into()),
        ]
    }

    #[test]
    fn wants_are_no_damage() {
        for want in WANTS {
            for error in told(|| io::Error::from_raw_os_error(want)) {
                assert!(!is_damage(&error), "{want} as {error:?}");
            }
        }
        let thread = TantivyError::SystemError("no thread".to_owned());
        assert!(!is_damage(&EngineError::new("read an index", thread)));
    }

    #[test]
    fn what_is_not_as_it_was_written_is_damage() {
        let missing = told(|| io::Error::from_raw_os_error(2));
        let cut_off = told(|| io::ErrorKind::UnexpectedEof.into());
        let corrupt = DataCorruption::comment_only("no such version");
        let corrupt = EngineError::new("open an index", TantivyError::DataCorruption(corrupt));
        let gone = OpenReadError::FileDoesNotExist(PathBuf::from("a"));
        let gone = EngineError::new("open an index", TantivyError::OpenReadError(gone));
        for error in missing.iter().chain(&cut_off).chain([&corrupt, &gone]) {
            assert!(is_damage(error), "{error:?}");
        }
    }
}
