//! Texts and lists of a chunk, one after the other in one piece of memory.

use super::ValueId;

/// Texts by row.
#[derive(Clone, Default)]
pub(super) struct PackedTexts {
    ends: Vec<u32>,
    bytes: String,
}

impl PackedTexts {
    pub fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len() as u32);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, at: usize) -> &str {
        range(&self.ends, at).map_or("", |range| &self.bytes[range])
    }
}

/// Lists of values by row.
#[derive(Clone, Default)]
pub(super) struct PackedLists {
    ends: Vec<u32>,
    values: Vec<ValueId>,
}

impl PackedLists {
    pub fn push(&mut self, values: &[ValueId]) {
        self.values.extend_from_slice(values);
        self.ends.push(self.values.len() as u32);
    }

    pub fn get(&self, at: usize) -> &[ValueId] {
        range(&self.ends, at).map_or(&[], |range| &self.values[range])
    }
}

fn range(ends: &[u32], at: usize) -> Option<std::ops::Range<usize>> {
    let end = *ends.get(at)? as usize;
    let start = if at == 0 { 0 } else { ends[at - 1] as usize };
    Some(start..end)
}
