//! What the user says about a file: its profile, its marks, and the targets of columns.

use super::profile::ColumnProfile;
use super::target_name::MappedTarget;
use encoding_rs::Encoding;

/// What the user says about a file; all of it may be left out.
#[derive(Clone, Debug, Default)]
pub struct MappingOptions {
    /// Whose names the columns have.
    pub profile: Option<ColumnProfile>,
    /// Encoding of the text.
    pub encoding: Option<&'static Encoding>,
    /// Delimiter of CSV.
    pub delimiter: Option<u8>,
    /// Decimal mark of numbers, `.` or `,`.
    pub decimal: Option<char>,
    /// Base currency where the store declares none.
    pub currency: Option<String>,
    /// Address that relative ones are resolved against.
    pub base_url: Option<String>,
    /// Template of the address of a product's page.
    pub url_template: Option<String>,
    /// Code of Magento's store view whose cells replace the default ones.
    pub store_view: Option<String>,
    /// Targets of columns, in the order in which they count.
    pub columns: Vec<MappedColumn>,
}

/// A column and what it is taken as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedColumn {
    /// The column, or a path with `/` in XML and JSON.
    pub source: String,
    /// What it is taken as.
    pub targets: Vec<MappedTarget>,
}

impl MappedColumn {
    /// Parses `SOURCE=TARGET`, split at the last `=`.
    ///
    /// Errors: the reason.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (source, target) = text
            .rsplit_once('=')
            .ok_or_else(|| format!("{text} has no ="))?;
        if source.trim().is_empty() {
            return Err(format!("{text} names no column"));
        }
        Ok(Self {
            source: source.trim().to_owned(),
            targets: vec![MappedTarget::parse(target)?],
        })
    }
}
