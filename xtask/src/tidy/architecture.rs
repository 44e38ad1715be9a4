//! `ARCHITECTURE.md` against the repository: its crate list equals the workspace, and the paths that it names exist.

use crate::workspace::{Member, SourceFile};
use std::collections::{BTreeMap, BTreeSet};

/// The findings of the page.
pub fn check(files: &[SourceFile], members: &BTreeMap<String, Member>) -> Vec<String> {
    let Some(page) = files.iter().find(|f| f.path == "ARCHITECTURE.md") else {
        return vec!["ARCHITECTURE.md: is missing".to_owned()];
    };
    let listed = listed(&page.text);
    let present: BTreeSet<&str> = members.keys().map(String::as_str).collect();
    let unlisted = present
        .difference(&listed)
        .map(|name| format!("ARCHITECTURE.md: its crate list lacks {name}"));
    let gone = listed
        .difference(&present)
        .map(|name| format!("ARCHITECTURE.md: its crate list names {name}, which does not exist"));
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let missing = missing_paths(&page.text, &paths)
        .into_iter()
        .map(|path| format!("ARCHITECTURE.md: names {path}, which does not exist"));
    unlisted.chain(gone).chain(missing).collect()
}

/// Names in the first column of the table under the heading "Crates".
fn listed(page: &str) -> BTreeSet<&str> {
    page.lines()
        .skip_while(|line| *line != "## Crates")
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect()
}

/// The paths in backticks, ending in `.rs` or a slash, that do not exist. A path is that of the repository, of the crate
/// whose section it stands in, or of a file beside one that the same line names before it.
fn missing_paths<'a>(page: &'a str, paths: &BTreeSet<&str>) -> Vec<&'a str> {
    let exists = |path: &str| {
        paths.contains(path)
            || (path.ends_with('/') && paths.iter().any(|known| known.starts_with(path)))
    };
    let mut section = "";
    let mut missing = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            section = heading;
        }
        let mut folders = vec![
            String::new(),
            format!("crates/{section}/src/"),
            format!("{section}/src/"),
        ];
        for path in line.split('`').skip(1).step_by(2) {
            if !path.ends_with(".rs") && !path.ends_with('/') {
                continue;
            }
            match folders
                .iter()
                .find(|folder| exists(&format!("{folder}{path}")))
            {
                None => missing.push(path),
                Some(folder) => {
                    let full = format!("{folder}{path}");
                    let end = full.rfind('/').map_or(0, |at| at + 1);
                    folders.push(full[..end].to_owned());
                }
            }
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::{listed, missing_paths};
    use std::collections::BTreeSet;

    #[test]
    fn the_first_column_of_the_table_is_the_list() {
        let page = "# A\n| `no` |\n## Crates\n| crate | knows |\n|---|---|\n| `a` | `b` |\n| `c` | d |\n## More\n| `e` |\n";
        assert_eq!(listed(page).into_iter().collect::<Vec<_>>(), ["a", "c"]);
    }

    #[test]
    fn paths_of_repository_crate_and_folder_are_looked_up() {
        let paths = BTreeSet::from(["crates/a/src/b.rs", "crates/a/src/c/d.rs"]);
        let missing = |page| missing_paths(page, &paths);
        assert_eq!(missing("`crates/a/src/b.rs`, `c/d.rs` beside it"), [""; 0]);
        assert_eq!(missing("### a\n- `b.rs`, `c/`, `c/d.rs`, `Type`"), [""; 0]);
        assert_eq!(missing("`b.rs`"), ["b.rs"]);
        assert_eq!(missing("### a\n- `e.rs`\n- `f/`"), ["e.rs", "f/"]);
    }
}
