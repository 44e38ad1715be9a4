//! The table of searchable fields: names, default boosts and kinds of matching.

/// How the words of a query match a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Analysed text with low term-frequency saturation and weak length normalisation: names, tags, labels.
    Short,
    /// Analysed text with ordinary saturation and length normalisation: features, descriptions.
    Long,
    /// Prefixes of the words of the name.
    Autocomplete,
    /// Substrings of the words of the name; needs re-indexing.
    Partial,
    /// Codes, compared as a whole.
    Code,
}

/// One searchable field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in the API.
    pub name: &'static str,
    /// Boost if none is saved.
    pub default_boost: f64,
    /// How it is matched.
    pub kind: FieldKind,
}

const fn field(name: &'static str, default_boost: f64, kind: FieldKind) -> Field {
    Field {
        name,
        default_boost,
        kind,
    }
}

/// All searchable fields, in the order of docs/api.md.
pub const FIELDS: [Field; 20] = [
    field("name", 6.0, FieldKind::Short),
    field("name.autocomplete", 3.0, FieldKind::Autocomplete),
    field("name.partial", 0.0, FieldKind::Partial),
    field("reference", 10.0, FieldKind::Code),
    field("ean13", 10.0, FieldKind::Code),
    field("upc", 10.0, FieldKind::Code),
    field("mpn", 10.0, FieldKind::Code),
    field("combinationReferences", 12.0, FieldKind::Code),
    field("combinationEans", 12.0, FieldKind::Code),
    field("combinationMpns", 12.0, FieldKind::Code),
    field("categories.name", 3.0, FieldKind::Short),
    field("tags", 4.0, FieldKind::Short),
    field("attributes.value", 2.0, FieldKind::Short),
    field("features.value", 2.0, FieldKind::Long),
    field("short_description", 1.5, FieldKind::Long),
    field("description", 1.0, FieldKind::Long),
    field("manufacturer", 3.0, FieldKind::Short),
    field("supplier", 3.0, FieldKind::Short),
    field("ai_description_manual", 6.0, FieldKind::Long),
    field("ai_description", 5.0, FieldKind::Long),
];

/// Number of searchable fields.
pub const FIELD_COUNT: usize = FIELDS.len();

/// A field by its index in [`FIELDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(u8);

impl FieldId {
    /// The name.
    pub const NAME: Self = Self(0);
    /// Prefixes of the name's words.
    pub const AUTOCOMPLETE: Self = Self(1);
    /// Substrings of the name's words.
    pub const PARTIAL: Self = Self(2);
    /// The tags.
    pub const TAGS: Self = Self(11);

    /// Returns the field called `name`.
    pub fn named(name: &str) -> Option<Self> {
        FIELDS
            .iter()
            .position(|f| f.name == name)
            .map(|at| Self(at as u8))
    }

    /// Returns all fields, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..FIELD_COUNT).map(|at| Self(at as u8))
    }

    /// Returns all fields with analysed text of their own.
    pub fn texts() -> impl Iterator<Item = Self> {
        Self::all().filter(|f| matches!(f.kind(), FieldKind::Short | FieldKind::Long))
    }

    /// Returns all fields of codes.
    pub fn codes() -> impl Iterator<Item = Self> {
        Self::all().filter(|f| f.kind() == FieldKind::Code)
    }

    /// Returns the index in [`FIELDS`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Name in the API.
    pub fn name(self) -> &'static str {
        FIELDS[self.index()].name
    }

    /// Returns how it is matched.
    pub fn kind(self) -> FieldKind {
        FIELDS[self.index()].kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_match_the_table() {
        assert_eq!(FieldId::NAME.name(), "name");
        assert_eq!(FieldId::AUTOCOMPLETE.name(), "name.autocomplete");
        assert_eq!(FieldId::PARTIAL.name(), "name.partial");
        assert_eq!(FieldId::TAGS.name(), "tags");
        assert_eq!(
            FieldId::texts().count() + FieldId::codes().count() + 2,
            FIELD_COUNT
        );
    }
}
