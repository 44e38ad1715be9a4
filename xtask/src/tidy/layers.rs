//! Circles of imports in the engine: none of more than six files, and none between its folders, which are its layers.

use super::circles::{Imports, circles};
use super::product;
use crate::workspace::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// The crate whose files are checked.
const SOURCES: &str = "crates/engine/src/";

/// The folder of which each folder and file is a layer. Elsewhere, those directly in the crate are.
const LAYERED: &str = "embedded";

/// Most files that may import each other in a circle.
const FILES_MAX: usize = 6;

/// Re-exports that lead to re-exports are followed so many times.
const REEXPORTS_MAX: usize = 8;

/// The names of a path in code, such as `crate`, `columns` and `View`.
type Path = Vec<String>;

/// The files of a crate as modules, and the names that they export again.
struct Modules<'a> {
    texts: BTreeMap<Path, &'a str>,
    reexports: BTreeMap<Path, Path>,
}

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

impl<'a> Modules<'a> {
    fn of(files: &'a [SourceFile]) -> Self {
        let sources = files.iter().filter_map(|file| {
            let path = file.path.strip_prefix(SOURCES)?.strip_suffix(".rs")?;
            let is_test = path == "tests" || path.ends_with("/tests");
            (!is_test).then(|| (module(path), product(&file.text)))
        });
        let mut modules = Self {
            texts: sources.collect(),
            reexports: BTreeMap::new(),
        };
        for (module, text) in &modules.texts.clone() {
            for path in paths(text).filter(|path| path.exported) {
                let target = modules.absolute(module, &path.names);
                if let (Some(target), Some(name)) = (target, path.names.last()) {
                    let exported = [module.as_slice(), std::slice::from_ref(name)].concat();
                    modules.reexports.insert(exported, target);
                }
            }
        }
        modules
    }

    /// Returns each module with the modules that it imports.
    fn imports(&self) -> BTreeMap<Path, BTreeSet<Path>> {
        let of = |(module, text): (&Path, &&str)| {
            let paths = paths(text).filter(|path| !path.exported);
            let absolute = paths.filter_map(|path| self.absolute(module, &path.names));
            let imported = absolute.map(|path| self.module_of(path));
            let others = imported.filter(|imported| imported != module);
            (module.clone(), others.collect())
        };
        self.texts.iter().map(of).collect()
    }

    /// Returns a path of `module` from the root of the crate; none for one of another crate.
    fn absolute(&self, module: &Path, path: &[String]) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                let parent = &module[..module.len().saturating_sub(ups)];
                Some([parent, &path[ups..]].concat())
            }
            _ => {
                let child = [module.as_slice(), &path[..1]].concat();
                let is_child = self.texts.contains_key(&child);
                is_child.then(|| [module.as_slice(), path].concat())
            }
        }
    }

    /// Returns the module that defines what `path`, which starts at the root of the crate, leads to.
    fn module_of(&self, mut path: Path) -> Path {
        for _ in 0..REEXPORTS_MAX {
            let longest = (0..=path.len())
                .rev()
                .find(|length| self.texts.contains_key(&path[..*length]));
            let length = longest.unwrap_or(0);
            let exported = path
                .get(..=length)
                .and_then(|name| self.reexports.get(name));
            let Some(target) = exported else {
                path.truncate(length);
                break;
            };
            path = [target.as_slice(), &path[length + 1..]].concat();
        }
        path
    }
}

/// Returns the module of a file by its path without `.rs`.
fn module(path: &str) -> Path {
    let mut names: Path = path.split('/').map(str::to_owned).collect();
    if names
        .last()
        .is_some_and(|last| last == "mod" || last == "lib")
    {
        names.pop();
    }
    names
}

/// A path that a text names.
struct NamedPath {
    names: Path,
    /// Whether it is exported again.
    exported: bool,
}

/// Returns the paths of the `use` items of `text`, and those elsewhere in its code that start at the crate or a parent.
fn paths(text: &str) -> impl Iterator<Item = NamedPath> {
    let mut all = Vec::new();
    let mut item: Option<(bool, String)> = None;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or("").trim();
        match (&mut item, used(code)) {
            (Some((_, started)), _) => started.push_str(code),
            (None, Some(found)) => item = Some(found),
            (None, None) => {
                let starts = ["crate::", "super::"].into_iter();
                let inline = starts.flat_map(|start| code.match_indices(start));
                // What follows colons is the rest of a path that was found already.
                let inline = inline.filter(|(at, _)| !code[..*at].ends_with("::"));
                let inline = inline.map(|(at, _)| (false, split(&code[at..])));
                all.extend(inline);
            }
        }
        if let Some((exported, complete)) = item.take_if(|(_, started)| started.ends_with(';')) {
            let mut names = Vec::new();
            expand(&[], complete.trim_end_matches(';'), &mut names);
            all.extend(names.into_iter().map(|names| (exported, names)));
        }
    }
    let named = |(exported, names)| NamedPath { names, exported };
    all.into_iter().map(named)
}

/// Returns whether a line that starts a `use` item exports it, and what it uses; none for any other line.
fn used(line: &str) -> Option<(bool, String)> {
    let (visibility, path) = line.split_once("use ")?;
    let exported = visibility.starts_with("pub");
    let starts = visibility.is_empty() || exported && visibility.split(' ').count() == 2;
    starts.then(|| (exported, path.to_owned()))
}

/// Returns the names at the start of `text` that are joined by colons.
fn split(text: &str) -> Path {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let path = &text[..end.unwrap_or(text.len())];
    let names = path.split("::").filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// Adds all paths of `tree`, which may have groups in braces, below `parent`.
fn expand(parent: &[String], tree: &str, all: &mut Vec<Path>) {
    let tree = tree.trim();
    let Some((start, group)) = tree.split_once('{') else {
        let mut names = [parent, &split(tree)].concat();
        names.pop_if(|last| last == "self");
        all.push(names);
        return;
    };
    let parent = [parent, &split(start.trim())].concat();
    let group = group.strip_suffix('}').unwrap_or(group);
    let (mut depth, mut from) = (0, 0);
    for (at, character) in group.char_indices().chain([(group.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !group[from..at].trim().is_empty() {
                    expand(&parent, &group[from..at], all);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
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
