//! The scan of all documents: whether a document matches, and the parts of its score.

use super::catalogue::{Catalogue, Page};
use super::interpretation::{Order, seen};
use super::meaning::{
    Meaning, Spelling, completes, covering, fuzzy_codes, has_anywhere, is_part, meanings, synonyms,
};
use super::synonyms::{are_adjacent, occurrences};
use super::word_parts::{Alternative, ByField, same_forms, shown, typo_share, word_score};
use domain::relevance::field::FieldId;
use domain::visitor::Visitor;
use query::breakdown::WordMatchKind;
use query::plan::{Find, PlanCode};
use query::scoring::{
    CODE_WEIGHT, COMPOUND_WEIGHT, OTHER_WORD_WEIGHT, STOP_WORD_WEIGHT, SURFACE_FORM_WEIGHT,
    SYNONYM_WEIGHT, code_substring, coordination, counted_length, exact_code, frequency, phrase,
    prefix, saturation, typo,
};
use query::{Plan, Token};

/// A plan over a catalogue.
pub struct Walk<'a> {
    catalogue: &'a Catalogue<'a>,
    plan: &'a Plan,
    /// The sort key before the score.
    pub order: Order,
    pub words: Vec<Meaning>,
    /// The fuzzy matches of every code of the plan.
    fuzzy_codes: Vec<Vec<(FieldId, String, u64)>>,
    /// Sum of the idfs.
    pub rarity: f64,
}

/// The text score of a document by part.
#[derive(Debug, Default)]
pub struct Parts {
    pub words: Vec<ByField>,
    pub coordination: f64,
    pub phrase: Option<(FieldId, f64)>,
    pub exact_code: Option<(FieldId, f64)>,
    pub text: f64,
}

impl<'a> Walk<'a> {
    pub fn new(catalogue: &'a Catalogue<'a>, plan: &'a Plan, order: Order) -> Self {
        let words = meanings(catalogue, plan);
        let near = plan
            .codes
            .iter()
            .map(|code| fuzzy_codes(catalogue, plan, code));
        Self {
            catalogue,
            plan,
            rarity: (words.iter().take(plan.counted().len()))
                .filter_map(|word| word.idf)
                .sum(),
            fuzzy_codes: near.collect(),
            order,
            words,
        }
    }

    /// The sort key of a document before its score, if any.
    pub fn rank(&self, page: &Page) -> Option<usize> {
        match self.order {
            Order::Score => None,
            Order::List => {
                let mut codes = self.plan.codes.iter();
                codes.position(|code| self.has_searched(page, code))
            }
            Order::Tiers { .. } => {
                let codes = self.plan.codes.iter().enumerate();
                let whole: Vec<usize> = codes.filter(|(_, c)| c.whole).map(|(at, _)| at).collect();
                let is_in = |tier: &usize| whole.iter().any(|at| self.is_in_tier(page, *tier, *at));
                (0..4).find(is_in)
            }
        }
    }

    /// Whether any document that `visitor` may see contains the word with index `at` or an alternative; in a list of
    /// codes, whether any has the code.
    pub fn is_found(&self, at: usize, visitor: &Visitor) -> bool {
        let mut pages = seen(self.catalogue, visitor);
        if self.order != Order::List {
            let known = |page| self.words[at].is_met(self.catalogue, self.plan, at, page);
            return pages.any(known);
        }
        pages.any(|page| self.has_searched(page, &self.plan.codes[at]))
    }

    fn is_in_tier(&self, page: &Page, tier: usize, at: usize) -> bool {
        let code = &self.plan.codes[at];
        let part = Spelling::of(&code.spelling);
        let mut fields = FieldId::codes().filter(|field| self.searched(*field));
        fields.any(|field| match tier {
            0 => page.has_code(field, code.term(field)),
            1 => page.codes(field).any(|other| part.starts(other)),
            2 => page.codes(field).any(|other| part.is_part_of(other)),
            _ => self.fuzzy_codes[at]
                .iter()
                .any(|(of, near, _)| *of == field && page.has_code(field, near)),
        })
    }

    /// The score of a document; none when it does not match.
    pub fn parts(&self, page: &Page) -> Option<Parts> {
        match self.plan.find {
            Find::Everything => {
                return Some(Parts {
                    text: 1.0,
                    ..Parts::default()
                });
            }
            Find::Nothing => return None,
            Find::Words => {}
        }
        let words = self.words_of(page);
        let found = match self.order {
            Order::List | Order::Tiers { only: true } => self.rank(page).is_some(),
            Order::Score | Order::Tiers { only: false } => self.is_candidate(page, &words),
        };
        found.then(|| self.parts_of(page, words))
    }

    /// The score of a document that is a hit even if it does not match.
    pub fn parts_in_any_case(&self, page: &Page) -> Parts {
        match self.plan.find {
            Find::Words => self.parts_of(page, self.words_of(page)),
            Find::Everything | Find::Nothing => Parts {
                text: 1.0,
                ..Parts::default()
            },
        }
    }

    fn words_of(&self, page: &Page) -> Vec<ByField> {
        let places = 0..self.plan.words.len();
        places.map(|at| self.matches(page, at)).collect()
    }

    fn parts_of(&self, page: &Page, words: Vec<ByField>) -> Parts {
        let mut parts = Parts {
            coordination: self.coordination(page, &words),
            phrase: self.phrase(page, &words),
            exact_code: self.exact_code(page),
            text: 0.0,
            words,
        };
        parts.text = parts.words.iter().map(word_score).sum::<f64>()
            + parts.coordination
            + parts.phrase.map_or(0.0, |(_, score)| score)
            + parts.exact_code.map_or(0.0, |(_, score)| score);
        parts
    }

    fn searched(&self, field: FieldId) -> bool {
        self.plan.boosts.get(field) > 0.0
    }

    /// All ways in which a word matches the fields of a document.
    fn matches(&self, page: &Page, at: usize) -> ByField {
        let mut found = ByField::new();
        let Some(idf) = self.words[at].idf else {
            return found;
        };
        for field in FieldId::texts().filter(|field| self.searched(*field)) {
            found.insert(field, self.in_text(page, at, field, idf));
        }
        let name = found.entry(FieldId::NAME).or_default();
        name.extend(self.in_prefixes(page, at, idf));
        name.extend(self.in_substrings(page, at, idf));
        for field in FieldId::codes().filter(|field| self.searched(*field)) {
            found.insert(field, self.in_codes(page, at, field));
        }
        for alternatives in found.values_mut() {
            alternatives.retain(|alternative| alternative.score > 0.0);
        }
        found.retain(|_, alternatives| !alternatives.is_empty());
        found
    }

    fn in_text(&self, page: &Page, at: usize, field: FieldId, idf: f64) -> Vec<Alternative> {
        let (word, meaning) = (&self.plan.words[at], &self.words[at]);
        let weight = match word.counts {
            true => idf,
            false => STOP_WORD_WEIGHT * self.rarity,
        };
        let unit = self.plan.boosts.get(field) * weight;
        let average = self.catalogue.averages[&field];
        let weight = |tf: usize| {
            let length = f64::from(counted_length(page.length(field) as u32));
            frequency(saturation(field.kind()), tf as f64, length, average)
        };
        let mut found = Vec::new();
        let mut note = |tf: usize, kind, distance, share: f64, matched: &str| {
            let own = (kind == WordMatchKind::Exact).then_some(&word.text);
            if tf > 0 {
                found.push(Alternative {
                    field,
                    kind,
                    distance,
                    matched: shown(page, matched, own),
                    score: unit * share * weight(tf),
                });
            }
        };
        let stems = page.stem_count(field, &word.stem);
        let other = meaning.same_word.map_or(1.0, |_| OTHER_WORD_WEIGHT);
        note(stems, WordMatchKind::Exact, 0, other, &word.stem);
        for tf in same_forms(page, field, word, meaning) {
            note(tf, WordMatchKind::Exact, 0, 1.0, &word.stem);
        }
        let forms = page.form_count(field, &word.form);
        note(
            forms,
            WordMatchKind::Exact,
            0,
            SURFACE_FORM_WEIGHT,
            &word.form,
        );
        let stands_in = meaning.stand_in.filter(|distance| *distance == 0);
        let nearest = meaning.typos.iter().map(|(_, distance)| *distance);
        let nearest = nearest.chain(stands_in).min();
        for (stem, distance) in &meaning.typos {
            let damped = meaning.exists() || Some(*distance) > nearest;
            let (kind, share) = match distance {
                0 => (WordMatchKind::Split, COMPOUND_WEIGHT),
                _ => (WordMatchKind::Typo, typo_share(word, *distance, damped)),
            };
            note(page.stem_count(field, stem), kind, *distance, share, stem);
        }
        for synonym in synonyms(self.plan, at) {
            let by_kind = match synonym.kind {
                WordMatchKind::Synonym => SYNONYM_WEIGHT,
                _ => 1.0,
            };
            for (tf, share) in occurrences(page, field, synonym) {
                found.push(Alternative {
                    field,
                    kind: synonym.kind,
                    distance: 0,
                    matched: vec![synonym.text.clone()],
                    score: unit * by_kind * share * weight(tf),
                });
            }
        }
        found
    }

    fn in_prefixes(&self, page: &Page, at: usize, idf: f64) -> Vec<Alternative> {
        let word = &self.plan.words[at];
        if !completes(self.plan, word) {
            return Vec::new();
        }
        let begins = |token: &Token| token.folded.starts_with(&word.folded);
        self.in_longer(
            page,
            at,
            idf,
            (FieldId::AUTOCOMPLETE, WordMatchKind::Prefix),
            begins,
        )
    }

    fn in_substrings(&self, page: &Page, at: usize, idf: f64) -> Vec<Alternative> {
        let word = &self.plan.words[at];
        if !is_part(self.catalogue, self.plan, word) {
            return Vec::new();
        }
        let holds = |token: &Token| token.folded.contains(&word.folded);
        self.in_longer(
            page,
            at,
            idf,
            (FieldId::PARTIAL, WordMatchKind::Partial),
            holds,
        )
    }

    /// The matching words of the name, each weighted by the share of its characters that was typed.
    fn in_longer(
        &self,
        page: &Page,
        at: usize,
        idf: f64,
        (field, kind): (FieldId, WordMatchKind),
        fits: impl Fn(&Token) -> bool,
    ) -> Vec<Alternative> {
        let letters = |text: &str| text.chars().count();
        let (word, exists) = (&self.plan.words[at], self.words[at].exists());
        let unit = self.plan.boosts.get(field) * idf;
        let longer = page.words(FieldId::NAME).filter(|token| fits(token));
        longer
            .map(|token| Alternative {
                field,
                kind,
                distance: 0,
                matched: vec![token.form.clone()],
                score: unit * prefix(letters(&word.folded), letters(&token.folded), exists),
            })
            .collect()
    }

    fn in_codes(&self, page: &Page, at: usize, field: FieldId) -> Vec<Alternative> {
        let mut found = Vec::new();
        let codes = self.plan.codes.iter().zip(&self.fuzzy_codes);
        for (code, near) in codes.filter(|(code, _)| code.words.contains(&at)) {
            let whole = self.plan.boosts.get(field) * CODE_WEIGHT / code.words.len() as f64;
            let alternative = |kind, distance, matched: &str, score| Alternative {
                field,
                kind,
                distance,
                matched: shown(page, matched, None),
                score,
            };
            let term = code.term(field);
            if page.has_code(field, term) {
                found.push(alternative(WordMatchKind::Exact, 0, term, whole));
            }
            let letters = Spelling::of(&code.spelling).letters;
            let share = typo(1, letters.chars().count(), self.damps(code));
            for (_, near, _) in near.iter().filter(|(of, _, _)| *of == field) {
                if page.has_code(field, near) {
                    found.push(alternative(WordMatchKind::Typo, 1, near, whole * share));
                }
            }
            let part = Spelling::of(&code.spelling);
            if code.substring && page.codes(field).any(|other| part.is_part_of(other)) {
                let share = code_substring(self.exists_as_code(code));
                found.push(alternative(
                    WordMatchKind::Partial,
                    0,
                    part.letters,
                    whole * share,
                ));
            }
        }
        found
    }

    /// Whether a code, or every word that it covers, exists, so that fuzzy matches are damped.
    fn damps(&self, code: &PlanCode) -> bool {
        self.exists_as_code(code) || self.words[code.words.clone()].iter().all(Meaning::exists)
    }

    fn exists_as_code(&self, code: &PlanCode) -> bool {
        let mut pages = self.catalogue.pages.iter();
        pages.any(|page| has_anywhere(page, code))
    }

    fn is_candidate(&self, page: &Page, words: &[ByField]) -> bool {
        let admitted = self
            .plan
            .codes
            .iter()
            .any(|code| self.has_searched(page, code));
        let enough = |count: usize| count >= self.plan.min_match;
        let matching = if self.plan.across_fields {
            let counted = words.iter().take(self.plan.counted().len());
            enough(counted.filter(|fields| !fields.is_empty()).count())
        } else {
            let counted = &words[..self.plan.counted().len()];
            let in_field = |field| counted.iter().filter(|f| f.contains_key(&field)).count();
            FieldId::all().any(|field| enough(in_field(field)))
        };
        admitted || matching
    }

    fn has_searched(&self, page: &Page, code: &PlanCode) -> bool {
        let mut fields = FieldId::codes().filter(|field| self.searched(*field));
        fields.any(|field| page.has_code(field, code.term(field)))
    }

    fn coordination(&self, page: &Page, words: &[ByField]) -> f64 {
        let counted = self.plan.counted().len();
        if counted < 2 {
            return 0.0;
        }
        let covered = (0..counted).filter(|at| self.covers(page, *at, &words[*at]));
        let rarity = covered.filter_map(|at| self.words[at].idf).sum();
        coordination(self.plan.cross_fields_boost, self.rarity, rarity)
    }

    fn covers(&self, page: &Page, at: usize, fields: &ByField) -> bool {
        let (word, meaning) = (&self.plan.words[at], &self.words[at]);
        let mut texts = FieldId::texts().filter(|field| self.searched(*field));
        let stands_in = |alternative: &Alternative| {
            matches!(
                alternative.kind,
                WordMatchKind::Split | WordMatchKind::Joined | WordMatchKind::Synonym
            ) || alternative.kind == WordMatchKind::Typo
                && Some(alternative.distance) == meaning.stand_in
        };
        let itself = |field| match meaning.same_word {
            None => page.stem_count(field, &word.stem) > 0,
            Some(_) => same_forms(page, field, word, meaning)
                .iter()
                .any(|tf| *tf > 0),
        };
        texts.any(itself)
            || covering(self.plan, at).any(|code| self.has_searched(page, code))
            || fields.values().flatten().any(stands_in)
    }

    fn phrase(&self, page: &Page, words: &[ByField]) -> Option<(FieldId, f64)> {
        let counted = self.plan.counted().len();
        let possible = counted > 1
            && self.plan.phrase_boost > 0.0
            && self.words[..counted].iter().all(Meaning::exists)
            && (0..counted).all(|at| self.covers(page, at, &words[at]));
        let fields = [FieldId::NAME, FieldId::TAGS].into_iter();
        let field = fields
            .filter(|field| possible && self.searched(*field))
            .find(|field| self.is_phrase(page, *field))?;
        Some((field, phrase(self.plan.phrase_boost, self.rarity)))
    }

    fn is_phrase(&self, page: &Page, field: FieldId) -> bool {
        let words = self.plan.counted().iter();
        let words: Vec<(&str, u32)> = words
            .map(|word| (word.stem.as_str(), word.position))
            .collect();
        are_adjacent(page, field, &words)
    }

    fn exact_code(&self, page: &Page) -> Option<(FieldId, f64)> {
        let bonus = exact_code(self.plan.exact_ref_boost, self.catalogue.pages.len() as u64);
        let whole: Vec<&PlanCode> = self.plan.codes.iter().filter(|code| code.whole).collect();
        let mut fields = FieldId::codes().filter(|field| self.searched(*field));
        let field = fields.find(|f| whole.iter().any(|code| page.has_code(*f, code.term(*f))))?;
        Some((field, bonus))
    }
}
