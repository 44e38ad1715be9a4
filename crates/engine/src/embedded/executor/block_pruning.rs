//! Which documents of a window cannot matter, told by where they match the words of a question.
//!
//! The words are gone through one after the other, the one that can give most first: documents that stand at the same
//! level of every word can score the same at most, and go together.

use super::super::scale::Scale;
use super::bits::Bits;
use super::candidates::Candidates;
use super::few_candidates::{CandidateThreshold, narrow_few};
use super::resolve::Resolved;
use super::score_accumulator::BlockThreshold;
use super::word::WordScan;
use crate::EngineError;
use query::Plan;
use query::scoring::{coordination, phrase};

/// Sets of documents that are looked at in one window; what is left then is kept without looking closer.
const SETS_MAX: u32 = 400;

/// The most that documents can score, by the words that they match.
pub struct Bounds {
    /// Places of the words, the one that can give most first.
    order: Vec<usize>,
    /// Their rarities, in that order.
    rarities: Vec<f64>,
    /// The most that the words from each place of the order on can give, and 0 after the last.
    text_after: Vec<f64>,
    /// Sum of the rarities from each place of the order on.
    rarity_after: Vec<f64>,
    /// Bonus for a rarity that is covered as a whole, and the rarity.
    cross: (f64, f64),
    phrase: f64,
}

/// What is known of a set of documents.
#[derive(Clone, Copy)]
struct GroupBound {
    text: f64,
    rarity: f64,
    /// Whether they match every word so far.
    all: bool,
}

/// What is known before any word was looked at.
const NOTHING: GroupBound = GroupBound {
    text: 0.0,
    rarity: 0.0,
    all: true,
};

/// One window.
struct BlockPruning<'a, S: Scale> {
    words: &'a mut [WordScan<S>],
    among: Candidates<'a, S>,
    bar: BlockThreshold<'a, S>,
    /// The highest factor of the documents that are gone through.
    highest: f32,
    live: Bits<S>,
    sets: u32,
}

impl Bounds {
    /// The bounds of a question; `phrase_possible` when some document may hold its words side by side.
    pub fn new<S: Scale>(
        words: &[WordScan<S>],
        plan: &Plan,
        resolved: &Resolved,
        phrase_possible: bool,
    ) -> Self {
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by(|a, b| words[*b].most().total_cmp(&words[*a].most()));
        let rarity = |at: &usize| resolved.words[*at].idf.unwrap_or(0.0);
        let rarities: Vec<f64> = order.iter().map(rarity).collect();
        let several = words.len() > 1;
        let cross = if several {
            plan.cross_fields_boost
        } else {
            0.0
        };
        Self {
            text_after: sums_after(order.iter().map(|at| words[*at].most())),
            rarity_after: sums_after(rarities.iter().copied()),
            order,
            rarities,
            cross: (cross, resolved.rarity),
            phrase: if several && phrase_possible {
                phrase(plan.phrase_boost, resolved.rarity)
            } else {
                0.0
            },
        }
    }

    /// Places of the words, the one that can give most first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Whether any document of the window of `bar` may reach it, whatever it matches. In most windows none does.
    pub fn reach<S: Scale>(&self, bar: BlockThreshold<'_, S>) -> bool {
        bar.admits_any(self.most(0, NOTHING), bar.window.highest())
    }

    /// Those of `found`, which are some of `among`, that may reach the bar, or stay in any case.
    pub fn narrow<S: Scale>(
        &self,
        words: &mut [WordScan<S>],
        found: &Bits<S>,
        among: Candidates<'_, S>,
        hurdle: CandidateThreshold<'_, S>,
    ) -> Result<Bits<S>, EngineError> {
        let CandidateThreshold { bar, staying } = hurdle;
        if !self.reach(bar) {
            return Ok(found.both(staying));
        }
        if found.count() < Candidates::<S>::CROWDED {
            return narrow_few(self, words, found, among, hurdle);
        }
        let mut window = BlockPruning {
            words,
            among,
            bar,
            highest: 0.0,
            live: found.both(staying),
            sets: 0,
        };
        for (documents, highest) in bar.window.apart(found) {
            (window.highest, window.sets) = (highest, SETS_MAX);
            self.descend(&mut window, 0, &documents, NOTHING)?;
        }
        Ok(window.live)
    }

    /// The most that document `at` of the window can score, as far as the words tell that it matches.
    pub fn most_of<S: Scale>(&self, words: &[WordScan<S>], at: usize) -> f64 {
        let (mut text, mut covered, mut all) = (0.0, 0.0, true);
        for (place, rarity) in self.order.iter().zip(&self.rarities) {
            let word = &words[*place];
            if word.levels.strong.has(at) {
                text += word.levels.most(0);
            } else if word.levels.found.has(at) {
                text += word.levels.weak();
            }
            if word.covered.has(at) {
                covered += rarity;
            } else {
                all = false;
            }
        }
        let (boost, rarity) = self.cross;
        let side_by_side = if all { self.phrase } else { 0.0 };
        text + coordination(boost, rarity, covered) + side_by_side
    }

    /// The most that documents can score of which so much is known about the words before place `depth`.
    fn most(&self, depth: usize, known: GroupBound) -> f64 {
        let (boost, rarity) = self.cross;
        let covered = known.rarity + self.rarity_after[depth];
        let side_by_side = if known.all { self.phrase } else { 0.0 };
        known.text + self.text_after[depth] + coordination(boost, rarity, covered) + side_by_side
    }

    fn descend<S: Scale>(
        &self,
        window: &mut BlockPruning<'_, S>,
        depth: usize,
        set: &Bits<S>,
        known: GroupBound,
    ) -> Result<(), EngineError> {
        let most = self.most(depth, known);
        if set.is_empty() || !window.bar.admits_any(most, window.highest) {
            return Ok(());
        }
        if depth == self.order.len() || window.sets == 0 {
            let admitted = set.iter().filter(|at| window.bar.admits(*at, most));
            admitted.for_each(|at| window.live.set(at));
            return Ok(());
        }
        window.sets -= 1;
        self.descend_by_levels(window, depth, set, known)?;
        let levels = &window.words[self.order[depth]].levels;
        let (mut weak, mut without) = (set.both(&levels.found), set.clone());
        weak.remove(&levels.strong);
        without.remove(&levels.found);
        let by_weak = known.with(levels.weak(), self.rarities[depth]);
        self.descend(window, depth + 1, &weak, by_weak)?;
        let by_none = GroupBound {
            all: false,
            ..known
        };
        self.descend(window, depth + 1, &without, by_none)
    }

    fn descend_by_levels<S: Scale>(
        &self,
        window: &mut BlockPruning<'_, S>,
        depth: usize,
        set: &Bits<S>,
        known: GroupBound,
    ) -> Result<(), EngineError> {
        let place = self.order[depth];
        let mut rest = set.both(&window.words[place].levels.strong);
        for level in 0.. {
            let levels = &mut window.words[place].levels;
            let here = known.with(levels.most(level), self.rarities[depth]);
            // Further levels give less, so none of them reaches the bar either.
            if rest.is_empty()
                || !(window.bar).admits_any(self.most(depth + 1, here), window.highest)
            {
                return Ok(());
            }
            if level == levels.count() {
                return self.descend(window, depth + 1, &rest, here);
            }
            let held = levels.mark(level, window.among)?;
            let own = rest.both(held);
            rest.remove(held);
            self.descend(window, depth + 1, &own, here)?;
        }
        Ok(())
    }
}

impl GroupBound {
    fn with(self, text: f64, rarity: f64) -> Self {
        Self {
            text: self.text + text,
            rarity: self.rarity + rarity,
            ..self
        }
    }
}

/// The sum of the values from each place on, and 0 after the last.
fn sums_after(values: impl DoubleEndedIterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values.rev() {
        sums.push(value + sums[sums.len() - 1]);
    }
    sums.reverse();
    sums
}
