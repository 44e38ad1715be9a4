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
    let is_named = |resource: &String| resources.contains(&resource.as_str());
    let synonyms = saved.records.synonyms.iter().map(|one| {
        let content = || AdvisedContent::Synonym(one.group.clone());
        (format!("synonyms/{}", one.id), content)
    });
    let synonyms = synonyms.filter(|(resource, _)| is_named(resource));
    let rules = saved.records.rules.iter().map(|one| {
        let content = || AdvisedContent::Rule(one.content.clone());
        (format!("rules/{}", one.id), content)
    });
    let rules = rules.filter(|(resource, _)| is_named(resource));
    let all = synonyms.map(|(resource, content)| (resource, content()));
    all.chain(rules.map(|(resource, content)| (resource, content())))
        .collect()
}
