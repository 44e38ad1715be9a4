//! `tidy`: rules of this repository that the compiler does not check, checked on the text of the workspace.

mod architecture;
mod arrows;
mod bounds;
mod catalogues;
mod circles;
mod compiling;
mod error_codes;
mod layers;
mod modules;
mod permits;
mod ratchet;
mod sources;
mod type_names;
mod widget;
mod words;

use crate::failure::{Failure, Outcome};
use crate::workspace::{self, SourceFile};

/// Checks the whole workspace and prints the findings.
pub fn run() -> Outcome<()> {
    let files = workspace::files(&workspace::root())?;
    let findings = check(&files)?;
    if findings.is_empty() {
        println!("tidy: {} files, no findings", files.len());
        return Ok(());
    }
    for finding in &findings {
        println!("{finding}");
    }
    Err(Failure::new(format!("tidy: {} findings", findings.len())))
}

/// All findings, one sentence each.
fn check(files: &[SourceFile]) -> Outcome<Vec<String>> {
    let members = workspace::members(files)?;
    let mut findings = sources::check(files);
    findings.extend(ratchet::check(files));
    findings.extend(widget::check(files));
    findings.extend(permits::check(files));
    findings.extend(words::check(files));
    findings.extend(type_names::check(files));
    findings.extend(bounds::check(files));
    findings.extend(error_codes::check(files));
    findings.extend(arrows::check(&members));
    findings.extend(circles::check(files));
    findings.extend(layers::check(files));
    findings.extend(compiling::check(files));
    findings.extend(catalogues::check(files));
    findings.extend(architecture::check(files, &members));
    Ok(findings)
}

/// Returns the number of findings of `check` in one file.
#[cfg(test)]
fn found(check: fn(&[SourceFile]) -> Vec<String>, path: &str, text: &str) -> usize {
    let (path, text) = (path.to_owned(), text.to_owned());
    check(&[SourceFile { path, text }]).len()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_workspace_is_tidy() {
        let files = crate::workspace::files(&crate::workspace::root()).expect("the tree is read");
        assert!(files.len() > 20, "the walk found the workspace");
        let findings = super::check(&files).expect("the manifests are read");
        assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    }
}
