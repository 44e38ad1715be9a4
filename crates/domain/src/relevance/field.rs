//! The table of searchable fields: name, default boost and how a field is matched.

/// How the words of a question meet a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Analysed words with low saturation and little length: names, tags, labels.
    Short,
    /// Analysed words with ordinary saturation and length: features, descriptions.
    Long,
    /// Beginnings of the words of the name.
    Autocomplete,
    /// Any part of the words of the name; needs re-indexing.
    Partial,
    /// Codes, compared as a whole.
    Code,
}

/// One searchable field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in the interface.
    pub name: &'static str,
    /// Boost when nothing is saved.
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

/// All searchable fields in the order of the seed's table.
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

/// A field by its place in [`FIELDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(u8);

impl FieldId {
    /// The name.
    pub const NAME: Self = Self(0);
    /// Beginnings of the name's words.
    pub const AUTOCOMPLETE: Self = Self(1);
    /// Parts of the name's words.
    pub const PARTIAL: Self = Self(2);
    /// The tags.
    pub const TAGS: Self = Self(11);

    /// The field called `name`.
    pub fn named(name: &str) -> Option<Self> {
        FIELDS
            .iter()
            .position(|f| f.name == name)
            .map(|at| Self(at as u8))
    }

    /// Every field, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..FIELD_COUNT).map(|at| Self(at as u8))
    }

    /// Every field with analysed words of its own.
    pub fn texts() -> impl Iterator<Item = Self> {
        Self::all().filter(|f| matches!(f.kind(), FieldKind::Short | FieldKind::Long))
    }

    /// Every field of codes.
    pub fn codes() -> impl Iterator<Item = Self> {
        Self::all().filter(|f| f.kind() == FieldKind::Code)
    }

    /// Place in [`FIELDS`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Name in the interface.
    pub fn name(self) -> &'static str {
        FIELDS[self.index()].name
    }

    /// How it is matched.
    pub fn kind(self) -> FieldKind {
        FIELDS[self.index()].kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_places_are_those_of_the_table() {
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
