//! Reads a configuration file: its lists of records stay text, and each record is parsed, checked and dropped by itself, so
//! that a file is bounded by its bytes and not by the number of its values.

use crate::http::Failure;
use crate::http::input::Input;
use crate::message;
use crate::validation::{Checker, strict_json};
use axum::http::StatusCode;
use domain::configuration_file::{ConfigurationImport, FileGroup, FileRecord};
use domain::filter::NewFilter;
use domain::limits::{CONFIGURATION_FILE_RECORDS_MAX, ERRORS_MAX};
use domain::rule::NewRule;
use domain::{ErrorList, Invalid, bytes_without_byte_order_mark, error_codes};
use operations::file::FileChecks;
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::LazyLock;

/// The lists of records.
const LISTS: [&str; 3] = ["synonyms", "rules", "filters"];
/// Keys of a file that are read; it has fewer.
const KEYS_MAX: usize = 64;

/// Reads a file, without compression.
///
/// Errors: 400 with all invalid values by their paths; 403 for what only the control panel may change.
pub fn read(bytes: &[u8]) -> Result<ConfigurationImport, Failure> {
    let bytes = bytes_without_byte_order_mark(bytes);
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        // Whatever it is, the parser says it in the words of every other body.
        let value = strict_json::parse(bytes).map_err(|error| invalid(error.invalid("body")))?;
        return checked(value).map_err(invalid);
    }
    let top: TopLevel<'_> = serde_json::from_slice(bytes).map_err(|error| {
        let malformed = strict_json::malformed(&error);
        invalid(malformed.invalid("body"))
    })?;
    let mut rest = Map::new();
    let mut errors = ErrorList::default();
    let mut lists: [Option<&RawValue>; 3] = [None; 3];
    for (key, text) in top.0 {
        let place = LISTS.iter().position(|list| *list == key);
        if rest.contains_key(&key) {
            let reason = message::value::given_twice();
            errors.push_with(|| Invalid::new(strict_json::shown(&key), reason));
        }
        match place {
            Some(place) if text.get().starts_with('[') => {
                lists[place] = Some(text);
                rest.insert(key, Value::Array(Vec::new()));
            }
            _ => match strict_json::parse(text.get().as_bytes()) {
                Ok(value) => {
                    rest.insert(key, value);
                }
                Err(error) => {
                    errors = errors.and(error.invalid_in(strict_json::shown(&key)));
                }
            },
        }
    }
    let rest = Value::Object(rest);
    let reserved = ConfigurationImport::reserved(&rest);
    if !reserved.is_empty() {
        let code = error_codes::RESERVED;
        return Err(Failure::listing(StatusCode::FORBIDDEN, code, reserved));
    }
    let [synonyms, rules, filters] = lists;
    let mut checks = FileChecks::default();
    let groups = records(LISTS[0], synonyms, &GROUPS, &mut errors, |group| {
        checks.group(group)
    });
    let rules = records(LISTS[1], rules, &RULES, &mut errors, |rule: NewRule| {
        rule.check().err().unwrap_or_default()
    });
    let filters = records(
        LISTS[2],
        filters,
        &FILTERS,
        &mut errors,
        |filter: NewFilter| {
            let checked = filter.check(0, &mut String::new);
            checked.err().unwrap_or_default()
        },
    );
    match (checked(rest), errors.is_empty()) {
        (Ok(file), true) => Ok(ConfigurationImport {
            synonyms: file.synonyms.and(groups),
            rules: file.rules.and(rules),
            filters: file.filters.and(filters),
            ..file
        }),
        (Ok(_), false) => Err(invalid(errors)),
        (Err(wrong), _) => Err(invalid(wrong.and(errors))),
    }
}

static GROUPS: LazyLock<Checker> = LazyLock::new(Checker::of::<FileRecord<FileGroup>>);
static RULES: LazyLock<Checker> = LazyLock::new(Checker::of::<FileRecord<NewRule>>);
static FILTERS: LazyLock<Checker> = LazyLock::new(Checker::of::<FileRecord<NewFilter>>);

fn invalid(errors: ErrorList) -> Failure {
    Failure::invalid(errors)
}

/// Checks everything but the records.
fn checked(value: Value) -> Result<ConfigurationImport, ErrorList> {
    let checker = ConfigurationImport::checker();
    checker.typed_and(value, "body", ConfigurationImport::semantic_errors)
}

/// Reads the records of one list, each by itself.
fn records<N: DeserializeOwned + JsonSchema + Clone>(
    list: &'static str,
    text: Option<&RawValue>,
    checker: &Checker,
    errors: &mut ErrorList,
    mut check: impl FnMut(N) -> Vec<Invalid>,
) -> Option<Vec<FileRecord<N>>> {
    let items: Result<RecordTexts<'_>, _> = serde_json::from_str(text?.get());
    let Ok(RecordTexts(items)) = items else {
        let reason = domain::message::file::records_at_most(CONFIGURATION_FILE_RECORDS_MAX);
        errors.push_with(|| Invalid::new(list, reason));
        return None;
    };
    let mut records = Vec::with_capacity(items.len());
    for (at, item) in items.into_iter().enumerate() {
        let place = || format!("{list}[{at}]");
        let room = ERRORS_MAX.saturating_sub(errors.listed().len());
        let parsed = strict_json::parse(item.get().as_bytes());
        let read = parsed
            .map_err(|error| error.invalid_in(&place()))
            .and_then(|value| record(value, (checker, room), &mut check, place));
        match read {
            Ok(record) => records.push(record),
            Err(wrong) => *errors = std::mem::take(errors).and(wrong),
        }
    }
    Some(records)
}

fn record<N: DeserializeOwned + JsonSchema + Clone>(
    value: Value,
    (checker, room): (&Checker, usize),
    check: &mut impl FnMut(N) -> Vec<Invalid>,
    place: impl Fn() -> String,
) -> Result<FileRecord<N>, ErrorList> {
    if !value.is_object() {
        return checker.typed_within(value, &place(), room, |_: FileRecord<N>| Vec::new());
    }
    let under = |wrong: ErrorList| wrong.under(&place());
    let record: FileRecord<N> = checker
        .typed_within(value, "", room, |record: FileRecord<N>| {
            check(record.content)
        })
        .map_err(under)?;
    let wrong = check(record.content.clone());
    match wrong.is_empty() {
        true => Ok(record),
        false => Err(under(wrong.into())),
    }
}

/// The keys of a file with their values as text.
struct TopLevel<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for TopLevel<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TopLevelVisitor)
    }
}

struct TopLevelVisitor;

impl<'de> Visitor<'de> for TopLevelVisitor {
    type Value = TopLevel<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut keys = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            if keys.len() >= KEYS_MAX {
                return Err(A::Error::custom("too many keys"));
            }
            keys.push(entry);
        }
        Ok(TopLevel(keys))
    }
}

/// The records of a list as text.
struct RecordTexts<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for RecordTexts<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RecordTextsVisitor)
    }
}

struct RecordTextsVisitor;

impl<'de> Visitor<'de> for RecordTextsVisitor {
    type Value = RecordTexts<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = items.next_element()? {
            if texts.len() >= CONFIGURATION_FILE_RECORDS_MAX {
                return Err(A::Error::custom("too many records"));
            }
            texts.push(text);
        }
        Ok(RecordTexts(texts))
    }
}
