//! Which crate may depend on which, and the heavy dependencies that only one crate may use.

use crate::workspace::Member;
use std::collections::BTreeMap;

/// Each crate with the crates that it may use.
const ARROWS: [(&str, &[&str]); 10] = [
    ("domain", &[]),
    ("query", &["domain"]),
    // What it finds is judged in its tests.
    ("engine", &["domain", "query", "evaluation"]),
    ("storage", &["domain"]),
    ("operations", &["domain", "query", "engine", "storage"]),
    ("catalogue_files", &["domain"]),
    ("fetching", &["domain"]),
    (
        "server",
        &[
            "domain",
            "operations",
            "evaluation",
            "catalogue_files",
            "fetching",
        ],
    ),
    ("evaluation", &[]),
    ("xtask", &["evaluation"]),
];

/// Dependencies that only these crates may use.
const KEPT: [(&str, &[&str]); 11] = [
    ("tantivy", &["engine"]),
    ("tantivy-fst", &["engine"]),
    ("sqlx", &["storage"]),
    ("axum", &["server"]),
    ("csv-core", &["catalogue_files"]),
    ("quick-xml", &["catalogue_files"]),
    ("chardetng", &["catalogue_files"]),
    ("zip", &["catalogue_files"]),
    // The two that speak to servers of others.
    ("rustls", &["engine", "fetching"]),
    ("tower", &["server"]),
    ("tower-http", &["server"]),
];

/// The findings of all manifests.
pub fn check(members: &BTreeMap<String, Member>) -> Vec<String> {
    members
        .iter()
        .flat_map(|(name, member)| check_member(name, member, members))
        .collect()
}

fn check_member(name: &str, member: &Member, members: &BTreeMap<String, Member>) -> Vec<String> {
    let Some((_, below)) = ARROWS.iter().find(|(known, _)| *known == name) else {
        return vec![format!(
            "{name}: a new crate needs a decision record and its dependencies in xtask/src/tidy/arrows.rs"
        )];
    };
    let mut findings = Vec::new();
    for dependency in member.dependencies.iter().chain(&member.dev_dependencies) {
        let inside = members.contains_key(dependency);
        if inside && !below.contains(&dependency.as_str()) {
            findings.push(format!(
                "{name}: may not depend on {dependency}; dependencies point down only"
            ));
        }
        if let Some((_, keepers)) = KEPT.iter().find(|(kept, _)| kept == dependency)
            && !keepers.contains(&name)
        {
            let keepers = keepers.join(" and ");
            findings.push(format!(
                "{name}: may not depend on {dependency}; only {keepers} may use it"
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{Member, check};
    use std::collections::BTreeMap;

    fn findings(name: &str, dependencies: &[&str], dev_dependencies: &[&str]) -> Vec<String> {
        let texts = |list: &[&str]| list.iter().map(|d| (*d).to_owned()).collect();
        let mut members: BTreeMap<String, Member> = ["domain", "engine", "storage"]
            .into_iter()
            .map(|n| (n.to_owned(), Member::default()))
            .collect();
        let member = Member {
            dependencies: texts(dependencies),
            dev_dependencies: texts(dev_dependencies),
        };
        members.insert(name.to_owned(), member);
        check(&members)
    }

    #[test]
    fn engine_and_storage_never_meet() {
        assert_eq!(findings("engine", &["domain", "tantivy"], &[]).len(), 0);
        assert_eq!(findings("engine", &["storage"], &[]).len(), 1);
        assert_eq!(findings("storage", &["engine"], &[]).len(), 1);
    }

    #[test]
    fn dependencies_of_tests_are_checked_too() {
        assert_eq!(findings("storage", &[], &["domain"]).len(), 0);
        assert_eq!(findings("storage", &[], &["engine"]).len(), 1);
    }

    #[test]
    fn heavy_dependencies_stay_in_their_crate() {
        assert_eq!(findings("storage", &["sqlx"], &[]).len(), 0);
        assert_eq!(findings("domain", &["axum"], &["sqlx"]).len(), 2);
        assert_eq!(findings("stranger", &[], &[]).len(), 1);
    }
}
