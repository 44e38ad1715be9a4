//! Who is searching: the prices that apply and the documents that may be seen (docs/feed.md, "Who is searching").

use crate::document::price::PriceContext;
use std::collections::BTreeSet;

/// The properties of a shopper that affect results. The default is the anonymous visitor of a store without
/// declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Visitor {
    /// Which prices are shown, and used to sort, filter and count.
    pub prices: PriceContext,
    /// Which documents may be seen.
    pub access: DocumentAccess,
}

impl Visitor {
    /// Returns its approximate size in bytes.
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
    /// All documents except those that no group may see: access control is off, or was never declared.
    #[default]
    Unrestricted,
    /// Public documents, and those that one of these declared groups may see. Without a group: public documents only.
    Groups(BTreeSet<String>),
}

impl DocumentAccess {
    /// Value of a document's groups that nobody may see.
    pub const NOBODY: &str = "none";

    /// Returns whether a document with these groups may be seen; one without groups is public.
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
    fn nobody_sees_documents_of_no_group() {
        let claimed = DocumentAccess::Groups(["none".to_owned(), "4".to_owned()].into());
        for access in [DocumentAccess::Unrestricted, claimed] {
            assert!(!access.admits(&groups(&["none"])));
            assert!(access.admits(&groups(&[])));
            assert!(access.admits(&groups(&["4"])));
        }
    }

    #[test]
    fn a_group_sees_its_own_and_public_documents() {
        let wholesale = DocumentAccess::Groups(["4".to_owned()].into());
        assert!(wholesale.admits(&groups(&["1", "4"])));
        assert!(!wholesale.admits(&groups(&["1"])));
        let without_group = DocumentAccess::Groups(BTreeSet::new());
        assert!(without_group.admits(&[]));
        assert!(!without_group.admits(&groups(&["1"])));
    }
}
