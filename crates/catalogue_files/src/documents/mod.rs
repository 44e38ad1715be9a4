//! From rows to documents: evidence of the whole file, facts of one row, and the rows of one product together.

pub mod columns_taken;
pub mod evidence;
pub mod facts;
pub mod merge;
pub mod money;
pub mod partitions;
pub mod row_builder;
pub mod row_fields;
pub mod row_lists;
pub mod row_stock;
pub mod spool;
pub mod variants;
