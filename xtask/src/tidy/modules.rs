//! The files of a crate as modules, and which imports which.

use crate::workspace::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// Re-exports that lead to re-exports are followed so many times.
const REEXPORTS_MAX: usize = 8;

/// Each module with the modules that it imports.
pub(super) type Imports = BTreeMap<Path, BTreeSet<Path>>;

/// The names of a path in code, such as `crate`, `columns` and `View`.
pub(super) type Path = Vec<String>;

/// The files of a crate as modules, and the names that they export again.
pub(super) struct Modules<'a> {
    texts: BTreeMap<Path, &'a str>,
    reexports: BTreeMap<Path, Path>,
}

impl<'a> Modules<'a> {
    /// Returns the modules of the files below the folder `sources`, such as `crates/engine/src/`; unit tests are left
    /// out.
    pub(super) fn of(files: &'a [SourceFile], sources: &str) -> Self {
        let sources = files.iter().filter_map(|file| {
            let path = file.path.strip_prefix(sources)?.strip_suffix(".rs")?;
            let is_test = path == "tests" || path.ends_with("/tests");
            (!is_test).then(|| (module(path), file.product()))
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

    /// Returns the imports between the modules. What a module exports again it does not import, and the root of the
    /// crate imports nothing.
    pub(super) fn imports(&self) -> Imports {
        let of = |(module, text): (&Path, &&str)| {
            let paths = paths(text).filter(|path| !path.exported);
            let absolute = paths.filter_map(|path| self.absolute(module, &path.names));
            let imported = absolute.map(|path| self.module_of(path));
            let others = imported.filter(|imported| imported != module);
            (module.clone(), others.collect())
        };
        let inner = self.texts.iter().filter(|(module, _)| !module.is_empty());
        inner.map(of).collect()
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

/// Returns the paths of the `use` items of `text`, and those elsewhere in its code.
fn paths(text: &str) -> impl Iterator<Item = NamedPath> {
    let mut all = Vec::new();
    let mut item: Option<(bool, String)> = None;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or("").trim();
        match (&mut item, used(code)) {
            (Some((_, started)), _) => started.push_str(code),
            (None, Some(found)) => item = Some(found),
            (None, None) => {
                let inline = code.match_indices("::");
                let inline = inline.filter_map(|(colons, _)| path_start(&code[..colons]));
                all.extend(inline.map(|at| (false, split(&code[at..]))));
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

/// Returns where the name at the end of `code` starts; none if there is no name, or if it continues a path.
fn path_start(code: &str) -> Option<usize> {
    let before = code.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    (before.len() < code.len() && !before.ends_with("::")).then_some(before.len())
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
