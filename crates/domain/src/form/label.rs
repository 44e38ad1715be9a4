//! Names for people: not blank, on one line.

use super::pattern::{BLANK, CONTROL};
use super::{bounded, text_form, with_pattern};
use crate::limits::{
    BANNER_TEXT_CHARACTERS_MAX, INSTANCE_ID_CHARACTERS_MAX, NAME_CHARACTERS_MAX,
    STORE_NAME_CHARACTERS_MAX,
};
use crate::message::{self, Message};

text_form!(
    /// Name of an account, key, rule, filter or group of values.
    ///
    /// Shape: 1 to [`NAME_CHARACTERS_MAX`] characters, not all of them white space, none a control character.
    Label,
    with_pattern(bounded(1..=NAME_CHARACTERS_MAX), &pattern()),
    |text| check(text, NAME_CHARACTERS_MAX)
);

text_form!(
    /// Name of a store.
    ///
    /// Shape: 1 to [`STORE_NAME_CHARACTERS_MAX`] characters, not all of them white space, none a control character.
    StoreName,
    with_pattern(bounded(1..=STORE_NAME_CHARACTERS_MAX), &pattern()),
    |text| check(text, STORE_NAME_CHARACTERS_MAX)
);

text_form!(
    /// Id of an installation of a shop, which the shop chooses.
    ///
    /// Shape: 1 to [`INSTANCE_ID_CHARACTERS_MAX`] characters, not all of them white space, none a control character.
    InstanceId,
    with_pattern(bounded(1..=INSTANCE_ID_CHARACTERS_MAX), &pattern()),
    |text| check(text, INSTANCE_ID_CHARACTERS_MAX)
);

text_form!(
    /// Text of a banner, which pages show as it stands.
    ///
    /// Shape: 1 to [`BANNER_TEXT_CHARACTERS_MAX`] characters, not all of them white space, none a control character.
    BannerText,
    with_pattern(bounded(1..=BANNER_TEXT_CHARACTERS_MAX), &pattern()),
    |text| check(text, BANNER_TEXT_CHARACTERS_MAX)
);

fn check(text: &str, max: usize) -> Result<(), Message> {
    let characters = text.chars().count();
    if text.trim().is_empty() {
        Err(message::value::empty())
    } else if characters > max {
        Err(message::text::at_most(max, characters))
    } else if text.chars().any(char::is_control) {
        Err(message::text::control())
    } else {
        Ok(())
    }
}

/// The pattern of texts that are not blank and have no control characters.
pub(crate) fn pattern() -> String {
    format!("^[^{CONTROL}]*[^{CONTROL}{BLANK}][^{CONTROL}]*$")
}
