//! The bonuses of a document: when they count, and what they score.

use crate::breakdown::{Bonus, FieldBonus, TextBreakdown, WordMatch};
use crate::meaning::{Meaning, WordMeaning};
use crate::plan::{Plan, has_positions};
use crate::scoring::{coordination, exact_code, phrase};
use domain::relevance::field::FieldId;

/// What a document can score besides its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Bonuses {
    /// For words that match exactly, wherever they are; none if it does not count.
    pub coordination: Option<Coordination>,
    /// For all words as a phrase; none if it does not count, or if no document can contain the phrase.
    pub phrase: Option<PhraseBonus>,
    /// For the whole query as a code.
    pub exact_code: ExactCodeBonus,
}

/// The bonus for words that match exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordination {
    boost: f64,
    /// Sum of the rarities of the words that match anything.
    rarity: f64,
}

/// The bonus for all words of the plan, at their positions, in one field.
#[derive(Clone, Debug, PartialEq)]
pub struct PhraseBonus {
    /// The fields that may contain the phrase; the first one that does earns the bonus.
    pub fields: Vec<FieldId>,
    /// The bonus. A document that does not [cover](super::Clause::covers) every word cannot earn it.
    pub score: f64,
}

/// The bonus for a document that has the whole query as a code in a searched field.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactCodeBonus {
    /// Numbers of the codes of the plan that are the whole query.
    pub codes: Vec<usize>,
    /// The bonus.
    pub score: f64,
}

/// What a document has of what earns bonuses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Earning {
    /// Sum of the rarities of the words that it contains exactly, in the order of the plan.
    pub covered: f64,
    /// The first field with the phrase.
    pub phrase: Option<FieldId>,
    /// The first field with the whole query as a code.
    pub code: Option<FieldId>,
}

impl Bonuses {
    /// Returns the bonuses of `plan`, which has this `meaning` in an index.
    pub(super) fn of(plan: &Plan, meaning: &Meaning) -> Self {
        let several = plan.counted().len() > 1;
        let whole = plan.codes.iter().enumerate();
        let whole = whole.filter(|(_, code)| code.whole);
        Self {
            coordination: (several && plan.cross_fields_boost > 0.0).then_some(Coordination {
                boost: plan.cross_fields_boost,
                rarity: meaning.rarity,
            }),
            phrase: PhraseBonus::of(plan, meaning),
            exact_code: ExactCodeBonus {
                codes: whole.map(|(number, _)| number).collect(),
                score: exact_code(plan.exact_ref_boost, meaning.documents),
            },
        }
    }

    /// Returns the coordination bonus of a document that contains words exactly whose rarities add up to `covered`.
    pub fn coordination(&self, covered: f64) -> f64 {
        self.coordination.map_or(0.0, |bonus| bonus.score(covered))
    }

    /// Returns the text part of the breakdown of a document with these `matches`.
    pub fn breakdown(&self, matches: Vec<WordMatch>, earning: Earning) -> TextBreakdown {
        let bonus = |field, score| FieldBonus { field, score };
        let phrase = earning.phrase.zip(self.phrase.as_ref());
        let score = self.coordination(earning.covered);
        TextBreakdown::of_words(
            matches,
            phrase.map(|(field, phrase)| bonus(field, phrase.score)),
            earning
                .code
                .map(|field| bonus(field, self.exact_code.score)),
            (score > 0.0).then_some(Bonus { score }),
        )
    }
}

impl Coordination {
    /// Returns the bonus of a document that contains words exactly whose rarities add up to `covered`.
    pub fn score(self, covered: f64) -> f64 {
        coordination(self.boost, self.rarity, covered)
    }
}

impl PhraseBonus {
    fn of(plan: &Plan, meaning: &Meaning) -> Option<Self> {
        let words = plan.counted().len();
        let counts = words > 1
            && plan.phrase_boost > 0.0
            && meaning.words[..words].iter().all(WordMeaning::exists);
        counts.then(|| Self {
            fields: FieldId::texts()
                .filter(|field| has_positions(*field) && plan.searches(*field))
                .collect(),
            score: phrase(plan.phrase_boost, meaning.rarity),
        })
    }
}
