//! 1. Completions name the commands and their options, for each shell of the package.
//! 2. The manual has a page of each command, which names its options.
//! 3. Neither looks for data.

use crate::harness::findwell;
use tempfile::TempDir;

#[test]
fn completions_name_the_options() {
    let folder = TempDir::new().expect("a directory");
    for shell in ["bash", "zsh", "fish"] {
        let printed = findwell(folder.path(), &["completions", shell]);
        assert_eq!(printed.status, 0, "{printed:?}");
        for word in ["import", "panel-url", "store-view"] {
            assert!(printed.stdout.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(findwell(folder.path(), &["completions", "x"]).status, 2);
}

#[test]
fn the_manual_has_a_page_of_each_command() {
    let folder = TempDir::new().expect("a directory");
    let pages = folder.path().join("below/pages");
    let written = findwell(folder.path(), &["manual", &pages.to_string_lossy()]);
    assert_eq!(written.status, 0, "{written:?}");
    for (page, word) in [
        ("findwell.1", "import"),
        ("findwell-serve.1", "listen"),
        ("findwell-store-create.1", "language"),
    ] {
        let text = std::fs::read_to_string(pages.join(page)).expect(page);
        assert!(text.contains(word), "{page}: {word}");
    }
    assert!(!folder.path().join("findwell.db").exists());
}
