//! Extractors for requests about one record of a store: the permission is checked first, then that the record exists.

use super::caller::{StoreReader, StoreWriter, decoded_id};
use super::failure::Failure;
use crate::App;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::{Caller, FilterId, ProposalId, RuleId, StoreId, SynonymId};
use operations::records::{RecordKind, require};

/// The id of a record of a store.
pub trait RecordId: From<String> {
    /// The kind of the record.
    const KIND: RecordKind;
    /// Name of the path parameter.
    const PARAMETER: &'static str;
}

impl RecordId for SynonymId {
    const KIND: RecordKind = RecordKind::Synonym;
    const PARAMETER: &'static str = "synId";
}

impl RecordId for RuleId {
    const KIND: RecordKind = RecordKind::Rule;
    const PARAMETER: &'static str = "ruleId";
}

impl RecordId for FilterId {
    const KIND: RecordKind = RecordKind::Filter;
    const PARAMETER: &'static str = "filterId";
}

/// The revision number in the path, unparsed.
#[derive(Clone, Debug)]
pub struct RevisionNumber(pub String);

impl FromRequestParts<App> for RevisionNumber {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        parameter(parts, app, "n").await.map(Self)
    }
}

/// The id of a product in the path.
#[derive(Clone, Debug)]
pub struct ProductId(pub String);

impl FromRequestParts<App> for ProductId {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        parameter(parts, app, "productId").await.map(Self)
    }
}

/// The id of a proposal in the path.
#[derive(Clone, Debug)]
pub struct ProposalPath(pub ProposalId);

impl FromRequestParts<App> for ProposalPath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let id = parameter(parts, app, "proposalId").await?;
        Ok(Self(ProposalId(id)))
    }
}

/// A caller with a configuration key that may read the store of the path, and the id of an existing record.
#[derive(Clone, Debug)]
pub struct ReaderOf<Id>(pub Caller, pub StoreId, pub Id);

/// A caller with a configuration key that may change the store of the path, and the id of an existing record.
#[derive(Clone, Debug)]
pub struct WriterOf<Id>(pub Caller, pub StoreId, pub Id);

impl<Id: RecordId> FromRequestParts<App> for ReaderOf<Id> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let StoreReader(caller, store) = StoreReader::from_request_parts(parts, app).await?;
        let id = record::<Id>(parts, app, &caller, &store).await?;
        Ok(Self(caller, store, id.into()))
    }
}

impl<Id: RecordId> FromRequestParts<App> for WriterOf<Id> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let StoreWriter(caller, store) = StoreWriter::from_request_parts(parts, app).await?;
        let id = record::<Id>(parts, app, &caller, &store).await?;
        Ok(Self(caller, store, id.into()))
    }
}

async fn record<Id: RecordId>(
    parts: &mut Parts,
    app: &App,
    caller: &Caller,
    store: &StoreId,
) -> Result<String, Failure> {
    let id = parameter(parts, app, Id::PARAMETER).await?;
    require(&app.service, caller, store, Id::KIND, &id).await?;
    Ok(id)
}

/// Returns the path parameter `name`.
async fn parameter(parts: &mut Parts, app: &App, name: &'static str) -> Result<String, Failure> {
    let params = RawPathParams::from_request_parts(parts, app).await;
    let params = params.ok();
    let mut params = params.iter().flat_map(|params| params.iter());
    let found = params.find(|(known, _)| *known == name);
    decoded_id(name, found.map(|(_, value)| value.to_owned()))
}
