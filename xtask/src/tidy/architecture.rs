//! The crate list of `ARCHITECTURE.md` equals the workspace.

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
    unlisted.chain(gone).collect()
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

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn the_first_column_of_the_table_is_the_list() {
        let page = "# A\n| `no` |\n## Crates\n| crate | knows |\n|---|---|\n| `a` | `b` |\n| `c` | d |\n## More\n| `e` |\n";
        assert_eq!(listed(page).into_iter().collect::<Vec<_>>(), ["a", "c"]);
    }
}
