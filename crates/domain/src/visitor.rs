//! Who is searching: whose prices count, and what may be seen (feed.md sections 7 and 9).

use crate::document::price::PriceContext;
use std::collections::BTreeSet;

/// A shopper as far as ranking is concerned. The default is the anonymous visitor of a store without declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Visitor {
    /// Whose prices are shown, sorted, filtered and counted.
    pub prices: PriceContext,
    /// What may be seen.
    pub access: DocumentAccess,
}

impl Visitor {
    /// Bytes that it takes, about.
    pub fn bytes(&self) -> usize {
        let groups = match &self.access {
            DocumentAccess::Unrestricted => None,
            DocumentAccess::Groups(groups) => Some(groups),
        };
        let prices = [
            &self.prices.currency,
            &self.prices.tier,
            &self.prices.country,
        ];
        let prices = prices.into_iter().flatten().map(String::len);
        let groups = groups.into_iter().flatten();
        let groups = groups.map(|group| size_of::<String>() + group.len());
        size_of::<Self>() + prices.chain(groups).sum::<usize>()
    }
}

/// Which documents a shopper may see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum DocumentAccess {
    /// Everything but what no group may see: access control is off, or was never declared.
    #[default]
    Unrestricted,
    /// What is open to all, and what one of these declared groups may see. With no group: only what is open to all.
    Groups(BTreeSet<String>),
}

impl DocumentAccess {
    /// Written in a document's groups in place of any: nobody may see it.
    pub const NOBODY: &str = "none";

    /// Whether a document with these groups may be seen; one without groups is open to all.
    pub fn admits(&self, groups: &[String]) -> bool {
        if groups.is_empty() {
            return true;
        }
        match self {
            Self::Unrestricted => groups.iter().any(|group| group != Self::NOBODY),
            Self::Groups(own) => groups
                .iter()
                .any(|group| group != Self::NOBODY && own.contains(group)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn nobody_sees_what_no_group_may_see() {
        let claimed = DocumentAccess::Groups(["none".to_owned(), "4".to_owned()].into());
        for access in [DocumentAccess::Unrestricted, claimed] {
            assert!(!access.admits(&groups(&["none"])));
            assert!(access.admits(&groups(&[])));
            assert!(access.admits(&groups(&["4"])));
        }
    }

    #[test]
    fn a_group_sees_its_own_and_what_is_open_to_all() {
        let wholesale = DocumentAccess::Groups(["4".to_owned()].into());
        assert!(wholesale.admits(&groups(&["1", "4"])));
        assert!(!wholesale.admits(&groups(&["1"])));
        let nobody_special = DocumentAccess::Groups(BTreeSet::new());
        assert!(nobody_special.admits(&[]));
        assert!(!nobody_special.admits(&groups(&["1"])));
    }
}
