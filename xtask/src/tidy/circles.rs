//! Circles of imports between the files of a crate: none of more than six, with a list of larger ones that may shrink
//! and never grow.

use super::modules::{Imports, Modules, Path};
use crate::workspace::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// Most files that may import each other in a circle.
const FILES_MAX: usize = 6;

/// Crates whose largest circle has more files, with their number.
const LARGER: [(&str, usize); 0] = [];

/// Returns the findings of all crates.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    compare(files, &LARGER)
}

fn compare(files: &[SourceFile], listed: &[(&str, usize)]) -> Vec<String> {
    let crates: BTreeSet<&str> = files.iter().filter_map(sources).collect();
    let gone = listed
        .iter()
        .filter(|(sources, _)| !crates.contains(sources));
    let gone = gone.map(|(sources, _)| {
        format!("xtask/src/tidy/circles.rs: there is no crate {sources}; take it off the list")
    });
    let of_crate = |sources: &&str| {
        let listed = listed
            .iter()
            .find(|(crate_listed, _)| crate_listed == sources);
        let imports = Modules::of(files, sources).imports();
        compare_crate(sources, &imports, listed.map(|(_, files)| *files))
    };
    crates.iter().flat_map(of_crate).chain(gone).collect()
}

fn compare_crate(sources: &str, imports: &Imports, listed: Option<usize>) -> Vec<String> {
    let circles = circles(imports);
    let largest = circles.iter().map(Vec::len).max().unwrap_or(0);
    let max = listed.unwrap_or(FILES_MAX);
    let larger = circles.iter().filter(|circle| circle.len() > max);
    let larger = larger.map(|circle| {
        let count = circle.len();
        let names: Vec<String> = circle.iter().map(|module: &&Path| module.join("/")).collect();
        let names = names.join(" ");
        format!(
            "{sources}: {count} files import each other in a circle, at most {max} may; move code down: {names}"
        )
    });
    let shrunk = listed.filter(|listed| largest < *listed).map(|listed| {
        let now = if largest > FILES_MAX {
            format!("write {largest}")
        } else {
            "take it off the list".to_owned()
        };
        format!("xtask/src/tidy/circles.rs: no circle of {sources} has {listed} files; {now}")
    });
    larger.chain(shrunk).collect()
}

/// Returns the folder of the sources of the crate whose root the file is.
fn sources(file: &SourceFile) -> Option<&str> {
    let (folder, name) = file.path.rsplit_once('/')?;
    let is_root = folder.ends_with("/src") && ["lib.rs", "main.rs"].contains(&name);
    is_root.then(|| &file.path[..=folder.len()])
}

/// Returns the strongly connected components of more than one name.
pub(super) fn circles<N: Ord>(imports: &BTreeMap<N, BTreeSet<N>>) -> BTreeSet<Vec<&N>> {
    let reached = imports.keys().map(|from| (from, reach(imports, from)));
    let reached: BTreeMap<&N, BTreeSet<&N>> = reached.collect();
    let reaches = |from: &N, to: &N| reached.get(from).is_some_and(|all| all.contains(to));
    let circle = |name: &N| {
        let both = |other: &&N| reaches(name, other) && reaches(other, name);
        let names: Vec<&N> = imports.keys().filter(both).collect();
        (!names.is_empty()).then_some(names)
    };
    imports.keys().filter_map(circle).collect()
}

/// Returns all that `from` imports, directly or not.
fn reach<'a, N: Ord>(imports: &'a BTreeMap<N, BTreeSet<N>>, from: &'a N) -> BTreeSet<&'a N> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(name) = next.pop() {
        for imported in imports.get(name).into_iter().flatten() {
            if reached.insert(imported) {
                next.push(imported);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    //! 1. A circle of more than six files of a crate is a finding, a smaller one is not; the root is in none.
    //! 2. A parent that declares its children or exports them again is in no circle with them; one that calls them is.
    //! 3. The list may shrink and never grow: a circle smaller than listed is a finding, and so is a larger one.

    use super::{SourceFile, compare};

    /// Returns the findings of a crate with these files.
    fn findings(files: &[(&str, &str)], listed: &[(&str, usize)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: format!("crates/any/src/{path}"),
            text: (*text).to_owned(),
        };
        compare(&files.iter().map(file).collect::<Vec<_>>(), listed)
    }

    /// Returns the findings of a circle of so many files.
    fn of_circle(files: usize, listed: &[(&str, usize)]) -> Vec<String> {
        let next = |at: usize| format!("use crate::f{}::Name;\n", (at + 1) % files);
        let texts = (0..files).map(|at| (format!("f{at}.rs"), next(at)));
        let texts: Vec<(String, String)> = texts.collect();
        let texts = texts
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        let root = ("lib.rs", "pub mod f0;\nuse f0::Name;\n");
        findings(&texts.chain([root]).collect::<Vec<_>>(), listed)
    }

    #[test]
    fn a_circle_of_more_than_six_files_is_found() {
        assert_eq!(of_circle(6, &[]).len(), 0);
        let found = of_circle(7, &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("crates/any/src/: 7 files"), "{found:?}");
        assert!(found[0].ends_with("f0 f1 f2 f3 f4 f5 f6"), "{found:?}");
    }

    /// Returns the findings of a folder whose parent has a line for each of seven children, all of which import it.
    fn of_folder(line: fn(&str) -> String) -> Vec<String> {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let lines = names.map(|name| format!("mod {name};\n{}\n", line(name)));
        let parent = lines.concat() + "pub struct Shared;\n";
        let paths = names.map(|name| format!("folder/{name}.rs"));
        let child = |path| (path, "use super::{Shared, b};\n");
        let mut files = vec![
            ("lib.rs", "mod folder;\npub use folder::Name;\n"),
            ("folder/mod.rs", parent.as_str()),
        ];
        files.extend(paths.iter().map(String::as_str).map(child));
        findings(&files, &[])
    }

    #[test]
    fn a_parent_that_calls_its_children_is_in_a_circle_with_them() {
        let declared = of_folder(|_| String::new());
        assert!(declared.is_empty(), "{declared:?}");
        let exported = of_folder(|name| format!("pub use {name}::Name;"));
        assert!(exported.is_empty(), "{exported:?}");
        let imported = of_folder(|name| format!("use {name}::Name;"));
        assert_eq!(imported.len(), 1, "{imported:?}");
        let called = of_folder(|name| format!("fn {name}() {{ 1 + {name}::other::call() }}"));
        assert_eq!(called, imported);
    }

    #[test]
    fn the_list_may_shrink_and_never_grow() {
        let of = |files| [("crates/any/src/", files)];
        assert_eq!(of_circle(8, &of(8)).len(), 0);
        assert_eq!(of_circle(9, &of(8)).len(), 1);
        assert!(of_circle(7, &of(8))[0].ends_with("write 7"));
        assert!(of_circle(6, &of(8))[0].ends_with("take it off the list"));
        let other = of_circle(2, &[("crates/other/src/", 8)]);
        assert!(other[0].contains("no crate crates/other/src/"));
    }
}
