//! The parts of a configuration file, and the parameters that select them.

use super::ConfigurationImport;
use crate::invalid::Invalid;
use crate::limits::CONFIGURATION_FILE_PARTS;
use crate::message;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a configuration file, in the order of the file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum FilePart {
    /// The name of the store.
    Store,
    /// Boosts and search settings.
    Relevance,
    /// All synonym groups.
    Synonyms,
    /// All rules.
    Rules,
    /// All filters.
    Filters,
    /// The widget without its custom code.
    Widget,
    /// The watched queries.
    Watched,
    /// The queries that are never suggested.
    HiddenQueries,
}

impl FilePart {
    /// All parts.
    pub const ALL: [Self; CONFIGURATION_FILE_PARTS] = [
        Self::Store,
        Self::Relevance,
        Self::Synonyms,
        Self::Rules,
        Self::Filters,
        Self::Widget,
        Self::Watched,
        Self::HiddenQueries,
    ];

    /// Returns its key in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Relevance => "relevance",
            Self::Synonyms => "synonyms",
            Self::Rules => "rules",
            Self::Filters => "filters",
            Self::Widget => "widget",
            Self::Watched => "watched",
            Self::HiddenQueries => "hiddenQueries",
        }
    }

    /// Returns the part with this key, the inverse of [`Self::name`].
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// Returns whether it is imported without being named: the parts of a revision, but for the store.
    pub fn is_imported_unnamed(self) -> bool {
        !matches!(self, Self::Store | Self::Watched | Self::HiddenQueries)
    }
}

/// Query parameters of `GET …/configuration`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfigurationQuery {
    /// Parts of the file; all if left out.
    #[serde(default)]
    #[schemars(with = "Vec<FilePart>", length(min = 1, max = CONFIGURATION_FILE_PARTS))]
    pub parts: Option<Vec<FilePart>>,
    /// Whether the response is the bare file, to be stored.
    #[serde(default)]
    pub file: bool,
}

/// Query parameters of `PUT …/configuration`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportQuery {
    /// Parts to import; those of the file if left out, but for `store`, `watched` and `hiddenQueries`.
    #[serde(default)]
    #[schemars(with = "Vec<FilePart>", length(min = 1, max = CONFIGURATION_FILE_PARTS))]
    pub parts: Option<Vec<FilePart>>,
    /// Whether records that the file lacks are deleted.
    #[serde(default)]
    pub mode: ImportMode,
}

/// What happens to records that a file lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportMode {
    /// They are deleted: each part becomes what the file has.
    #[default]
    Replace,
    /// They stay.
    Merge,
}

impl ImportMode {
    /// All modes, the default one first.
    pub const ALL: [Self; 2] = [Self::Replace, Self::Merge];

    /// Returns the name used by the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Merge => "merge",
        }
    }
}

/// Returns the parts of `file` to import, in the order of the file.
///
/// Errors: named parts that the file lacks, by `query.parts`.
pub fn parts_of_import(
    file: &ConfigurationImport,
    named: Option<&[FilePart]>,
) -> Result<Vec<FilePart>, Vec<Invalid>> {
    let Some(named) = named else {
        let parts = file.present();
        return Ok(parts.filter(|part| part.is_imported_unnamed()).collect());
    };
    let lacking = named.iter().filter(|part| !file.has(**part));
    let errors: Vec<Invalid> = lacking
        .map(|part| Invalid::new("query.parts", message::file::lacks_part(part.name())))
        .collect();
    match errors.is_empty() {
        true => Ok(file.present().filter(|part| named.contains(part)).collect()),
        false => Err(errors),
    }
}
