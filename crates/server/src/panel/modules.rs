//! Which modules a page's own module imports before it runs: the page names them, so that a browser loads all at once.

use std::collections::BTreeSet;

/// Returns the modules that the module `name` with this text imports before it runs.
pub fn imports(name: &str, text: &str) -> Vec<String> {
    named(name, text, "from \"")
}

/// Returns the modules whose names follow `mark` in the text of the module `name`.
pub fn named(name: &str, text: &str, mark: &str) -> Vec<String> {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let paths = text.split(mark).skip(1);
    let paths = paths.filter_map(|rest| rest.split('"').next());
    paths
        .map(|path| match (path.strip_prefix("../"), folder) {
            (Some(above), _) => above.to_owned(),
            (None, "") => path.replacen("./", "", 1),
            (None, _) => path.replacen('.', folder, 1),
        })
        .collect()
}

/// Returns `module` and all that it imports, directly or through others, before it runs.
pub fn all(module: &str, text: impl Fn(&str) -> String) -> BTreeSet<String> {
    let mut found = BTreeSet::from([module.to_owned()]);
    let mut open = vec![module.to_owned()];
    while let Some(name) = open.pop() {
        let more = imports(&name, &text(&name)).into_iter();
        open.extend(more.filter(|name| found.insert(name.clone())));
    }
    found
}
