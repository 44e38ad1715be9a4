//! Pages of lists that REST returns whole: clients of tools limit the size of a result.

use crate::http::inputs::input;
use domain::limits::TOOL_PAGE_MAX;
use domain::page::Meta;
use operations::records::Listed;
use schemars::JsonSchema;
use serde::Deserialize;

/// Records per page if `limit` is missing.
const LIMIT_DEFAULT: u32 = 20;

/// Arguments that request a page. Without them the tool returns the whole list, as far as it fits.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Paging {
    /// Page number, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    page: Option<u32>,
    /// Records per page, 1 to 100; default 20.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = TOOL_PAGE_MAX))]
    limit: Option<u32>,
}

input!(Paging);

impl Paging {
    /// Returns the paging of these arguments.
    pub fn new(page: Option<u32>, limit: Option<u32>) -> Self {
        Self { page, limit }
    }

    /// Returns the requested page of a list.
    pub fn of<T>(self, listed: Listed<T>) -> Listed<T> {
        if self.page.is_none() && self.limit.is_none() {
            return listed;
        }
        let (page, limit) = (self.page.unwrap_or(1), self.limit.unwrap_or(LIMIT_DEFAULT));
        let meta = Meta::new(page, limit, listed.records.len() as u64);
        let before = (page as usize - 1).saturating_mul(limit as usize);
        let records = listed.records.into_iter().skip(before);
        Listed {
            records: records.take(limit as usize).collect(),
            meta: Some(meta),
            ..listed
        }
    }
}
