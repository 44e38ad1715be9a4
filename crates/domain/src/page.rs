//! Pages of a list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `meta` object of a response with a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// Number of the page, from 1.
    pub page: u32,
    /// Records of a full page.
    pub limit: u32,
    /// Records in all.
    pub total: u64,
    /// Pages in all.
    pub total_pages: u64,
}

impl Meta {
    /// Returns the metadata of page `page` of `total` records.
    pub fn new(page: u32, limit: u32, total: u64) -> Self {
        Self {
            page,
            limit,
            total,
            total_pages: total.div_ceil(u64::from(limit.max(1))),
        }
    }
}
