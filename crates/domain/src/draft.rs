//! Drafts: changes of a store's configuration that are tried and saved together (docs/panel.md, "Drafts").

use crate::filter::{FilterPatch, NewFilter};
use crate::invalid::Invalid;
use crate::limits::{
    CONFIGURATION_PARTS, DRAFT_RECORDS_MAX, RESTORED_RESOURCES_MAX, REVISION_NOTE_CHARACTERS_MAX,
};
use crate::message;
use crate::proposal::NamedProposal;
use crate::relevance::{BoostMerging, Overrides, RelevanceChange};
use crate::rule::{NewRule, RulePatch};
use crate::store::StorePatch;
use crate::synonym::{NewSynonym, SynonymPatch};
use crate::widget::custom_code::CUSTOM_CODE;
use crate::widget::{SavedWidget, WidgetPatch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Changes of a store's configuration; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Draft {
    /// Boosts, which replace the whole map, and search settings.
    #[serde(default)]
    #[schemars(with = "RelevanceChange")]
    pub relevance: Option<RelevanceChange>,
    /// The widget.
    #[serde(default)]
    #[schemars(with = "WidgetPatch")]
    pub widget: Option<WidgetPatch>,
    /// Name and development URL of the store.
    #[serde(default)]
    #[schemars(with = "StorePatch")]
    pub store: Option<StorePatch>,
    /// Synonym groups.
    #[serde(default)]
    pub synonyms: RecordsDraft<NewSynonym, SynonymPatch>,
    /// Rules.
    #[serde(default)]
    pub rules: RecordsDraft<NewRule, RulePatch>,
    /// Filters.
    #[serde(default)]
    pub filters: RecordsDraft<NewFilter, FilterPatch>,
}

/// Changes of the records of one kind: deletions apply first, then updates, then creations.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "N: Deserialize<'de>, P: Deserialize<'de>"))]
#[schemars(rename = "RecordsDraft_{N}")]
pub struct RecordsDraft<N, P> {
    /// Records to create; `draft:<n>` is the id of the one at index `n` until it is saved.
    #[serde(default)]
    #[schemars(length(max = DRAFT_RECORDS_MAX))]
    pub create: Vec<N>,
    /// Records to update, by id.
    #[serde(default)]
    #[schemars(extend("maxProperties" = DRAFT_RECORDS_MAX))]
    pub update: BTreeMap<String, P>,
    /// Ids of records to delete.
    #[serde(default)]
    #[schemars(length(max = DRAFT_RECORDS_MAX))]
    pub delete: Vec<String>,
}

impl<N, P> Default for RecordsDraft<N, P> {
    fn default() -> Self {
        Self {
            create: Vec::new(),
            update: BTreeMap::new(),
            delete: Vec::new(),
        }
    }
}

impl<N, P> RecordsDraft<N, P> {
    /// Returns the number of records that it changes.
    pub fn count(&self) -> usize {
        self.create.len() + self.update.len() + self.delete.len()
    }

    /// Returns the ids of the records that it changes and that exist before.
    pub fn present(&self) -> impl Iterator<Item = &str> {
        let updated = self.update.keys().map(String::as_str);
        updated.chain(self.delete.iter().map(String::as_str))
    }

    fn check(&self, path: &str, errors: &mut Vec<Invalid>) {
        let mut seen = BTreeSet::new();
        for (at, id) in self.delete.iter().enumerate() {
            let path = format!("draft.{path}.delete[{at}]");
            if self.update.contains_key(id) {
                errors.push(Invalid::new(path, message::draft::also_updated()));
            } else if !seen.insert(id) {
                errors.push(Invalid::new(path, message::draft::occurs_twice()));
            }
        }
    }
}

impl Draft {
    /// Checks what concerns the draft as a whole.
    ///
    /// Errors: every violation, by its path in a request with the field `draft`.
    pub fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut errors = Vec::new();
        let count = self.synonyms.count() + self.rules.count() + self.filters.count();
        if count > DRAFT_RECORDS_MAX {
            let reason = message::list::records_at_most(DRAFT_RECORDS_MAX, count);
            errors.push(Invalid::new("draft", reason));
        }
        self.synonyms.check("synonyms", &mut errors);
        self.rules.check("rules", &mut errors);
        self.filters.check("filters", &mut errors);
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Returns what is wrong with its values whatever is saved, by its path in a request with the field `draft`.
    ///
    /// Updates of records are left out: what they make depends on the record.
    pub fn value_errors(self) -> Vec<Invalid> {
        let mut errors = self.check().err().unwrap_or_default();
        let mut of = |path: String, wrong: Option<Vec<Invalid>>| {
            let wrong = wrong.into_iter().flatten();
            errors.extend(wrong.map(|error| error.under(&path)));
        };
        if let Some(store) = self.store {
            of("draft.store".to_owned(), store.check().err());
        }
        if let Some(change) = self.relevance {
            let applied = Overrides::default().apply(&change, BoostMerging::Replace);
            of("draft.relevance".to_owned(), applied.err());
        }
        for (at, new) in self.synonyms.create.into_iter().enumerate() {
            // Saving compares terms after analysis, so it may still reject terms that differ in lower case.
            let checked = new.check(&|term| term.trim().to_lowercase());
            of(format!("draft.synonyms.create[{at}]"), checked.err());
        }
        for (at, new) in self.rules.create.into_iter().enumerate() {
            of(format!("draft.rules.create[{at}]"), new.check().err());
        }
        for (at, new) in self.filters.create.into_iter().enumerate() {
            let checked = new.check(0, &mut String::new);
            of(format!("draft.filters.create[{at}]"), checked.err());
        }
        if let Some(widget) = self.widget {
            let applied = SavedWidget::default().apply(widget);
            of("draft.widget".to_owned(), applied.err());
        }
        errors
    }

    /// Returns the resources that it changes and that exist before, such as `relevance` or `rules/<id>`.
    pub fn resources(&self) -> Vec<String> {
        let parts = [
            ("relevance", self.relevance.is_some()),
            ("widget", self.widget.is_some()),
            ("store", self.store.is_some()),
        ];
        let parts = parts.into_iter().filter(|(_, changed)| *changed);
        let mut all: Vec<String> = parts.map(|(name, _)| name.to_owned()).collect();
        let of = |kind: &str, id: &str| format!("{kind}/{id}");
        all.extend(self.synonyms.present().map(|id| of("synonyms", id)));
        all.extend(self.rules.present().map(|id| of("rules", id)));
        all.extend(self.filters.present().map(|id| of("filters", id)));
        all
    }
}

/// Request that saves a draft.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangesRequest {
    /// The draft.
    pub draft: Draft,
    /// Entity tag of each present resource that the draft changes, such as `relevance` or `rules/<id>`.
    #[serde(default)]
    #[schemars(extend("maxProperties" = DRAFT_RECORDS_MAX + 3))]
    pub if_match: BTreeMap<String, String>,
    /// Why it is changed, for the history.
    #[serde(default)]
    #[schemars(with = "String", length(max = REVISION_NOTE_CHARACTERS_MAX))]
    pub note: Option<String>,
    /// The proposal that the draft was made of, which is applied with it; reserved to the control panel.
    #[serde(default)]
    #[schemars(with = "NamedProposal")]
    pub proposal: Option<NamedProposal>,
}

/// A part of a configuration that can be restored as a whole.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ConfigurationPart {
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
    /// The custom code of the widget.
    Custom,
    /// Name and development URL of the store.
    Store,
}

impl ConfigurationPart {
    /// Returns whether `resource` belongs to it.
    fn includes(self, resource: &str) -> bool {
        let (name, kind) = (self.name(), resource.split('/').next());
        // Custom code has a name below that of the widget, and is a part of its own.
        resource == name || (kind == Some(name) && resource != CUSTOM_CODE)
    }

    /// Returns the name of its resource, or what the names of its resources start with.
    fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Synonyms => "synonyms",
            Self::Rules => "rules",
            Self::Filters => "filters",
            Self::Widget => "widget",
            Self::Custom => CUSTOM_CODE,
            Self::Store => "store",
        }
    }
}

/// Request that restores a revision: some parts, or single resources.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestoreRequest {
    /// The parts to restore.
    #[serde(default)]
    #[schemars(with = "Vec<ConfigurationPart>", length(min = 1, max = CONFIGURATION_PARTS))]
    pub parts: Option<Vec<ConfigurationPart>>,
    /// The resources to restore, such as `rules/<id>`.
    #[serde(default)]
    #[schemars(with = "Vec<String>", length(min = 1, max = RESTORED_RESOURCES_MAX))]
    pub resources: Option<Vec<String>>,
    /// The latest revision that the caller knows.
    pub if_revision: i64,
    /// Whether to return the changes without saving them.
    #[serde(default)]
    pub dry_run: bool,
}

/// What a request restores.
#[derive(Clone, Debug, PartialEq)]
pub enum RestoreSelection {
    /// These parts.
    Parts(Vec<ConfigurationPart>),
    /// These resources.
    Resources(Vec<String>),
}

impl RestoreSelection {
    /// Returns whether `resource` is selected.
    pub fn includes(&self, resource: &str) -> bool {
        match self {
            Self::Parts(parts) => parts.iter().any(|part| part.includes(resource)),
            Self::Resources(resources) => resources.iter().any(|one| one == resource),
        }
    }
}

impl RestoreRequest {
    /// Returns what is to be restored.
    ///
    /// Errors: every invalid value, by its path.
    pub fn selection(&self) -> Result<RestoreSelection, Vec<Invalid>> {
        match (&self.parts, &self.resources) {
            (Some(parts), None) => Ok(RestoreSelection::Parts(parts.clone())),
            (None, Some(resources)) => {
                let wrong = resources
                    .iter()
                    .enumerate()
                    .filter(|(_, name)| !is_resource(name));
                let errors: Vec<Invalid> = wrong
                    .map(|(at, _)| {
                        let reason = message::draft::resource();
                        Invalid::new(format!("resources[{at}]"), reason)
                    })
                    .collect();
                if errors.is_empty() {
                    Ok(RestoreSelection::Resources(resources.clone()))
                } else {
                    Err(errors)
                }
            }
            _ => Err(vec![Invalid::new(
                "parts",
                message::draft::parts_or_resources(),
            )]),
        }
    }
}

fn is_resource(name: &str) -> bool {
    match name.split_once('/') {
        None => matches!(name, "relevance" | "widget" | "store"),
        Some(_) if name == CUSTOM_CODE => true,
        Some((kind, id)) => matches!(kind, "synonyms" | "rules" | "filters") && !id.is_empty(),
    }
}
