//! Responses to searches, and the caches of responses and of the pages that sessions were shown.
//!
//! How a response is computed is the business of `search`.

mod banners_and_redirects;
mod cache;
mod compression;
mod logged;
mod pages;
mod prepared;
mod response;
mod size;

pub use banners_and_redirects::{BannerView, RedirectView};
pub(crate) use cache::{ResponseCache, ResponseKey};
pub use compression::SharedCompression;
pub(crate) use pages::{EarlierPages, Pages, SessionQueryKey, shown};
pub(crate) use prepared::PreparedSearch;
pub use response::{
    FacetValueView, FacetView, Highlight, ListHit, ListHits, ProductHit, ProductHits,
    SearchResponse,
};
