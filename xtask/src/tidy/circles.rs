//! Circles of imports between the top-level modules of `operations`, with a list of present ones that may shrink and
//! never grow.

use crate::workspace::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// The crate whose modules are checked.
const SOURCES: &str = "crates/operations/src/";

/// Circles that remain, each as the sorted names of its modules, separated by spaces.
const LIST: [&str; 0] = [];

/// Modules with the modules that they import.
pub(super) type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Returns the findings of the crate.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    compare(&circles(&imports(files)), &LIST)
}

fn compare(found: &BTreeSet<String>, listed: &[&str]) -> Vec<String> {
    let new = found
        .iter()
        .filter(|found| !listed.contains(&found.as_str()));
    let new = new.map(|found| {
        format!("{SOURCES}: these modules import each other in a circle: {found}; move code down")
    });
    let gone = listed.iter().filter(|listed| !found.contains(**listed));
    let gone = gone.map(|listed| {
        format!("xtask/src/tidy/circles.rs: there is no circle of {listed}; take it off the list")
    });
    new.chain(gone).collect()
}

fn imports(files: &[SourceFile]) -> Imports<'_> {
    let sources = || {
        let inside = |file: &'_ SourceFile| file.path.starts_with(SOURCES) && file.ends_with("rs");
        files.iter().filter(move |file| inside(file))
    };
    let root = sources().find(|file| file.path[SOURCES.len()..] == *"lib.rs");
    let root = root.map_or("", |file| file.text.as_str());
    let modules: BTreeSet<&str> = root.lines().filter_map(declared).collect();
    let reexports = reexports(root);
    let mut imports = Imports::new();
    for file in sources() {
        let path = &file.path[SOURCES.len()..];
        let module = path.split(['/', '.']).next().unwrap_or_default();
        if !modules.contains(module) || path.ends_with("tests.rs") {
            continue;
        }
        let mut names = names(product(&file.text), "crate::");
        if path == format!("{module}.rs") || path == format!("{module}/mod.rs") {
            names.extend(self::names(product(&file.text), "super::"));
        }
        let own = names
            .into_iter()
            .filter_map(|name| match modules.get(name) {
                Some(module) => Some(*module),
                None => reexports.get(name).copied(),
            });
        let own = own.filter(|imported| *imported != module);
        imports.entry(module).or_default().extend(own);
    }
    imports
}

/// Returns the name in a line such as `pub mod name;`.
fn declared(line: &str) -> Option<&str> {
    let (_, name) = line.split_once("mod ")?;
    name.strip_suffix(';').filter(|_| !line.starts_with(' '))
}

/// Returns the names that the crate root exports again, with their modules.
fn reexports(root: &str) -> BTreeMap<&str, &str> {
    let uses = root
        .split(';')
        .filter_map(|item| item.trim().strip_prefix("pub use "));
    let paths = uses.filter_map(|path| path.split_once("::"));
    let names = paths.flat_map(|(module, names)| {
        let names = names.trim_matches(['{', '}']).split(',').map(str::trim);
        names.map(move |name| (name, module))
    });
    names.collect()
}

/// Returns the text up to the unit tests at the end of a file.
fn product(text: &str) -> &str {
    let tests = text.find("\n#[cfg(test)]\nmod tests");
    tests.map_or(text, |at| &text[..at])
}

/// Returns the first name of every path that starts with `root`, groups included.
fn names<'a>(text: &'a str, root: &str) -> Vec<&'a str> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let starts: BTreeSet<usize> = code
        .map(|line| line.as_ptr() as usize - text.as_ptr() as usize)
        .collect();
    let mut names = Vec::new();
    for (at, _) in text.match_indices(root) {
        let line = text[..at].rfind('\n').map_or(0, |before| before + 1);
        if !starts.contains(&line) {
            continue;
        }
        let rest = &text[at + root.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(group_names(group)),
            None => names.push(name(rest)),
        }
    }
    names
}

/// Returns the first name of each path of a group, whose opening brace is left out.
fn group_names(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut names) = (1_u32, 0, Vec::new());
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => {
                names.push(name(group[start..at].trim_start()));
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            names.push(name(group[start..at].trim_start()));
            break;
        }
    }
    names
}

fn name(path: &str) -> &str {
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
    end.map_or(path, |end| &path[..end])
}

/// Returns the strongly connected components of more than one module.
pub(super) fn circles(imports: &Imports<'_>) -> BTreeSet<String> {
    let reached: Imports<'_> = imports
        .keys()
        .map(|from| (*from, reach(imports, from)))
        .collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
    let circle = |module: &&str| {
        let both = |other: &&&str| reaches(module, other) && reaches(other, module);
        let modules: Vec<&str> = imports.keys().filter(both).copied().collect();
        (!modules.is_empty()).then(|| modules.join(" "))
    };
    imports.keys().filter_map(circle).collect()
}

/// Returns all modules that `from` imports, directly or not.
fn reach<'a>(imports: &Imports<'a>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(module) = next.pop() {
        for imported in imports.get(module).into_iter().flatten() {
            if reached.insert(*imported) {
                next.push(imported);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    //! 1. Imports are found in paths and groups, through the exports of the crate root, and not in comments or tests.
    //! 2. A new circle is a finding, and so is a listed one that no longer exists.

    use super::{SourceFile, circles, compare, imports};
    use std::collections::BTreeSet;

    fn found(files: &[(&str, &str)]) -> BTreeSet<String> {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: format!("crates/operations/src/{path}"),
            text: (*text).to_owned(),
        };
        let files: Vec<SourceFile> = files.iter().map(file).collect();
        circles(&imports(&files))
    }

    const ROOT: (&str, &str) = (
        "lib.rs",
        "pub mod a;\nmod b;\nmod c;\n\npub use a::{One, Two};\n",
    );

    #[test]
    fn imports_are_found_in_paths_and_groups() {
        for (a, b) in [
            ("use crate::b::X;", "use crate::a::Y;"),
            ("use crate::{c, b::{X, Z}};", "fn f() { crate::a::g() }"),
            ("use crate::b;", "use crate::{\n    Two,\n};"),
            ("use crate::b;", "use super::a;"),
        ] {
            let circle = found(&[ROOT, ("a/mod.rs", a), ("b.rs", b), ("c.rs", "")]);
            assert_eq!(circle, BTreeSet::from(["a b".to_owned()]), "{a} {b}");
        }
        for b in [
            "// crate::a is above",
            "\n#[cfg(test)]\nmod tests {\n    use crate::a::Y;\n}\n",
            "use super::a;",
            "use crate::c::a;",
        ] {
            let files = [ROOT, ("a.rs", "use crate::b;"), ("b/x.rs", b), ("c.rs", "")];
            assert!(found(&files).is_empty(), "{b}");
        }
    }

    #[test]
    fn a_circle_may_have_more_than_two_modules() {
        let circle = found(&[
            ROOT,
            ("a.rs", "use crate::b;"),
            ("b.rs", "use crate::c;"),
            ("c.rs", "use crate::a;"),
        ]);
        assert_eq!(circle, BTreeSet::from(["a b c".to_owned()]));
    }

    #[test]
    fn the_list_may_shrink_and_never_grow() {
        let found = BTreeSet::from(["a b".to_owned()]);
        assert_eq!(compare(&found, &["a b"]).len(), 0);
        assert_eq!(compare(&found, &[]).len(), 1);
        assert_eq!(compare(&BTreeSet::new(), &["a b"]).len(), 1);
        assert_eq!(compare(&found, &["a b c"]).len(), 2);
    }
}
