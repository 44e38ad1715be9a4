//! Checks the mapping of a source as the reader of files understands it.

use crate::imports::mapping::ColumnMapping;
use domain::limits::SOURCE_MAPPING_BYTES_MAX;
use domain::source::SourcePatch;
use domain::{Invalid, message};

/// Returns what is wrong with the mapping of a request, if anything is.
pub fn invalid_mapping(patch: &SourcePatch) -> Option<Invalid> {
    let value = serde_json::Value::from(patch.mapping.clone()?);
    if value.to_string().len() > SOURCE_MAPPING_BYTES_MAX {
        let reason = message::text::bytes_up_to(SOURCE_MAPPING_BYTES_MAX);
        return Some(Invalid::new("mapping", reason));
    }
    let error = ColumnMapping::read(&value).err()?;
    let reason = message::value::of_library(error.reason.clone());
    Some(Invalid::new(error.whole_path(), reason))
}
