//! The public API, which the pages of a store call.

mod alternatives;
mod codes;
mod compressed;
mod configured;
mod corrections;
mod custom_code;
mod events;
mod filters;
mod hidden;
mod origins;
mod pages;
mod prices;
mod rules;
mod search;
mod suggest;
mod synonyms;
mod types;
mod visitors;
mod widget_config;
mod widget_files;
mod words;
mod writings;
