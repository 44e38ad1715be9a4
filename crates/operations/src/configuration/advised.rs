//! `Advised`: a record with advice on it, and what advice is given on.

use crate::snapshots::snapshot::Saved;
use domain::Language;
use domain::relevance::Advice;
use domain::rule::RuleContent;
use domain::synonym::SynonymGroup;
use schemars::JsonSchema;
use serde::Serialize;

/// A record with the values of it that deserve a second look. The advice is no part of the record or its entity tag.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Advised{T}")]
pub struct Advised<T> {
    /// The record.
    #[serde(flatten)]
    pub record: T,
    /// Values that deserve a second look; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
}

/// The content of a record on which advice is given.
#[derive(Clone, Debug)]
pub enum AdvisedContent {
    /// A synonym group.
    Synonym(SynonymGroup),
    /// A rule.
    Rule(RuleContent),
}

impl AdvisedContent {
    /// Returns the language of the record.
    pub fn language(&self) -> &Language {
        match self {
            Self::Synonym(group) => &group.language,
            Self::Rule(rule) => &rule.language,
        }
    }
}

/// Returns the records of `saved` among these resources on which advice is given, each with its resource.
pub(crate) fn advised_of(saved: &Saved, resources: &[&str]) -> Vec<(String, AdvisedContent)> {
    let records = &saved.records;
    let content = |resource: &str| match resource.split_once('/')? {
        ("synonyms", id) => {
            let found = records.synonyms.iter().find(|one| one.id.as_str() == id);
            found.map(|one| AdvisedContent::Synonym(one.group.clone()))
        }
        ("rules", id) => {
            let found = records.rules.iter().find(|one| one.id.as_str() == id);
            found.map(|one| AdvisedContent::Rule(one.content.clone()))
        }
        _ => None,
    };
    let advised = resources.iter();
    let advised = advised.filter_map(|one| Some(((*one).to_owned(), content(one)?)));
    advised.collect()
}
