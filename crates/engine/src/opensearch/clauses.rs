//! The clauses of a query as queries of the cluster. What matches and what it scores is decided by `query::clauses`.

use super::fields::{self, PRESENCE, form_term, longer_term, text, unmarked_form_term};
use super::lookups::code_containing;
use super::phrases::synonym_in;
use super::queries::{any, best, constant, in_texts, object, prefix, term};
use domain::relevance::field::FieldId;
use query::clauses::{
    Clause, ClauseTerm, CodeMatch, CodeTerm, LongerTerm, TextMatch, TextTerm, WordClauses,
    counts_as,
};
use query::meaning::Meaning;
use query::scoring::{PREFIX_CHARACTERS_MAX, field_share};
use query::{Clauses, Plan};
use serde_json::{Value, json};

/// Characters of the longest word.
const WORD_CHARACTERS_MAX: usize = 64;

/// The clauses of a query, and the fields in which they can match.
pub struct ClauseQueries<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its meaning.
    pub meaning: &'a Meaning,
    /// Its clauses.
    pub clauses: &'a Clauses,
    /// The fields in which any document has a value.
    pub filled: &'a [FieldId],
    /// Whether clauses have names, by which a breakdown knows what they scored.
    pub named: bool,
    /// Terms that replace a word from this number on are left out, the farthest ones, so that the query has not too many
    /// clauses. Its synonyms, which come after them, stay.
    pub alternatives_max: usize,
}

/// The clauses of a word in one field, of which the best counts.
pub struct FieldQueries {
    /// The field as which they count.
    pub field: FieldId,
    /// The queries.
    pub queries: Vec<Value>,
}

impl ClauseQueries<'_> {
    /// Returns what a word scores; none if it matches nothing.
    pub fn word(&self, at: usize) -> Option<Value> {
        let groups = self.groups(at);
        let of_field = |group: FieldQueries| match group.queries.len() {
            1 => group.queries.into_iter().next().unwrap_or_default(),
            _ => best(group.queries, 0.0),
        };
        let fields: Vec<Value> = groups.into_iter().map(of_field).collect();
        // The first field counts whole, each further one by the same share.
        (!fields.is_empty()).then(|| best(fields, field_share(1)))
    }

    /// Returns the clauses of word number `at` by field.
    pub fn groups(&self, at: usize) -> Vec<FieldQueries> {
        let word = &self.clauses.words[at];
        let mut groups: Vec<FieldQueries> = Vec::new();
        for (number, clause) in word.clauses.iter().enumerate() {
            let terms = self.alternatives_max..self.meaning.words[at].terms.len();
            if clause.alternative.is_some_and(|own| terms.contains(&own)) {
                continue;
            }
            let name = |field: FieldId| format!("w{at}-{}-{number}", field.index());
            let mut put = |field: FieldId, query: Value| {
                let field = counts_as(field);
                match groups.iter_mut().find(|group| group.field == field) {
                    Some(group) => group.queries.push(query),
                    None => groups.push(FieldQueries {
                        field,
                        queries: vec![query],
                    }),
                }
            };
            match &clause.term {
                ClauseTerm::Text(own) => {
                    for (field, score) in self.texts(word, own) {
                        put(
                            field,
                            self.text(&found(word, number, &own.find), field, score, &name(field)),
                        );
                    }
                }
                ClauseTerm::Longer(own) if self.filled.contains(&own.field) => {
                    for query in self.longer(own, &name(own.field)) {
                        put(own.field, query);
                    }
                }
                ClauseTerm::Code(own) if self.filled.contains(&own.field) => {
                    let filter = self.code(own);
                    put(
                        own.field,
                        self.constant(filter, own.score, &name(own.field)),
                    );
                }
                ClauseTerm::Longer(_) | ClauseTerm::Code(_) => {}
            }
        }
        groups
    }

    /// The fields in which a text can match, with the score of one unit there.
    fn texts<'w>(
        &self,
        word: &'w WordClauses,
        own: &TextTerm,
    ) -> impl Iterator<Item = (FieldId, f64)> + use<'w, '_> {
        let (filled, weight) = (self.filled, own.weight);
        let fields = word
            .texts
            .iter()
            .filter(|field| filled.contains(&field.field));
        fields.map(move |field| (field.field, field.unit * weight))
    }

    fn text(&self, found: &Found<'_>, field: FieldId, score: f64, name: &str) -> Value {
        match found {
            Found::Term(value) => {
                let mut term = json!({"value": value, "boost": score});
                if self.named {
                    term["_name"] = json!(name);
                }
                object([("term", object([(&text(field), term)]))])
            }
            Found::Phrase(synonym) => {
                // It occurs once in a field of this length.
                let once = json!({"value": PRESENCE.to_string(), "boost": score});
                let once = json!({"term": {text(field): once}});
                let filter = synonym_in(&self.plan.synonyms[**synonym], field);
                let both = [("must", vec![once].into()), ("filter", vec![filter].into())];
                let mut both = object(both);
                if self.named {
                    both["_name"] = json!(name);
                }
                object([("bool", both)])
            }
        }
    }

    /// The longer words by their length.
    fn longer(&self, own: &LongerTerm, name: &str) -> Vec<Value> {
        let characters = own.word.chars().count();
        let field = longer_field(own.field);
        let lengths = characters..=WORD_CHARACTERS_MAX.max(PREFIX_CHARACTERS_MAX);
        let of = lengths.map(|length| {
            let filter = term(field, &longer_term(&own.word, length));
            self.constant(
                filter,
                own.weight.score(length),
                &format!("{name}-{length}"),
            )
        });
        of.collect()
    }

    fn constant(&self, filter: Value, score: f64, name: &str) -> Value {
        let mut query = constant(filter, score);
        if self.named {
            query["constant_score"]["_name"] = json!(name);
        }
        query
    }

    fn code(&self, own: &CodeTerm) -> Value {
        let code = &self.plan.codes[own.code];
        let field = fields::code(own.field);
        match own.by {
            CodeMatch::Whole => term(&field, code.term(own.field)),
            CodeMatch::Fuzzy(number) => {
                term(&field, &self.meaning.codes[own.code].fuzzy[number].term)
            }
            CodeMatch::Substring => code_containing(own.field, code),
        }
    }

    /// Documents that contain word number `at` exactly.
    pub fn covering(&self, at: usize) -> Value {
        let word = &self.clauses.words[at];
        let clauses = word.clauses.iter().enumerate();
        let covering = clauses.filter(|(_, clause)| clause.covers);
        let covering = covering.flat_map(|(number, clause)| self.matching((word, number), clause));
        any(covering.collect())
    }

    /// Documents that have any code by which they match whatever the words.
    pub fn admitted(&self) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        let mut put = |query: Value| {
            if !all.contains(&query) {
                all.push(query);
            }
        };
        for word in &self.clauses.words {
            let clauses = word.clauses.iter().enumerate();
            for (number, clause) in clauses.filter(|(_, clause)| clause.admits) {
                self.matching((word, number), clause)
                    .into_iter()
                    .for_each(&mut put);
            }
        }
        for code in &self.clauses.admitting {
            self.whole(*code).for_each(&mut put);
        }
        all
    }

    /// Documents that have code number `code` in a searched field, by field.
    pub fn whole(&self, code: usize) -> impl Iterator<Item = Value> {
        super::phrases::code_terms(&self.plan.codes[code], |field| self.plan.searches(field))
    }

    /// Documents that match clause `number` of a word, without scores.
    fn matching(&self, (word, number): (&WordClauses, usize), clause: &Clause) -> Vec<Value> {
        match &clause.term {
            ClauseTerm::Text(own) => match found(word, number, &own.find) {
                Found::Term(stem)
                    if matches!(own.find, TextMatch::Stem(_)) && self.plan.searches_all_texts() =>
                {
                    vec![in_texts(&stem)]
                }
                found => {
                    let fields = self.texts(word, own).map(|(field, _)| field);
                    let filters = fields.map(|field| match &found {
                        Found::Term(value) => term(&text(field), value),
                        Found::Phrase(synonym) => synonym_in(&self.plan.synonyms[**synonym], field),
                    });
                    filters.collect()
                }
            },
            ClauseTerm::Longer(own) => {
                vec![prefix(
                    longer_field(own.field),
                    &fields::longer_prefix(&own.word),
                )]
            }
            ClauseTerm::Code(own) => vec![self.code(own)],
        }
    }

    /// Documents that contain a word or what replaces it, in a searched field, grouped by the field.
    pub fn filters(&self, at: usize) -> Vec<(FieldId, Value)> {
        let groups = self.groups(at).into_iter();
        groups
            .map(|group| (group.field, any(group.queries)))
            .collect()
    }
}

/// What a text must contain.
enum Found<'a> {
    /// This term.
    Term(String),
    /// The synonym with this number.
    Phrase(&'a usize),
}

/// What clause `number` of a word finds. A surface form is one of the stem whose clause it follows.
fn found<'a>(word: &WordClauses, number: usize, find: &'a TextMatch) -> Found<'a> {
    let stem = || {
        let before = word.clauses[..number].iter().rev();
        let mut stems = before.filter_map(|clause| match &clause.term {
            ClauseTerm::Text(own) => match &own.find {
                TextMatch::Stem(stem) => Some(&**stem),
                _ => None,
            },
            ClauseTerm::Longer(_) | ClauseTerm::Code(_) => None,
        });
        stems.next().unwrap_or_default()
    };
    match find {
        TextMatch::Stem(stem) => Found::Term(stem.to_string()),
        TextMatch::Form(form) => Found::Term(form_term(form, stem())),
        TextMatch::AccentedForm(form) => Found::Term(unmarked_form_term(form, stem())),
        TextMatch::Phrase(synonym) => Found::Phrase(synonym),
    }
}

fn longer_field(field: FieldId) -> &'static str {
    match field {
        FieldId::PARTIAL => fields::SUBSTRINGS,
        _ => fields::PREFIXES,
    }
}
