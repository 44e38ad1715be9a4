//! Which modules a page's own module imports before it runs: the page names them, so that a browser loads all at once.

use std::collections::BTreeSet;

/// Returns the modules that the module `name` with this text imports before it runs.
///
/// A statement is an import if its line starts with `import` or `export` and it ends with the name of a module, which
/// holds for every text that is formatted; an import in a comment is none.
pub fn imports(name: &str, text: &str) -> Vec<String> {
    let mut starts = Vec::new();
    let (mut at, mut in_comment) = (0, false);
    for line in text.split_inclusive('\n') {
        in_comment |= line.trim_start().starts_with("/*");
        if !in_comment
            && ["import", "export"]
                .iter()
                .any(|word| line.starts_with(word))
        {
            starts.push(at);
        }
        in_comment &= !line.contains("*/");
        at += line.len();
    }
    let statements = starts
        .into_iter()
        .filter_map(|start| text[start..].split(';').next());
    let paths = statements.filter_map(imported);
    paths.map(|path| resolved(name, path)).collect()
}

/// Returns the path that a statement imports: the text in quotes at its end, after `from` or `import`.
fn imported(statement: &str) -> Option<&str> {
    let statement = statement.trim_end();
    let quote = statement
        .chars()
        .next_back()
        .filter(|last| ['"', '\''].contains(last))?;
    let (before, path) = statement[..statement.len() - 1].rsplit_once(quote)?;
    let before = before.trim_end();
    (before.ends_with("from") || before == "import").then_some(path)
}

/// Returns the name of the module that `name` imports as `path`.
pub fn resolved(name: &str, path: &str) -> String {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
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

#[cfg(test)]
mod tests {
    //! 1. Imports and exports of other modules are found with either quote, over several lines and without names.
    //! 2. Comments, texts, calls of `import` and exports of own names are no imports.

    use super::imports;

    #[test]
    fn imports_are_found_in_every_form() {
        let text = "import { a } from \"./a.js\";\nimport {\n  b,\n  c,\n} from '../b.js';\nimport \"./sub/c.js\";\n\
                    export { d } from \"./d.js\";\nexport * from './e.js';\n";
        let found = imports("folder/module.js", text);
        let expected = [
            "folder/a.js",
            "b.js",
            "folder/sub/c.js",
            "folder/d.js",
            "folder/e.js",
        ];
        assert_eq!(found, expected);
        assert_eq!(
            imports("module.js", "import * as a from \"./a.js\";"),
            ["a.js"]
        );
    }

    #[test]
    fn what_is_no_import_is_left_out() {
        for text in [
            "// import { a } from \"./a.js\";\n",
            "/*\nimport { a } from \"./a.js\";\n*/\n",
            "/* import { a } from \"./a.js\"; */\n",
            "const text = \"from \\\"./a.js\\\"\";\n",
            "export const text = \"a\";\n",
            "export async function f() {\n  await import(\"./a.js\");\n}\n",
        ] {
            assert!(imports("module.js", text).is_empty(), "{text}");
        }
    }
}
