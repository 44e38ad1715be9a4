//! Everything that executes a query: the shopper's search and suggestions, the simulator and previews of the panel, and
//! what they share, trials, the ranking, responses and the scheduler.
//!
//! May import every other folder but `maintenance`.

mod advice;
mod compute;
mod configured;
mod corrected;
pub mod field_values;
mod fields;
pub mod impact;
mod labels;
pub(crate) mod mistyped;
pub mod names;
pub mod preview;
pub mod products;
pub(crate) mod ranking;
pub(crate) mod responses;
pub(crate) mod scheduler;
mod shopper_search;
pub mod simulator;
mod slow;
pub(crate) mod state;
pub mod suggest;
mod suggestions;
pub(crate) mod trial;
pub(crate) mod visitor;
pub mod widget_config;

pub(crate) use compute::rank_type;
pub(crate) use fields::FilterableFields;
pub(crate) use labels::{field_label, value_label};
pub use responses::{
    BannerView, FacetValueView, FacetView, Highlight, ListHit, ListHits, ProductHit, ProductHits,
    RedirectView, SearchResponse, SharedCompression,
};
pub(crate) use shopper_search::cached_or_computed;
pub use shopper_search::search;
