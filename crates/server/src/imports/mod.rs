//! The import of a file: read to its end first, then stored through the feed operations. The command line, the control
//! panel and fetched files share it.
//!
//! Whoever has a file (a spooled one, or one of the command line) makes a [`FileImport`] of it and calls [`import`] with a
//! [`Destination`] and an [`ImportControl`], which reports progress and cancels:
//!
//! ```ignore
//! let (control, cancel) = ImportControl::new(|progress: ImportProgress| …);
//! let mut destination = Destination::Service { service: &service, caller: &caller };
//! let store = destination.store(&scope.store).await?;
//! let import = FileImport {
//!     settings: settings("feed.csv", &scope, &store, mapping, now), // then `charset` of the response, if there is one
//!     file,                                   // read from its start; dropped at the end, so an unlinked one is gone then
//!     scope,                                  // store, type and language
//!     folder: folder(&data_dir)?,             // of temporary files without a name, as large as the unpacked file
//!     is_complete: true,                      // what is not in the file is removed, by a run and its breaker
//! };
//! let result: ImportResult = import(import, &mut destination, &control).await?;
//! ```
//!
//! A file that is no catalogue is a result with `error`, in which nothing was stored. [`ImportFailure`] is all else that
//! ends an import early: storage refuses, the disk is full, it was cancelled. What was stored by then stays, and nothing is
//! removed.

mod control;
mod destination;
mod failure;
mod fetch_thread;
mod fetching;
mod file_import;
mod file_with_room;
mod folder;
pub mod mapping;
mod panel_import;
mod read_file;
mod receiving;
mod sending;
mod uploads;
mod working;

pub use control::{CancelImport, ImportControl, ImportProgress};
pub use destination::{BlockResponse, Destination};
pub use failure::ImportFailure;
pub use fetch_thread::{NoFile, fetch_on_thread};
pub use fetching::AddressedFile;
pub use file_import::{FileImport, import, preview, store_read};
pub use file_with_room::FileWithRoom;
pub use folder::{check_room, folder};
pub use panel_import::ImportChoice;
pub use read_file::{read_file, settings};
pub use uploads::{ShownImport, UploadPhase, UploadProgress, Uploads};
