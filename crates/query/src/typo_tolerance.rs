//! How many typos a word tolerates.

use domain::relevance::Fuzziness;

/// The largest edit distance tolerated in a word of `length` characters; always less than `length`.
pub fn typos_allowed(fuzziness: Fuzziness, length: usize) -> u32 {
    let allowed = match (fuzziness, length) {
        (Fuzziness::None, _) | (Fuzziness::Auto, 0..=2) => 0,
        (Fuzziness::One, _) | (Fuzziness::Auto, 3..=5) => 1,
        (Fuzziness::Two | Fuzziness::Auto, _) => 2,
    };
    allowed.min(length.saturating_sub(1) as u32)
}
