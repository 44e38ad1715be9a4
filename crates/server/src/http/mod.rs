//! What all endpoints share: request ids, the response envelope, API keys, and the order of the checks.

pub mod access_log;
pub mod automated;
pub mod body;
pub mod caller;
pub mod coding;
pub mod connection_table;
pub mod connections;
pub mod credentials;
pub mod envelope;
pub mod error;
pub mod failure;
pub mod forwarding;
pub mod guarded;
pub mod in_flight;
pub mod input;
pub mod inputs;
pub mod leftover;
pub mod line_stream;
pub mod media;
pub mod proxies;
pub mod public_address;
pub mod public_file;
pub mod query_string;
pub mod rate_headers;
pub mod record;
pub mod request_id;
pub mod router;
pub mod stall;
pub mod weight;

pub use automated::Automated;
pub use caller::{AccountKey, Feeder, PathId, Shopper, StoreReader, StoreWriter};
pub use envelope::{ApiResult, Success, remarked};
pub use failure::Failure;
pub use guarded::Guarded;
pub use input::{Body, NoInput, OptionalBody, Params};
pub use record::{ReaderOf, RevisionNumber, WriterOf};
