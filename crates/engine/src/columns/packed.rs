//! Texts, lists and prices of a chunk, each kind packed in one allocation.

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

/// Lists of numbers by row.
#[derive(Clone, Default)]
pub(super) struct PackedLists {
    ends: Vec<u32>,
    values: Vec<u32>,
}

impl PackedLists {
    pub fn push(&mut self, values: &[u32]) {
        self.values.extend_from_slice(values);
        self.ends.push(self.values.len() as u32);
    }

    pub fn get(&self, at: usize) -> &[u32] {
        range(&self.ends, at).map_or(&[], |range| &self.values[range])
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Number of prices up to which a row is searched linearly, which is then the fastest.
const FEW_KEYS: usize = 32;

/// Prices by row, each with the number of its field, sorted by it.
#[derive(Clone, Default)]
pub(super) struct PackedPrices {
    ends: Vec<u32>,
    keys: Vec<u32>,
    prices: Vec<f64>,
}

impl PackedPrices {
    /// Adds a row, with at most one price per field.
    pub fn push(&mut self, row: impl Iterator<Item = (u32, f64)>) {
        let start = self.keys.len();
        for (key, price) in row {
            self.keys.push(key);
            self.prices.push(price);
        }
        if !self.keys[start..].is_sorted() {
            let own = self.keys.drain(start..).zip(self.prices.drain(start..));
            let mut own: Vec<(u32, f64)> = own.collect();
            own.sort_by_key(|(key, _)| *key);
            self.keys.extend(own.iter().map(|(key, _)| *key));
            self.prices.extend(own.iter().map(|(_, price)| *price));
        }
        self.ends.push(self.keys.len() as u32);
    }

    /// The numbers of the fields of a row, in order.
    pub fn keys(&self, at: usize) -> &[u32] {
        range(&self.ends, at).map_or(&[], |range| &self.keys[range])
    }

    /// The numbers of the fields of all rows.
    pub fn all_keys(&self) -> &[u32] {
        &self.keys
    }

    /// Returns the prices with new numbers of fields, which keep the order.
    pub fn renumbered(&self, number: impl Fn(u32) -> u32) -> Self {
        Self {
            ends: self.ends.clone(),
            keys: self.keys.iter().map(|key| number(*key)).collect(),
            prices: self.prices.clone(),
        }
    }

    /// Copies the rows of `other` up to, but not including, the row `end`.
    pub fn push_from(&mut self, other: &Self, end: usize) {
        let rows = self.ends.len()..end.min(other.ends.len());
        if let Some(last) = rows.clone().next_back() {
            let start = range(&other.ends, rows.start).map_or(0, |first| first.start);
            let range = start..other.ends[last] as usize;
            let moved = self.keys.len() as u32;
            self.keys.extend_from_slice(&other.keys[range.clone()]);
            self.prices.extend_from_slice(&other.prices[range]);
            let ends = other.ends[rows].iter();
            self.ends.extend(ends.map(|end| end - start as u32 + moved));
        }
        // Rows that were never written have no prices.
        let rows = self.ends.len().max(end);
        self.ends.resize(rows, self.keys.len() as u32);
    }

    /// The price of a row in the field `key`.
    pub fn get(&self, at: usize, key: u32) -> Option<f64> {
        let range = range(&self.ends, at)?;
        let keys = &self.keys[range.clone()];
        let index = if keys.len() <= FEW_KEYS {
            keys.iter().position(|own| *own == key)?
        } else {
            keys.binary_search(&key).ok()?
        };
        Some(self.prices[range.start + index])
    }
}

fn range(ends: &[u32], at: usize) -> Option<std::ops::Range<usize>> {
    let end = *ends.get(at)? as usize;
    let start = if at == 0 { 0 } else { ends[at - 1] as usize };
    Some(start..end)
}
