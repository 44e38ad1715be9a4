//! The migrations of both databases, from the files that the build script lists.
//!
//! Not by the macro of the library: it builds all drivers a second time, for the compiler.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use std::sync::LazyLock;

/// Those of the database.
pub(crate) static OF_DATABASE: LazyLock<Migrator> =
    LazyLock::new(|| migrator(include!(concat!(env!("OUT_DIR"), "/migrations.rs"))));

/// Those of the search log's database.
pub(crate) static OF_LOG: LazyLock<Migrator> = LazyLock::new(|| {
    migrator(include!(concat!(
        env!("OUT_DIR"),
        "/migrations-analytics.rs"
    )))
});

/// Returns what runs `files`: numbers, descriptions and texts. Each database has stored a checksum of each text.
fn migrator(files: &[(i64, &'static str, &'static str)]) -> Migrator {
    let migrations = files.iter().map(|(number, description, text)| {
        let (text, description) = (text.into_sql_str(), (*description).into());
        Migration::new(*number, description, MigrationType::Simple, text, false)
    });
    Migrator::with_migrations(migrations.collect())
}
