//! Circles of imports in the engine: none of more than six files, and none between its folders, which are its layers.

use super::circles::{Imports, circles};
use super::modules::{Modules, Path};
use crate::workspace::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// The crate whose files are checked.
pub(super) const SOURCES: &str = "crates/engine/src/";

/// The folder of which each folder and file is a layer. Elsewhere, those directly in the crate are.
const LAYERED: &str = "embedded";

/// Most files that may import each other in a circle.
const FILES_MAX: usize = 6;

/// Returns the findings of the crate.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let imports = Modules::of(files).imports();
    let large = circles_of(&imports, |module| module.join("/"))
        .into_iter()
        .filter(|circle| circle.split(' ').count() > FILES_MAX)
        .map(|circle| {
            format!(
                "{SOURCES}: more than {FILES_MAX} files import each other in a circle: {circle}"
            )
        });
    let layers = circles_of(&imports, layer).into_iter().map(|circle| {
        format!("{SOURCES}: these layers import each other in a circle: {circle}; move code down")
    });
    large.chain(layers).collect()
}

/// Returns the layer of a module.
fn layer(module: &Path) -> String {
    let names = if module.first().is_some_and(|first| first == LAYERED) {
        2
    } else {
        1
    };
    module[..names.min(module.len())].join("/")
}

/// Returns the circles of imports between groups of modules, which `name` names. The root of the crate is in none.
fn circles_of(
    imports: &BTreeMap<Path, BTreeSet<Path>>,
    name: impl Fn(&Path) -> String,
) -> BTreeSet<String> {
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in imports {
        let own = name(from);
        let others = to.iter().map(&name).filter(|other| *other != own);
        let others: Vec<String> = others.collect();
        named.entry(own).or_default().extend(others);
    }
    named.remove("");
    let borrowed = named.iter().map(|(from, to)| {
        let to = to.iter().map(String::as_str);
        (from.as_str(), to.collect())
    });
    circles(&borrowed.collect::<Imports<'_>>())
}

#[cfg(test)]
mod tests {
    //! 1. A circle of more than six files is a finding, a smaller one inside one layer is not.
    //! 2. A circle between two layers is a finding, whatever its size.
    //! 3. Imports are found in groups, on several lines, in paths inside code, through re-exports and from parents, and
    //!    not in comments, unit tests or other crates.

    use super::{SourceFile, check};

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: format!("crates/engine/src/{path}"),
            text: (*text).to_owned(),
        };
        check(&files.iter().map(file).collect::<Vec<_>>())
    }

    /// Returns the findings of a circle of so many files in one layer.
    fn of_one_layer(files: usize) -> Vec<String> {
        let texts = (0..files).map(|at| {
            let text = format!("use super::f{}::Name;\n", (at + 1) % files);
            (format!("embedded/topk/f{at}.rs"), text)
        });
        let texts: Vec<(String, String)> = texts.collect();
        let borrowed = texts
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        findings(&borrowed.collect::<Vec<_>>())
    }

    #[test]
    fn a_circle_of_more_than_six_files_is_found() {
        assert_eq!(of_one_layer(6).len(), 0);
        let found = of_one_layer(7);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("embedded/topk/f0 embedded/topk/f1"));
    }

    #[test]
    fn a_circle_between_layers_is_found() {
        for below in [
            "use super::super::topk::heap::TopK;",
            "use crate::embedded::topk::heap::{\n    TopK,\n};",
            "use crate::{Error, embedded::{scale, topk::heap::TopK}};",
            "fn f() { crate::embedded::topk::heap::f() }",
            "fn f() { super::super::topk::heap::f() }",
            "use crate::TopK;",
        ] {
            let found = findings(&[
                ("lib.rs", "pub mod embedded;\npub use embedded::TopK;\n"),
                ("embedded/mod.rs", "pub use topk::heap::TopK;\n"),
                ("embedded/topk/mod.rs", "pub mod heap;\n"),
                (
                    "embedded/topk/heap.rs",
                    "use super::super::postings::bits::Bits;\n",
                ),
                ("embedded/postings/bits.rs", below),
            ]);
            assert_eq!(found.len(), 1, "{below}");
            assert!(
                found[0].contains("embedded/postings embedded/topk"),
                "{found:?}"
            );
        }
        let outside = findings(&[
            ("columns/view.rs", "use crate::card::Card;"),
            ("card.rs", "use crate::columns::view::View;"),
        ]);
        assert_eq!(outside.len(), 1);
    }

    #[test]
    fn what_is_no_import_is_no_circle() {
        for below in [
            "// crate::embedded::topk::heap is above",
            "\n#[cfg(test)]\nmod tests {\n    use crate::embedded::topk::heap::TopK;\n}\n",
            "use tantivy::embedded::topk::heap;",
            "use super::cursor::Cursor;",
            // `topk` below the parent of the layer's folder, not below the folder.
            "fn f() { super::super::super::topk::heap::f() }",
        ] {
            let found = findings(&[
                (
                    "embedded/topk/heap.rs",
                    "use crate::embedded::postings::bits;\n",
                ),
                ("embedded/postings/bits.rs", below),
                ("embedded/postings/cursor.rs", ""),
            ]);
            assert!(found.is_empty(), "{below} {found:?}");
        }
    }
}
