//! Sources: addresses from which the catalogue of a store is fetched, and what of them is refused (docs/import.md).

mod address;
mod allowed_host;
mod network;
mod settings;
mod state;

pub use address::{RedirectFault, SOURCE_PORTS, SourceAddress, SourceRules, without_query};
pub use allowed_host::AllowedHost;
pub use network::is_public;
pub use settings::{
    PatchedSource, SourceAuth, SourceAuthInput, SourceAuthKind, SourceMode, SourcePatch,
    SourceSettings,
};
pub use state::{
    FETCHES_KEPT, FetchOutcome, FetchTrigger, SOURCES_OFF, SourceAuthView, SourceFetch,
    SourceState, SourceStatus, SourceSummary, SourceView,
};
