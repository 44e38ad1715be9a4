//! Statements on the widgets of stores.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{ConfigurationView, ConfigurationWrite, FormerState};
use domain::StoreId;
use domain::widget::SavedWidget;
use sqlx::AnyConnection;

async fn saved(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<SavedWidget, StorageError> {
    let doing = "reading the widget of a store";
    let row = sqlx::query("SELECT content FROM widgets WHERE store_id = $1")
        .bind(store.as_str())
        .fetch_optional(connection)
        .await
        .doing(doing)?;
    row.map_or_else(
        || Ok(SavedWidget::default()),
        |row| json(&row, "content").doing(doing),
    )
}

impl ConfigurationView {
    /// Returns the saved widget of the store.
    pub async fn widget(&mut self) -> Result<SavedWidget, StorageError> {
        saved(&mut self.tx, &self.store).await
    }
}

impl ConfigurationWrite {
    /// Returns the saved widget as of this transaction.
    pub async fn widget(&mut self) -> Result<SavedWidget, StorageError> {
        saved(&mut self.tx, &self.before.id).await
    }

    /// Replaces the saved widget.
    pub async fn save_widget(&mut self, widget: &SavedWidget) -> Result<(), StorageError> {
        let doing = "saving the widget of a store";
        let state = FormerState::Widget(self.widget().await?);
        self.keep("widget", Some(&state)).await?;
        let sql = "INSERT INTO widgets (store_id, content) VALUES ($1, $2) \
                   ON CONFLICT (store_id) DO UPDATE SET content = excluded.content";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(text(widget, doing)?)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}
