//! Circles of imports between the layers of a crate: none. A layer is a folder or file directly in the crate; in the
//! engine, each one in the folder `embedded` is a layer too.

use super::circles::circles;
use super::modules::{Imports, Modules, Path};
use crate::workspace::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// The crates that are checked, each with the folder of which each folder and file is a layer, if there is one.
const LAYERED: [(&str, Option<&str>); 2] = [
    ("crates/engine/src/", Some("embedded")),
    ("crates/operations/src/", None),
];

/// Files that put the layers together, and are in none.
const ABOVE: [&str; 2] = ["boot", "service"];

/// Returns the findings of the crates.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let of_crate = |(sources, folder): &(&str, Option<&str>)| {
        let imports = layers(&Modules::of(files, sources).imports(), *folder);
        let circles = circles(&imports).into_iter().map(|circle| {
            let names: Vec<&str> = circle.into_iter().map(String::as_str).collect();
            names.join(" ")
        });
        let findings = circles.map(|names| {
            format!(
                "{sources}: these layers import each other in a circle: {names}; move code down"
            )
        });
        findings.collect::<Vec<_>>()
    };
    LAYERED.iter().flat_map(of_crate).collect()
}

/// Returns the imports between layers. The root of the crate is none.
fn layers(imports: &Imports, folder: Option<&str>) -> BTreeMap<String, BTreeSet<String>> {
    let mut layers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let is_above = |module: &Path| ABOVE.iter().any(|above| module[..] == [*above]);
    for (from, to) in imports.iter().filter(|(from, _)| !is_above(from)) {
        let from = layer(from, folder);
        let to = to.iter().filter(|to| !is_above(to));
        let to = to.map(|to| layer(to, folder));
        let others: Vec<String> = to.filter(|to| *to != from).collect();
        layers.entry(from).or_default().extend(others);
    }
    layers
}

/// Returns the layer of a module.
fn layer(module: &Path, folder: Option<&str>) -> String {
    let inside = module.first().map(String::as_str) == folder;
    let names = if inside { 2 } else { 1 };
    module[..names.min(module.len())].join("/")
}

#[cfg(test)]
mod tests {
    //! 1. A circle between two layers is a finding, whatever its size; one inside a layer is not.
    //! 2. Imports are found in groups, on several lines, in paths inside code, through re-exports and from parents, and
    //!    not in comments, unit tests or other crates.

    use super::{SourceFile, check};

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        findings_of("engine", files)
    }

    fn findings_of(name: &str, files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: format!("crates/{name}/src/{path}"),
            text: (*text).to_owned(),
        };
        check(&files.iter().map(file).collect::<Vec<_>>())
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
        let inside = findings(&[
            ("embedded/topk/heap.rs", "use super::walk::Walk;"),
            ("embedded/topk/walk.rs", "use super::heap::TopK;"),
        ]);
        assert!(inside.is_empty(), "{inside:?}");
    }

    #[test]
    fn in_operations_what_stands_in_the_crate_is_a_layer() {
        for (a, b) in [
            ("use crate::b::X;", "use crate::a::Y;"),
            ("use crate::{c, b::{X, Z}};", "fn f() { crate::a::g() }"),
            ("use crate::b;", "use crate::{\n    Two,\n};"),
            ("use super::b;", "use crate::c;"),
        ] {
            let found = findings_of(
                "operations",
                &[
                    (
                        "lib.rs",
                        "pub mod a;\nmod b;\nmod c;\n\npub use a::{One, Two};\n",
                    ),
                    ("a/mod.rs", a),
                    ("a/x.rs", "use super::One;"),
                    ("b.rs", b),
                    ("c.rs", "use crate::One;"),
                ],
            );
            assert_eq!(found.len(), 1, "{a} {b}");
            assert!(found[0].contains("circle: a b"), "{found:?}");
        }
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
