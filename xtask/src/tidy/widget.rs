//! The search widget: its sizes as they go over the wire, its file headers, and no markup made of text.

use crate::workspace::SourceFile;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const BUILT: &str = "crates/server/src/assets/widget/";
const SOURCES: &str = "widget/src/";
/// The one source that takes markup: the theme's own cards, cleaned in an inert template.
const MARKUP: &str = "widget/src/results/theme_cards.ts";

/// The most bytes of each built file, compressed with `gzip -9`.
const SIZES: [(&str, usize); 6] = [
    ("snippet.js", 512),
    ("loader.js", 2_048),
    ("box.js", 12_288),
    ("results.js", 25_600),
    ("box.css", 5_120),
    ("results.css", 5_120),
];

/// What makes code or markup of text, or is blocked by a shop's policy.
const UNSAFE: [&str; 11] = [
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "eval(",
    "new Function",
    "setAttribute(\"style\"",
    "setAttribute('style'",
    "setAttribute(\"on",
    ".cssText",
    "createContextualFragment",
];

/// The findings of the widget.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let mut findings = sizes(files);
    for file in files {
        if file.path.starts_with(SOURCES) && file.ends_with("ts") && !file.path.ends_with(".d.ts") {
            findings.extend(source(file));
        } else if file.path.starts_with(BUILT) && file.ends_with("js") {
            // The built results hold the one place where cards become elements.
            let most = usize::from(file.path.ends_with("results.js"));
            findings.extend(unsafe_calls(file, most));
        }
    }
    findings
}

fn sizes(files: &[SourceFile]) -> Vec<String> {
    let mut findings = Vec::new();
    for (name, most) in SIZES {
        let path = format!("{BUILT}{name}");
        match files.iter().find(|file| file.path == path) {
            None => findings.push(format!("{path}: is missing")),
            Some(file) => {
                let bytes = compressed(&file.text);
                if bytes > most {
                    findings.push(format!("{path}: {bytes} bytes compressed, at most {most}"));
                }
            }
        }
    }
    findings
}

fn compressed(text: &str) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(text.as_bytes());
    let all = written.and_then(|()| encoder.finish());
    // Writing into memory does not fail; a file that could not be measured is too large.
    all.map_or(usize::MAX, |bytes| bytes.len())
}

fn source(file: &SourceFile) -> Vec<String> {
    let mut findings = Vec::new();
    if !file.text.starts_with("//! ") {
        findings.push(format!(
            "{}: does not open with //! and one sentence on its content",
            file.path
        ));
    }
    let most = usize::from(file.path == MARKUP);
    findings.extend(unsafe_calls(file, most));
    findings
}

fn unsafe_calls(file: &SourceFile, most: usize) -> Option<String> {
    let found = UNSAFE.map(|name| file.text.matches(name).count());
    let sum: usize = found.iter().sum();
    let names = UNSAFE.iter().zip(found).filter(|(_, count)| *count > 0);
    let names: Vec<&str> = names.map(|(name, _)| *name).collect();
    (sum > most).then(|| {
        format!(
            "{}: makes markup or code of text: {}",
            file.path,
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        let (path, text) = (path.to_owned(), text.to_owned());
        SourceFile { path, text }
    }

    fn built() -> Vec<SourceFile> {
        SIZES
            .map(|(name, _)| file(&format!("{BUILT}{name}"), ""))
            .into()
    }

    #[test]
    fn sizes_are_bounded() {
        let mut files = built();
        assert_eq!(check(&files), Vec::<String>::new());
        // Text that does not compress: each number once.
        files[0].text = (0..3_000_u32)
            .map(|n| n.wrapping_mul(2_654_435_761).to_string())
            .collect();
        assert_eq!(check(&files).len(), 1);
        files.remove(0);
        assert_eq!(check(&files).len(), 1);
    }

    #[test]
    fn markup_is_made_in_one_place() {
        for (path, text, findings) in [
            ("widget/src/a.ts", "//! Knows a.\nlet a = 1;", 0),
            ("widget/src/a.ts", "let a = 1;", 1),
            ("widget/src/a.ts", "//! Knows a.\na.innerHTML = b;", 1),
            (MARKUP, "//! Knows a.\na.innerHTML = b;", 0),
            (MARKUP, "//! Knows a.\na.innerHTML = b.innerHTML;", 1),
        ] {
            let mut files = built();
            files.push(file(path, text));
            assert_eq!(check(&files).len(), findings, "{path} {text}");
        }
    }
}
