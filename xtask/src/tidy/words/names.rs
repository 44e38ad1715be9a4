//! The names in a file of TypeScript, JavaScript or PHP: functions, methods, classes, variables and parameters. Names
//! that are given elsewhere stay out: keys of what goes over the wire, members of what is not declared in the file.

use super::code::{Language, code};

/// Words behind which TypeScript and JavaScript declare a name, whatever follows it.
const SCRIPT: [&str; 13] = [
    "class",
    "const",
    "function",
    "get",
    "interface",
    "let",
    "private",
    "protected",
    "readonly",
    "set",
    "static",
    "type",
    "var",
];

/// Words behind which PHP declares a name; its variables have their own sign.
const PHP: [&str; 6] = ["class", "const", "enum", "function", "interface", "trait"];

/// Returns each name of `text` with the number of its first line.
pub fn names(text: &str, language: Language) -> Vec<(usize, String)> {
    let code = code(text, language);
    let mut names: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    let (mut line, mut counted) = (1, 0);
    while let Some(start) = code[at..].find(is_start).map(|found| at + found) {
        let length = code[start..].find(|c| !is_start(c) && !c.is_ascii_digit());
        let end = length.map_or(code.len(), |length| start + length);
        let (before, name, after) = (&code[..start], &code[start..end], &code[end..]);
        line += code[counted..start].matches('\n').count();
        (at, counted) = (end, start);
        let is_name = match language {
            Language::Script => in_script(before.trim_end(), after.trim_start()),
            Language::Php => before.ends_with('$') || follows(before.trim_end(), &PHP),
        };
        if is_name && !names.iter().any(|(_, other)| other == name) {
            names.push((line, name.to_owned()));
        }
    }
    names
}

fn is_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Whether what stands between `before` and `after` is a name: a declared or used one, but no member, key or export of
/// something else.
fn in_script(before: &str, after: &str) -> bool {
    let member = before.ends_with('.') && !before.ends_with("...");
    let key = after.starts_with(':') || after.starts_with("?:");
    let renamed = after.starts_with("as ");
    follows(before, &SCRIPT) || !(member || key || renamed)
}

/// Whether the last word of `before` is one of `words`.
fn follows(before: &str, words: &[&str]) -> bool {
    let last = before.rsplit(|c| !is_start(c)).next();
    last.is_some_and(|last| words.contains(&last))
}

#[cfg(test)]
mod tests {
    //! Proves: 1. what a script declares or uses is found once, and neither keys nor members nor what another module
    //! calls a thing; 2. PHP's variables, functions and types are found.

    use super::{Language, names};

    fn of(language: Language, text: &str) -> String {
        let names = names(text, language).into_iter();
        let named: Vec<_> = names.map(|(line, name)| format!("{line} {name}")).collect();
        named.join(", ")
    }

    #[test]
    fn names_of_scripts() {
        for (text, found) in [
            ("const { a: b, c } = d;", "1 const, 1 b, 1 c, 1 d"),
            ("import { a as b } from 'c';", "1 import, 1 as, 1 b, 1 from"),
            (
                "class A {\n  private b: C;\n  d(e) { this.b(...f); }\n}",
                "1 class, 1 A, 2 private, 2 b, 2 C, 3 d, 3 e, 3 this, 3 f",
            ),
        ] {
            assert_eq!(of(Language::Script, text), found);
        }
    }

    #[test]
    fn names_of_php() {
        let text = "final class A\n{\n  /** $x */\n  public function b(?C $d): E { return $d->f('$y'); }\n}";
        assert_eq!(of(Language::Php, text), "1 A, 4 b, 4 d");
    }
}
