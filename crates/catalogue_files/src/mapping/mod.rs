//! What the columns of a file mean: profiles, the mapping table, and the mapping of the user.

pub mod column_use;
pub mod field;
pub mod options;
pub mod profile;
pub mod table;
pub mod target;
pub mod target_name;
pub mod woocommerce;
