//! Bounds over several words: which documents of a window cannot matter, told by the words that they match.

use super::bits::Bits;
use super::resolve::Resolved;
use super::sheet::Bar;
use super::word::WordScan;
use query::Plan;
use query::scoring::{coordination, exact_code, phrase};

/// Words up to which every combination of them is looked at.
const COMBINED_MAX: usize = 4;

/// The most that documents can score, by the words that they match.
pub struct Bounds {
    /// By combination of words, each a bit; the last one is of all words. Only that one for longer questions.
    combinations: Vec<f64>,
    words: usize,
}

impl Bounds {
    /// The bounds of a question; `coded` when some document may have it as its code.
    pub fn new(words: &[WordScan], plan: &Plan, resolved: &Resolved, coded: bool) -> Self {
        let count = words.len();
        let all = if count <= COMBINED_MAX {
            0..1 << count
        } else {
            0..0
        };
        let bonus = if coded {
            exact_code(plan.exact_ref_boost, resolved.documents)
        } else {
            0.0
        };
        let most = |holds: &dyn Fn(usize) -> bool| {
            let held: Vec<usize> = (0..count).filter(|at| holds(*at)).collect();
            let text: f64 = held.iter().map(|at| words[*at].most()).sum();
            let rarity = held.iter().filter_map(|at| resolved.words[*at].idf).sum();
            let several = if count > 1 {
                coordination(plan.cross_fields_boost, resolved.rarity, rarity)
            } else {
                0.0
            };
            let side_by_side = if count > 1 && held.len() == count {
                phrase(plan.phrase_boost, resolved.rarity)
            } else {
                0.0
            };
            text + several + side_by_side + bonus
        };
        let mut combinations: Vec<f64> = all
            .map(|combination: usize| most(&|at| combination >> at & 1 == 1))
            .collect();
        if combinations.is_empty() {
            combinations.push(most(&|_| true));
        }
        Self {
            combinations,
            words: count,
        }
    }

    /// Takes out of `live` what cannot matter by the words that it matches.
    pub fn narrow(&self, words: &[WordScan], live: &mut Bits, bar: Bar<'_>) {
        let all = self.combinations.last().copied().unwrap_or(0.0);
        if !bar.admits_any(all) {
            live.clear();
            return;
        }
        if self.words < 2 || self.combinations.len() == 1 {
            return;
        }
        for (combination, most) in self.combinations.iter().enumerate() {
            if bar.admits_any(*most) {
                continue;
            }
            let mut hopeless = live.clone();
            for (at, word) in words.iter().enumerate() {
                if combination >> at & 1 == 1 {
                    hopeless.keep(&word.found);
                } else {
                    hopeless.remove(&word.found);
                }
            }
            live.remove(&hopeless);
        }
    }
}
