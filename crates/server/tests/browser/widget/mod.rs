//! The widget on shop pages.

mod custom;
mod demo;
mod details;
mod failures;
mod focus;
mod frameworks;
mod gestures;
mod gone;
mod home;
mod hostile;
mod keyboard;
mod languages;
mod line;
mod looks;
mod measure;
mod offers;
mod page_state;
mod portions;
mod results;
mod safety;
mod saved;
mod search_log;
mod takeover;
mod touch;
mod typing;
mod visitors;

use crate::Case;

/// All cases of the widget.
pub const CASES: &[&[Case]] = &[
    typing::CASES,
    keyboard::CASES,
    results::CASES,
    home::CASES,
    focus::CASES,
    custom::CASES,
    languages::CASES,
    line::CASES,
    details::CASES,
    gestures::CASES,
    offers::CASES,
    portions::CASES,
    page_state::CASES,
    failures::CASES,
    gone::CASES,
    safety::CASES,
    visitors::CASES,
    measure::CASES,
    hostile::CASES,
    takeover::CASES,
    frameworks::CASES,
    touch::CASES,
    looks::CASES,
    saved::CASES,
    search_log::CASES,
    demo::CASES,
];
