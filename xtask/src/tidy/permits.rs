//! Where the server's own permits may be created: `access::system` asks no caller, so only what serves
//! all stores without a caller may call it.

use crate::workspace::SourceFile;

/// The call, in halves so that this file does not contain it.
const CALL: &str = concat!("sys", "tem(");

/// The folders and files that may contain the call.
const ALLOWED: [&str; 7] = [
    "crates/domain/src/access.rs",
    "crates/operations/src/indexing/",
    "crates/operations/src/maintenance/jobs/",
    "crates/operations/src/snapshots/",
    "crates/operations/src/statistics/popular_queries.rs",
    "crates/storage/tests/",
    "crates/operations/tests/it/pairs/",
];

/// The findings of all files.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let sources = files.iter().filter(|file| {
        file.ends_with("rs") && !ALLOWED.iter().any(|path| file.path.starts_with(path))
    });
    sources.flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> impl Iterator<Item = String> + '_ {
    let lines = file.text.lines().enumerate();
    let calls = lines.filter(|(_, line)| line.match_indices(CALL).any(|(at, _)| is_call(line, at)));
    calls.map(|(number, _)| {
        format!(
            "{}:{}: creates a permit of the server itself; take the caller's (docs/adr/0030-permits-for-reads.md)",
            file.path,
            number + 1
        )
    })
}

/// Returns whether the name at `at` is a whole identifier, and not that of a definition.
fn is_call(line: &str, at: usize) -> bool {
    let before = &line[..at];
    let joined = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    !joined && !before.ends_with("fn ")
}

#[cfg(test)]
mod tests {
    use super::{CALL, check};
    use crate::tidy::found;

    #[test]
    fn only_jobs_and_indexing_create_permits_of_the_server() {
        let call = format!("let permit = access::{CALL}store);\n");
        assert_eq!(
            found(check, "crates/operations/src/maintenance/jobs/a.rs", &call),
            0
        );
        assert_eq!(
            found(check, "crates/operations/src/indexing/a.rs", &call),
            0
        );
        assert_eq!(
            found(check, "crates/operations/src/access/keys.rs", &call),
            1
        );
        assert_eq!(found(check, "crates/server/src/a.rs", &call), 1);
        let other = format!("fn {CALL}) {{}}\nlet a = file_{CALL});\n");
        assert_eq!(found(check, "crates/server/src/a.rs", &other), 0);
    }
}
