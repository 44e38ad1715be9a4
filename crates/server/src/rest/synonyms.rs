//! `/stores/{id}/synonyms`: synonym groups.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, query_input};
use crate::http::{
    ApiResult, Body, Guarded, NoInput, Params, ReaderOf, StoreReader, StoreWriter, Success,
    WriterOf, remarked,
};
use crate::mcp::{Effect, More, ToolCall, tool};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::on;
use domain::synonym::{NewSynonym, Synonym, SynonymImport, SynonymPatch, SynonymQuery};
use domain::{Invalid, SynonymId};
use operations::Precondition;
use operations::records::Deleted;
use operations::synonyms::{self, ImportReport};

/// Rows of `/stores/{id}/synonyms`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_synonyms", "/stores/{id}/synonyms")
        .handler(|method| on(method, list))
        .query::<SynonymQuery>(example!("configuration/synonyms.query"))
        .returns::<Vec<Synonym>>(example!("configuration/synonyms.response"))
        .paged()
        .tool(
            tool(
                "Synonym groups",
                Effect::Reads,
                "Lists the synonym groups. Without arguments it returns all of them; pass limit and page if there are many, q to find those with a term.",
                |call| Box::pin(list_by_tool(call)),
            )
            .with_more(More::Pages),
        ),
    Route::get("get_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, get))
        .returns::<Synonym>(example!("configuration/synonym.response")),
    Route::post("create_synonym", "/stores/{id}/synonyms")
        .handler(|method| on(method, create))
        .body::<NewSynonym>(example!("configuration/synonym.request"))
        .returns::<Synonym>(example!("configuration/synonym.response"))
        .statuses(&[201])
        .errors(&[409])
        .tool(tool(
            "Create a synonym group",
            Effect::Adds,
            "Creates a group of terms that are searched for each other (BIDIRECTIONAL, two or more terms), or an input that is also searched as its terms (UNIDIRECTIONAL). Only exact forms match: list plurals too. In effect immediately in test_relevance, on store pages within 3 minutes. A group with the same terms is rejected.",
            |call| Box::pin(create_by_tool(call)),
        )),
    Route::put("update_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, update))
        .body::<SynonymPatch>(example!("configuration/synonym-change.request"))
        .returns::<Synonym>(example!("configuration/synonym.response"))
        .errors(&[409])
        .tool(tool(
            "Update a synonym group",
            Effect::Overwrites,
            "Updates the given fields of a group; terms replace the whole list. active false disables the group without deleting it.",
            |call| Box::pin(update_by_tool(call)),
        )),
    Route::delete("delete_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, delete))
        .returns::<Deleted>(example!("configuration/deleted.response"))
        .tool(tool(
            "Delete a synonym group",
            Effect::Overwrites,
            "Deletes a group permanently. To disable it for a while use update_synonym with active false.",
            |call| Box::pin(delete_by_tool(call)),
        )),
    Route::post("import_synonyms_csv", "/stores/{id}/synonyms/import")
        .handler(|method| on(method, import))
        .body::<SynonymImport>(example!("configuration/import.request"))
        .returns::<ImportReport>(example!("configuration/import.response"))
        .tool(
            tool(
                "Import synonym groups",
                Effect::AddsOnce,
                "Creates many groups at once: one line per group, terms separated by commas, a one-way group as input => term, term. Existing groups are skipped; invalid lines are reported and do not stop the import.",
                |call| Box::pin(import_by_tool(call)),
            )
            .with_more(More::Words(
                "Correct the lines in errors and import again: existing groups are skipped.",
            )),
        ),
];

query_input!(SynonymQuery);
input! {
    NewSynonym,
    fn semantic_errors(self) -> Vec<Invalid> {
        // The operation compares terms after analysis, so it may still reject terms that differ in lower case.
        errors_of(self.check(&|term| term.trim().to_lowercase()))
    }
}
input!(SynonymPatch);
input!(SynonymImport);

/// Lists all groups, or one page of those that match the query parameters.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<SynonymQuery>,
) -> ApiResult {
    let listed = synonyms::list(&app.service, &caller, &store, query).await?;
    Success::listed("synonym group", &listed)
}

/// Returns a group.
pub async fn get(
    State(app): State<App>,
    ReaderOf(caller, store, id): ReaderOf<SynonymId>,
    _: NoInput,
) -> ApiResult {
    let synonym = synonyms::get(&app.service, &caller, &store, &id).await?;
    Success::revisioned("Synonym group.", synonym)
}

/// Creates a group.
pub async fn create(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(new): Body<NewSynonym>,
) -> ApiResult {
    let made = synonyms::create(&app.service, &caller, &store, new).await?;
    Success::written(StatusCode::CREATED, "Synonym group created.", made)
}

/// Updates a group.
pub async fn update(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<SynonymId>,
    Guarded(Body(patch), guard): Guarded<Body<SynonymPatch>>,
) -> ApiResult {
    let saved = synonyms::update(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::written(StatusCode::OK, "Synonym group updated.", saved)
}

/// Deletes a group.
pub async fn delete(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<SynonymId>,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let (deleted, revision) = synonyms::delete(&app.service, &caller, &store, &id, guard).await?;
    Ok(Success::ok("Synonym group deleted.", &deleted)?.of_revision(revision))
}

/// Creates groups from CSV.
pub async fn import(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(csv): Body<SynonymImport>,
) -> ApiResult {
    let imported = synonyms::import(&app.service, &caller, &store, csv).await?;
    let (report, revision, remark) = imported;
    Ok(Success::ok(remarked(&report.sentence(), remark), &report)?.of_revision(revision))
}

async fn list_by_tool(mut call: ToolCall) -> ApiResult {
    let reader = call.reader()?;
    let query = Params(call.arguments.query()?);
    list(call.app, reader, query).await
}

async fn create_by_tool(mut call: ToolCall) -> ApiResult {
    let writer = call.writer()?;
    let new = Body(call.arguments.input()?);
    create(call.app, writer, new).await
}

async fn update_by_tool(mut call: ToolCall) -> ApiResult {
    let writer = call.writer_of().await?;
    let patch = Body(call.arguments.input()?);
    update(call.app, writer, Guarded(patch, Precondition::None)).await
}

async fn delete_by_tool(mut call: ToolCall) -> ApiResult {
    let writer = call.writer_of().await?;
    call.arguments.nothing()?;
    delete(call.app, writer, Guarded(NoInput, Precondition::None)).await
}

async fn import_by_tool(mut call: ToolCall) -> ApiResult {
    let writer = call.writer()?;
    let csv = Body(call.arguments.input()?);
    import(call.app, writer, csv).await
}
