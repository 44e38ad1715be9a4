//! Checks the own texts of a store: their languages, keys and sizes.

use super::{Translations, style};
use crate::Language;
use crate::invalid::Invalid;
use crate::labels::entry_bytes;
use crate::limits::{
    STORE_LANGUAGES_MAX, TRANSLATION_BYTES_MAX, TRANSLATION_CHARACTERS_MAX, TRANSLATION_KEYS_MAX,
};
use crate::message;
use std::collections::BTreeMap;

/// Checks texts by language and key.
///
/// Errors: every invalid language, key and text, by its path.
pub(super) fn checked(
    asked: BTreeMap<String, BTreeMap<String, String>>,
) -> Result<Translations, Vec<Invalid>> {
    let mut errors = Vec::new();
    if asked.len() > STORE_LANGUAGES_MAX {
        let got = asked.len();
        let reason = message::list::languages_at_most(STORE_LANGUAGES_MAX, got);
        errors.push(Invalid::new("translations", reason));
    }
    let mut checked = Translations::new();
    for (code, texts) in asked {
        let path = format!("translations.{code}");
        check_texts(&path, &texts, &mut errors);
        match Language::parse(&code) {
            Ok(language) => {
                if checked.insert(language, texts).is_some() {
                    let reason = message::widget::same_language();
                    errors.push(Invalid::new(path, reason));
                }
            }
            Err(reason) => errors.push(Invalid::new(path, reason)),
        }
    }
    if errors.is_empty() {
        Ok(checked)
    } else {
        Err(errors)
    }
}

fn check_texts(path: &str, texts: &BTreeMap<String, String>, errors: &mut Vec<Invalid>) {
    if texts.len() > TRANSLATION_KEYS_MAX {
        let got = texts.len();
        let reason = message::list::fields_at_most(TRANSLATION_KEYS_MAX, got);
        errors.push(Invalid::new(path, reason));
    }
    let bytes: usize = texts.iter().map(|(key, text)| entry_bytes(key, text)).sum();
    if bytes > TRANSLATION_BYTES_MAX {
        let reason = message::text::bytes_at_most(TRANSLATION_BYTES_MAX, bytes);
        errors.push(Invalid::new(path, reason));
    }
    for (key, text) in texts {
        let characters = text.chars().count();
        let valid = match characters > TRANSLATION_CHARACTERS_MAX {
            true => Err(message::text::at_most(
                TRANSLATION_CHARACTERS_MAX,
                characters,
            )),
            false => style::check_key(key),
        };
        if let Err(reason) = valid {
            errors.push(Invalid::new(format!("{path}.{key}"), reason));
        }
    }
}
