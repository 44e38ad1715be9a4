//! `WholeConfiguration`: everything that a configuration file has, read in one view or one transaction.

use crate::configuration::drafts::require_restorable;
use crate::configuration::records;
use crate::{OperationError, Service};
use domain::analytics::HiddenQueries;
use domain::configuration_file::CopySource;
use domain::filter::Filter;
use domain::relevance::Overrides;
use domain::rule::Rule;
use domain::store::Store;
use domain::synonym::{Synonym, SynonymQuery};
use domain::watched::WatchedQueries;
use domain::widget::SavedWidget;
use domain::{Caller, Language, Permit, Timestamp, access};
use storage::{ConfigurationWrite, FormerResource, FormerState, StorageError};

/// The whole configuration of a store, its records in the order of a file.
#[derive(Clone, Debug)]
pub(super) struct WholeConfiguration {
    pub revision: i64,
    pub store: Store,
    pub overrides: Overrides,
    pub synonyms: Vec<Synonym>,
    pub rules: Vec<Rule>,
    pub filters: Vec<Filter>,
    pub widget: SavedWidget,
    pub watched: WatchedQueries,
    pub hidden: HiddenQueries,
}

impl WholeConfiguration {
    /// Reads the configuration of a store in one view.
    ///
    /// Errors: `NotFound` for an unknown store.
    pub async fn read(
        service: &Service,
        permit: &Permit<access::Read>,
    ) -> Result<Self, OperationError> {
        let mut reading = records::view(service, permit).await?;
        Ok(Self::of_view(&mut reading).await?.ordered())
    }

    /// Reads what a copy names, also a former state.
    ///
    /// Errors: as a read of that store; `NotFound` and `Conflict` for a revision as a restore.
    pub async fn of_source(
        service: &Service,
        caller: &Caller,
        source: &CopySource,
    ) -> Result<Self, OperationError> {
        let permit = access::read(caller, &source.store_id)?;
        let mut reading = records::view(service, &permit).await?;
        let mut whole = Self::of_view(&mut reading).await?;
        if let Some(number) = source.revision {
            let first = reading.restorable_from().await?;
            require_restorable(number, first, reading.revision())?;
            for former in reading.states_after(number).await? {
                whole.return_to(former);
            }
        }
        Ok(whole.ordered())
    }

    async fn of_view(reading: &mut storage::ConfigurationView) -> Result<Self, StorageError> {
        Ok(Self {
            revision: reading.revision(),
            store: reading.store().await?,
            overrides: reading.overrides().await?,
            synonyms: reading.synonyms(&SynonymQuery::default(), None).await?,
            rules: reading.rules(None).await?,
            filters: reading.filters().await?,
            widget: reading.widget().await?,
            watched: WatchedQueries {
                queries: reading.watched_queries().await?,
            },
            hidden: reading.hidden_queries().await?,
        })
    }

    /// Reads the configuration as a transaction has it.
    pub async fn of_write(write: &mut ConfigurationWrite) -> Result<Self, StorageError> {
        let rows = write.synonyms().await?;
        let whole = Self {
            revision: write.before().config_revision,
            store: write.before().clone(),
            overrides: write.relevance().await?,
            synonyms: rows.into_iter().map(|row| row.synonym).collect(),
            rules: write.rules().await?,
            filters: write.filters().await?,
            widget: write.widget().await?,
            watched: WatchedQueries {
                queries: write.watched_queries().await?,
            },
            hidden: write.hidden_queries().await?,
        };
        Ok(whole.ordered())
    }

    /// Brings the records into the order of a file, which depends on nothing but them.
    fn ordered(mut self) -> Self {
        let key = |language: &Language, created: Timestamp, id: &str| {
            (language.clone(), created.0, id.to_owned())
        };
        self.synonyms
            .sort_by_cached_key(|one| key(&one.group.language, one.created_at, one.id.as_str()));
        self.rules
            .sort_by_cached_key(|one| key(&one.content.language, one.created_at, one.id.as_str()));
        self.filters.sort_by_cached_key(|one| {
            let id = one.id.as_str().to_owned();
            (one.content.position, one.created_at.0, id)
        });
        self
    }

    fn return_to(&mut self, former: FormerResource) {
        match former.state {
            Some(FormerState::Relevance(overrides)) => self.overrides = overrides,
            Some(FormerState::Widget(widget)) => self.widget = widget,
            Some(FormerState::Store { name, dev_url }) => {
                self.store.name = name;
                self.store.dev_url = dev_url;
            }
            Some(FormerState::Synonym(_, synonym)) => {
                self.synonyms.retain(|one| one.id != synonym.id);
                self.synonyms.push(synonym);
            }
            Some(FormerState::Rule(rule)) => {
                self.rules.retain(|one| one.id != rule.id);
                self.rules.push(rule);
            }
            Some(FormerState::Filter(filter)) => {
                self.filters.retain(|one| one.id != filter.id);
                self.filters.push(filter);
            }
            None => self.forget(&former.resource),
        }
    }

    fn forget(&mut self, resource: &str) {
        let Some((kind, id)) = resource.split_once('/') else {
            return;
        };
        match kind {
            "synonyms" => self.synonyms.retain(|one| one.id.as_str() != id),
            "rules" => self.rules.retain(|one| one.id.as_str() != id),
            "filters" => self.filters.retain(|one| one.id.as_str() != id),
            _ => {}
        }
    }
}
