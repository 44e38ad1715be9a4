//! The code of a file of TypeScript, JavaScript or PHP: its text with blanks in the place of comments and literals,
//! which hold words and no names.

/// How a file is read.
#[derive(Clone, Copy, PartialEq)]
pub enum Language {
    /// TypeScript and JavaScript.
    Script,
    /// PHP without text outside its tags.
    Php,
}

/// Returns the code of `text`; its lines stay lines, and the code inside of templates stays.
pub fn code(text: &str, language: Language) -> String {
    let mut reader = Reader {
        code: String::with_capacity(text.len()),
        templates: Vec::new(),
        language,
    };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let literal = reader.literal(rest);
        if literal > 0 {
            let blank = |c| if c == '\n' { c } else { ' ' };
            reader.code.extend(rest[..literal].chars().map(blank));
            rest = &rest[literal..];
        } else {
            reader.code.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    reader.code
}

struct Reader {
    code: String,
    /// The open braces of each template whose code is being read.
    templates: Vec<usize>,
    language: Language,
}

impl Reader {
    /// Bytes of the comment or literal at the start of `rest`; none of code.
    fn literal(&mut self, rest: &str) -> usize {
        let php = self.language == Language::Php;
        let comment =
            rest.starts_with("//") || php && rest.starts_with('#') && !rest.starts_with("#[");
        if comment {
            return rest.find('\n').unwrap_or(rest.len());
        }
        if let Some(inner) = rest.strip_prefix("/*") {
            return inner.find("*/").map_or(rest.len(), |at| at + 4);
        }
        match rest.as_bytes()[0] {
            quote @ (b'"' | b'\'') => up_to(rest, |_, c| c == char::from(quote)),
            b'<' if php => heredoc(rest),
            b'/' if !php && self.is_operand_next() => expression(rest),
            b'`' if !php => self.template(rest),
            b'{' | b'}' if !php => self.brace(rest),
            _ => 0,
        }
    }

    /// Bytes of a template's text up to the code in it, which begins, or up to its end.
    fn template(&mut self, rest: &str) -> usize {
        let length = up_to(rest, |before, c| c == '`' || before == '$' && c == '{');
        if rest[..length].ends_with('{') {
            self.templates.push(0);
        }
        length
    }

    /// Counts a brace; behind one that ends the code in a template, the template goes on.
    fn brace(&mut self, rest: &str) -> usize {
        match (self.templates.last_mut(), rest.starts_with('{')) {
            (Some(0), false) => {
                self.templates.pop();
                return self.template(rest);
            }
            (Some(open), true) => *open += 1,
            (Some(open), false) => *open -= 1,
            (None, _) => {}
        }
        0
    }

    /// Whether a value comes next, so that a slash begins a regular expression and divides nothing.
    fn is_operand_next(&self) -> bool {
        let code = self.code.trim_end();
        code.is_empty()
            || code.ends_with(|c| "(,=:[!&|?{;>+".contains(c))
            || code.ends_with("return")
    }
}

/// Bytes of a literal with its last character, the first of which `is_last`, called with the one before, is true;
/// characters behind a backslash are passed over.
fn up_to(rest: &str, mut is_last: impl FnMut(char, char) -> bool) -> usize {
    let (mut before, mut escaped) = ('\0', false);
    for (at, c) in rest.char_indices().skip(1) {
        let was_escaped = std::mem::replace(&mut escaped, false);
        if was_escaped {
            before = '\0';
        } else if c == '\\' {
            escaped = true;
        } else if is_last(before, c) {
            return at + c.len_utf8();
        } else {
            before = c;
        }
    }
    rest.len()
}

/// Bytes of a regular expression; none if its line ends first.
fn expression(rest: &str) -> usize {
    let mut in_class = false;
    let length = up_to(rest, |_, c| {
        in_class = c == '[' || in_class && c != ']';
        c == '\n' || c == '/' && !in_class
    });
    if rest[..length].ends_with('/') {
        length
    } else {
        0
    }
}

/// Bytes of a heredoc with the name that closes it; none of other code.
fn heredoc(rest: &str) -> usize {
    let Some((first, _)) = rest.split_once('\n').filter(|_| rest.starts_with("<<<")) else {
        return 0;
    };
    let name = first[3..].trim().trim_matches(['\'', '"']);
    let mut length = first.len();
    for line in rest[first.len()..].split_inclusive('\n') {
        if line.trim_start().starts_with(name) {
            return length + line.len() - line.trim_start().len() + name.len();
        }
        length += line.len();
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    //! Proves: 1. comments, strings, regular expressions and heredocs become blanks; 2. the code in a template stays,
    //! with templates in it; 3. a division is code.

    use super::{Language, code};

    /// The code of `text` with single blanks.
    fn of(language: Language, text: &str) -> String {
        let code = code(text, language);
        assert_eq!(code.lines().count(), text.lines().count(), "{text}");
        code.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_literals_are_blank() {
        for (text, left) in [
            ("a // b\nc /* d\n' */ e", "a c e"),
            (r#"a("b\"c", 'd')"#, "a( , )"),
            (r"a.replace(/['/[\]/]/g, b)", "a.replace( g, b)"),
            ("a / b / c", "a / b / c"),
            ("return /a b/.test(c)", "return .test(c)"),
        ] {
            assert_eq!(of(Language::Script, text), left);
        }
        for (text, left) in [
            ("$a = 'b'; # c\n#[D]\n$e", "$a = ; #[D] $e"),
            ("f(<<<'X'\n  it's\n  X, $b)", "f( , $b)"),
        ] {
            assert_eq!(of(Language::Php, text), left);
        }
    }

    #[test]
    fn the_code_in_a_template_stays() {
        let text = "`a ${b({ c: `d ${e} f` })} g` + h";
        assert_eq!(of(Language::Script, text), "b({ c: e }) + h");
        assert_eq!(of(Language::Script, r"`\${a}` + b"), "+ b");
    }
}
