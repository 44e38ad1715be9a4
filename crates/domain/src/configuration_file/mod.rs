//! Configuration files: a whole configuration as one file, and what such a file is imported with (docs/api.md, "The
//! configuration as one file").

mod file_part;
mod group;
mod record;

pub use file_part::{ConfigurationQuery, FilePart, ImportMode, ImportQuery, parts_of_import};
pub use group::FileGroup;
pub use record::FileRecord;

use crate::analytics::HiddenQueries;
use crate::filter::NewFilter;
use crate::invalid::Invalid;
use crate::limits::{NAME_CHARACTERS_MAX, RECORD_ID_CHARACTERS_MAX};
use crate::message;
use crate::published_schema;
use crate::relevance::RelevanceChange;
use crate::rule::NewRule;
use crate::watched::WatchedQueries;
use crate::widget::WidgetPatch;
use crate::{Language, StoreId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Value of `format` of every configuration file.
pub const FILE_FORMAT: &str = "findwell-configuration";
/// The version of configuration files that this service writes, and the latest that it reads.
pub const FILE_VERSION: u32 = 1;

/// A configuration file as sent, or the store to copy in place of one.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = {"anyOf": [
    published_schema::object_schema(json!({}), &["format", "version"]),
    published_schema::object_schema(json!({}), &["copyFrom"]),
]}))]
pub struct ConfigurationImport {
    /// That it is a configuration file.
    #[serde(default)]
    #[schemars(with = "String", extend("enum" = [FILE_FORMAT]))]
    pub format: Option<String>,
    /// Version of the format.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = FILE_VERSION))]
    pub version: Option<u32>,
    /// Revision of the exported configuration; ignored.
    #[serde(default)]
    #[schemars(with = "u64")]
    pub revision: Option<u64>,
    /// The exported store, of which only the name can be imported.
    #[serde(default)]
    #[schemars(with = "FileStore")]
    pub store: Option<FileStore>,
    /// Boosts and search settings that differ from the defaults.
    #[serde(default)]
    #[schemars(with = "RelevanceChange")]
    pub relevance: Option<RelevanceChange>,
    /// Synonym groups.
    #[serde(default)]
    #[schemars(with = "Vec<FileRecord<FileGroup>>")]
    pub synonyms: Option<Vec<FileRecord<FileGroup>>>,
    /// Rules.
    #[serde(default)]
    #[schemars(with = "Vec<FileRecord<NewRule>>")]
    pub rules: Option<Vec<FileRecord<NewRule>>>,
    /// Filters.
    #[serde(default)]
    #[schemars(with = "Vec<FileRecord<NewFilter>>")]
    pub filters: Option<Vec<FileRecord<NewFilter>>>,
    /// The widget, without its custom code.
    #[serde(default)]
    #[schemars(with = "WidgetPatch")]
    pub widget: Option<WidgetPatch>,
    /// The watched queries.
    #[serde(default)]
    #[schemars(with = "WatchedQueries")]
    pub watched: Option<WatchedQueries>,
    /// The queries that are never suggested.
    #[serde(default)]
    #[schemars(with = "HiddenQueries")]
    pub hidden_queries: Option<HiddenQueries>,
    /// The store to copy, in place of a file.
    #[serde(default)]
    #[schemars(with = "CopySource")]
    pub copy_from: Option<CopySource>,
}

/// The store of a configuration file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "FileStoreInput")]
pub struct FileStore {
    /// Its id; ignored.
    #[serde(default)]
    #[schemars(with = "String")]
    pub id: Option<String>,
    /// Its name.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = NAME_CHARACTERS_MAX))]
    pub name: Option<String>,
    /// Its languages; ignored.
    #[serde(default)]
    #[schemars(with = "Vec<Language>")]
    pub languages: Option<Vec<Language>>,
}

/// A store whose configuration is copied.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopySource {
    /// Its id.
    #[schemars(with = "String", length(min = 1, max = RECORD_ID_CHARACTERS_MAX))]
    pub store_id: StoreId,
    /// The revision right after which its state is copied; the present state if left out.
    #[serde(default)]
    #[schemars(with = "i64", range(min = 0))]
    pub revision: Option<i64>,
}

impl ConfigurationImport {
    /// Checks that it is either a file of a known version or a copy.
    ///
    /// Errors: every violation, by its path.
    pub fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut errors = Vec::new();
        if self.copy_from.is_some() {
            let others = self.present().map(FilePart::name);
            let head = [
                ("format", self.format.is_some()),
                ("version", self.version.is_some()),
                ("revision", self.revision.is_some()),
            ];
            let head = head.into_iter().filter(|(_, sent)| *sent);
            for name in head.map(|(name, _)| name).chain(others) {
                errors.push(Invalid::new(name, message::file::not_with_copy()));
            }
        } else {
            if self.format.is_none() {
                errors.push(Invalid::new("format", message::value::missing()));
            }
            if self.version.is_none() {
                errors.push(Invalid::new("version", message::value::missing()));
            }
        }
        match errors.is_empty() {
            true => Ok(()),
            false => Err(errors),
        }
    }

    /// Returns the parts that it has.
    pub fn present(&self) -> impl Iterator<Item = FilePart> + '_ {
        FilePart::ALL.into_iter().filter(|part| self.has(*part))
    }

    /// Returns whether it has `part`.
    pub fn has(&self, part: FilePart) -> bool {
        match part {
            FilePart::Store => self.store.is_some(),
            FilePart::Relevance => self.relevance.is_some(),
            FilePart::Synonyms => self.synonyms.is_some(),
            FilePart::Rules => self.rules.is_some(),
            FilePart::Filters => self.filters.is_some(),
            FilePart::Widget => self.widget.is_some(),
            FilePart::Watched => self.watched.is_some(),
            FilePart::HiddenQueries => self.hidden_queries.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. A file needs format and version, a copy excludes both and all parts.
    //! 2. Records are read with and without ids; dates are ignored, other keys rejected.

    use super::*;
    use serde_json::Value;

    fn fields(value: Value) -> Vec<String> {
        let read: ConfigurationImport = serde_json::from_value(value).expect("an import");
        let errors = read.check().err().unwrap_or_default();
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_file_is_no_copy() {
        assert!(fields(json!({"format": FILE_FORMAT, "version": 1})).is_empty());
        assert_eq!(fields(json!({"rules": []})), ["format", "version"]);
        let copy = json!({"copyFrom": {"storeId": "s1"}});
        assert!(fields(copy.clone()).is_empty());
        let mut both = copy;
        both["version"] = json!(1);
        both["filters"] = json!([]);
        assert_eq!(fields(both), ["version", "filters"]);
    }

    #[test]
    fn records_may_have_ids() {
        let group = json!({"id": "g1", "language": "es", "type": "BIDIRECTIONAL", "terms": ["a", "b"],
            "active": false, "createdAt": "2026-01-01T00:00:00Z"});
        let read: FileRecord<FileGroup> = serde_json::from_value(group).expect("a record");
        assert_eq!(read.id.as_deref(), Some("g1"));
        assert!(!read.content.active);
        let unknown = json!({"terms": ["a"], "status": "live"});
        assert!(serde_json::from_value::<FileRecord<FileGroup>>(unknown).is_err());
    }
}
