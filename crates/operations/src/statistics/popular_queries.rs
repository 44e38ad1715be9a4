//! Makes the list of popular queries of one store and language anew.

use crate::statistics::search_log::popular::{POPULAR_DAYS, POPULAR_MAX, PopularList};
use crate::{OperationError, Service};
use domain::access::{self, System};
use domain::{Day, Language, Permit, StoreId};

/// Makes the list in the background, for the caller that was told to.
pub(crate) fn start(service: &Service, store: &StoreId, language: &Language) {
    let (service, language) = (service.clone(), language.clone());
    let permit = access::system(store);
    tokio::spawn(async move {
        let made = make(&service, &permit, &language).await;
        if let Err(error) = &made {
            tracing::warn!(store = %permit.store(), ?error, "popular queries could not be read");
        }
        let popular = service.search_log.popular();
        popular.set(permit.store(), &language, made.ok());
    });
}

async fn make(
    service: &Service,
    permit: &Permit<System>,
    language: &Language,
) -> Result<PopularList, OperationError> {
    let log = &service.search_log;
    let _turn = log
        .popular()
        .turn()
        .await
        .map_err(OperationError::internal)?;
    let now = service.clock.now();
    let from = Day::of(now).plus(1 - POPULAR_DAYS);
    let popular = log
        .storage()
        .popular(permit, language, from, POPULAR_MAX)
        .await;
    let popular = log.checked(popular).await?;
    let hidden = service.storage.hidden_queries(permit).await?;
    Ok(PopularList::new(popular, &hidden.unwrap_or_default(), now))
}
