//! The fields of a document in the cluster, and how words, codes and values are written in them.
//!
//! A text is written analysed, so that the cluster analyses nothing: places are separated, and the terms at one place. Control
//! characters occur in no term.

use domain::document::price::PriceField;
use domain::relevance::field::FieldId;
use domain::search::FilterField;

/// Separates places of a text, and the parts of a value.
pub const SEPARATOR: char = '\u{1f}';
/// Separates the terms at one place.
pub const SAME_PLACE: char = '\u{1e}';
/// A place without a term.
pub const HOLE: char = '\u{4}';
/// A term at the first place of every text: it occurs once in a field that has words.
pub const PRESENCE: char = '\u{2}';
/// First character of the terms of surface forms.
pub const FORM_MARK: char = '\u{1}';
/// First character of the terms of surface forms with accents, without these.
pub const UNMARKED_FORM_MARK: char = '\u{3}';
/// First character of the stems in [`ALL`]: the suggester of the cluster finds no two edits of which one is at the first
/// character of a term.
pub const STEM_MARK: char = '\u{5}';
/// Separates a prefix or substring from the length of its word, and a surface form from its stem.
pub const LENGTH_MARK: char = '\u{2}';
/// Places between two values of a field, so that no phrase spans both.
pub const VALUE_GAP: u32 = 100;

/// Id of the document.
pub const ID: &str = "id";
/// Its number in storage.
pub const ORDINAL: &str = "ordinal";
/// Fingerprint of what was written.
pub const FINGERPRINT: &str = "fingerprint";
/// Stems of all texts, each with [`STEM_MARK`].
pub const ALL: &str = "all";
/// The same as values, in languages with compounds.
pub const STEMS: &str = "stems";
/// Stems with their surface forms and these without accents, in languages that tell forms from other words of their stem.
pub const FORMS: &str = "forms";
/// Prefixes of the words of the name.
pub const PREFIXES: &str = "prefixes";
/// Substrings of the words of the name.
pub const SUBSTRINGS: &str = "substrings";
/// Names of the searchable fields with a value.
pub const FILLED: &str = "filled";
/// Values to filter by: field, id, whether the label is stated, label.
pub const VALUES: &str = "values";
/// Values that have an id of their own: field, id.
pub const VALUE_IDS: &str = "value_ids";
/// Values by label: field, or kind of group, and label.
pub const LABELS: &str = "labels";
/// Fields with a value.
pub const CARRIED: &str = "carried";
/// Fields with the name of their group.
pub const GROUPS: &str = "groups";
/// Groups that may see it, or [`PUBLIC`].
pub const ACCESS: &str = "access";
/// Whether it can be ordered.
pub const IN_STOCK: &str = "in_stock";
/// Whether it is hidden where what cannot be ordered is hidden.
pub const HIDDEN_WHEN_OUT: &str = "hidden_when_out";
/// Price fields that are below their former price.
pub const CHEAPER: &str = "cheaper";
/// Units sold; 0 if not known.
pub const SALES: &str = "sales";
/// Units sold, where known.
pub const SOLD: &str = "sold";
/// Factor of the units sold.
pub const SALES_LOG: &str = "sales_log";
/// Rating.
pub const RATING: &str = "rating";
/// Factor of the rating.
pub const RATING_LOG: &str = "rating_log";
/// Number of ratings.
pub const RATING_COUNT: &str = "rating_count";
/// Value of the chosen feature.
pub const FEATURE_NUM: &str = "feature_num";
/// When it was added.
pub const ADDED: &str = "added";
/// Sort key of the name.
pub const NAME_KEY: &str = "name_key";
/// The displayed texts, which are stored and not searched.
pub const CARD: &str = "card";
/// The displayed numbers, which are stored and not searched.
pub const NUMBERS: &str = "numbers";
/// The watermark, in a document of its own.
pub const WATERMARK: &str = "watermark";

/// In [`ACCESS`]: everybody may see it. No group is called so.
pub const PUBLIC: &str = "*";
/// Flag in [`VALUES`]: the document states the label.
pub const STATED: &str = "s";
/// Flag in [`VALUES`]: the label is derived.
pub const DERIVED: &str = "d";
/// In [`LABELS`] for any group of attributes.
pub const ANY_ATTRIBUTE: &str = "attributes";
/// In [`LABELS`] for any feature.
pub const ANY_FEATURE: &str = "features";

/// The field of the words of a text.
pub fn text(field: FieldId) -> String {
    format!("text_{}", plain(field))
}

/// The field of the number of words of a text.
pub fn length(field: FieldId) -> String {
    format!("length_{}", plain(field))
}

/// The field of codes.
pub fn code(field: FieldId) -> String {
    format!("code_{}", plain(field))
}

/// The name of a similarity.
pub fn similarity(field: FieldId) -> String {
    format!("frequency_{}", plain(field))
}

/// The field of a price.
pub fn price(field: &PriceField) -> String {
    format!("price.{field}")
}

/// The term of a stem in [`ALL`].
pub fn stem_term(stem: &str) -> String {
    format!("{STEM_MARK}{stem}")
}

/// The term of a surface form of a stem.
pub fn form_term(form: &str, stem: &str) -> String {
    format!("{FORM_MARK}{form}{LENGTH_MARK}{stem}")
}

/// The term of surface forms of a stem that are `folded` without their accents.
pub fn unmarked_form_term(folded: &str, stem: &str) -> String {
    format!("{UNMARKED_FORM_MARK}{folded}{LENGTH_MARK}{stem}")
}

/// The beginning of the terms of a prefix or substring.
pub fn longer_prefix(part: &str) -> String {
    format!("{part}{LENGTH_MARK}")
}

/// The term of a prefix or substring of a word of so many `characters`.
pub fn longer_term(part: &str, characters: usize) -> String {
    format!("{part}{LENGTH_MARK}{characters}")
}

/// The beginning of the values of a field.
pub fn value_prefix(field: &FilterField) -> String {
    format!("{field}{SEPARATOR}")
}

/// The parts of a value: id, whether its label is stated, label.
pub fn value_parts<'a>(field: &FilterField, term: &'a str) -> Option<(&'a str, bool, &'a str)> {
    let name = field.to_string();
    let rest = term.strip_prefix(&name)?.strip_prefix(SEPARATOR)?;
    let (id, rest) = rest.split_once(SEPARATOR)?;
    let (flag, label) = rest.split_once(SEPARATOR)?;
    Some((id, flag == STATED, label))
}

/// Two parts of a value.
pub fn pair(first: &str, second: &str) -> String {
    format!("{first}{SEPARATOR}{second}")
}

/// The name of a field as a part of other names.
fn plain(field: FieldId) -> String {
    field.name().replace('.', "_")
}
