//! The values of cells: what a text means as a number, a price, a date, an address.

pub mod addresses;
pub mod categories;
pub mod codes;
pub mod currencies;
pub mod dates;
pub mod groups;
pub mod labels;
pub mod lists;
pub mod numbers;
pub mod prices;
pub mod stock;
pub mod texts;
