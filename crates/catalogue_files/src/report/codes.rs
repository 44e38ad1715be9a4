//! The stable codes of rejected rows, warnings and notices, each with its English text.

use domain::error_codes;

/// A code with its text.
type Code = (&'static str, &'static str);

/// The row has no id.
pub const ID_MISSING: &str = "id_missing";
/// The variant's product is not in the file.
pub const PARENT_MISSING: &str = "parent_missing";
/// The row has more cells than the header.
pub const TOO_MANY_CELLS: &str = "too_many_cells";
/// The row has too many bytes.
pub const ROW_TOO_LARGE: &str = "row_too_large";
/// The product has too many variants.
pub const TOO_MANY_VARIANTS: &str = "too_many_variants";
/// The line of NDJSON is no object.
pub const MALFORMED_LINE: &str = "malformed_line";

/// The rows that are rejected, beside those that the feed rejects.
pub const REJECTIONS: [Code; 8] = [
    (ID_MISSING, "the row has no id"),
    (error_codes::NAME_MISSING, "the product has no name"),
    (error_codes::TITLE_MISSING, "the page has no title"),
    (
        PARENT_MISSING,
        "the product of this variant is not in the file",
    ),
    (TOO_MANY_CELLS, "the row has more cells than the header"),
    (ROW_TOO_LARGE, "the row is too large"),
    (TOO_MANY_VARIANTS, "the product has too many variants"),
    (MALFORMED_LINE, "the line is no JSON object"),
];

/// No price can be read.
pub const PRICE_UNREADABLE: &str = "price_unreadable";
/// The currency of a price cannot be read.
pub const CURRENCY_UNKNOWN: &str = "currency_unknown";
/// The currency of a price is not declared.
pub const CURRENCY_UNDECLARED: &str = "currency_undeclared";
/// No date can be read.
pub const DATE_UNREADABLE: &str = "date_unreadable";
/// No availability can be read.
pub const AVAILABILITY_UNREADABLE: &str = "availability_unreadable";
/// No number can be read.
pub const NUMBER_UNREADABLE: &str = "number_unreadable";
/// No address can be read.
pub const URL_UNREADABLE: &str = "url_unreadable";
/// A spreadsheet has made a number of a code.
pub const CODE_DAMAGED: &str = "code_damaged";
/// A code is a number in JSON.
pub const CODE_IS_NUMBER: &str = "code_is_number";
/// An id occurs again.
pub const DUPLICATE_ID: &str = "duplicate_id";
/// Bytes are invalid in the encoding.
pub const INVALID_BYTES: &str = "invalid_bytes";
/// Control characters were removed.
pub const CONTROL_CHARACTERS: &str = "control_characters";
/// FileColumns of `extra` were cut.
pub const EXTRA_CUT: &str = "extra_cut";

/// The warnings.
pub const WARNINGS: [Code; 13] = [
    (
        PRICE_UNREADABLE,
        "no price can be read; the product goes in without it",
    ),
    (
        CURRENCY_UNKNOWN,
        "the currency cannot be read; the price is left out",
    ),
    (
        CURRENCY_UNDECLARED,
        "the store does not declare this currency; the price is left out",
    ),
    (DATE_UNREADABLE, "no date can be read; there is no sale"),
    (AVAILABILITY_UNREADABLE, "the availability cannot be read"),
    (NUMBER_UNREADABLE, "no number can be read"),
    (URL_UNREADABLE, "not an address; it is left out"),
    (
        CODE_DAMAGED,
        "a spreadsheet has made a number of the code; it is left out",
    ),
    (
        CODE_IS_NUMBER,
        "the code is a number; leading zeros would be lost",
    ),
    (DUPLICATE_ID, "the id occurs again; the later row counts"),
    (
        INVALID_BYTES,
        "bytes that are invalid in this encoding were replaced",
    ),
    (CONTROL_CHARACTERS, "control characters were removed"),
    (
        EXTRA_CUT,
        "the columns that nothing takes are too many; some are left out",
    ),
];

/// Numbers may be meant otherwise.
pub const AMBIGUOUS_NUMBERS: &str = "ambiguous_numbers";
/// Prices have no currency.
pub const CURRENCY_MISSING: &str = "currency_missing";
/// The currency of the file becomes that of the store.
pub const CURRENCY_DECLARED: &str = "currency_declared";
/// Nothing says what is in stock.
pub const STOCK_ASSUMED: &str = "stock_assumed";
/// Relative addresses have nothing to be resolved against.
pub const BASE_URL_MISSING: &str = "base_url_missing";
/// A mapped column is not in the file.
pub const MAP_UNUSED: &str = "map_unused";
/// So many rows are rejected that nothing is removed.
pub const TOO_MANY_REJECTED: &str = "too_many_rejected";

/// Codes of notices.
pub const NOTICES: [&str; 7] = [
    AMBIGUOUS_NUMBERS,
    CURRENCY_MISSING,
    CURRENCY_DECLARED,
    STOCK_ASSUMED,
    BASE_URL_MISSING,
    MAP_UNUSED,
    TOO_MANY_REJECTED,
];

/// A row that is not published.
pub const NOT_PUBLISHED: &str = "not_published";
/// A row of another store view.
pub const STORE_VIEW: &str = "store_view";

/// Returns the English text of a rejection or warning.
pub fn text(code: &str) -> &'static str {
    let found = REJECTIONS
        .iter()
        .chain(&WARNINGS)
        .find(|(known, _)| *known == code);
    found.map_or("", |(_, text)| text)
}
