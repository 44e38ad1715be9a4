//! What comes before the score: the tiers of a code, the order of a list of codes, and pins.

use super::fields;
use super::lookups::code_containing;
use super::phrases::code_terms;
use super::queries::{any, term};
use super::ranking::RankingQuery;
use domain::relevance::field::FieldId;
use query::analysis::codes::CASE_MARK;
use query::breakdown::Tier;
use query::meaning::code_order::CodeOrder;
use serde_json::{Value, json};

/// Finds the best tier of a document. `params.fields` have, for each field, the codes of each tier; `params.tiers` are the
/// numbers of the tiers, and `params.none` that of no tier.
const TIER: &str = "\
int best = params.none;
for (def own : params.fields) {
  for (def code : doc[own.field]) {
    int tier = params.none;
    if (own.exact.contains(code)) { tier = params.tiers[0]; }
    else {
      for (def part : own.parts) {
        boolean marked = code.startsWith(params.mark);
        if (marked != part.startsWith(params.mark)) { continue; }
        if (code.startsWith(part)) { tier = (int) Math.min(tier, params.tiers[1]); }
        else if (marked ? code.substring(1).contains(part.substring(1)) : code.contains(part)) {
          tier = (int) Math.min(tier, params.tiers[2]);
        }
      }
      if (own.near.contains(code)) { tier = (int) Math.min(tier, params.tiers[3]); }
    }
    best = (int) Math.min(best, tier);
  }
}
return best;";

/// Finds the first of the listed codes that a document has.
const LISTED: &str = "\
for (int at = 0; at < params.codes.size(); at++) {
  for (def own : params.codes[at]) {
    if (doc[own.field].contains(own.code)) { return at; }
  }
}
return params.codes.size();";

/// Finds the index of the pin that a document is.
const PIN: &str = "\
int at = params.pins.indexOf(doc['id'].value);
return at < 0 ? params.pins.size() : at;";

/// Documents that have a rank.
pub fn ranked(ranking: &RankingQuery<'_>) -> Value {
    let plan = ranking.plan;
    let searched = |field: FieldId| plan.searches(field);
    if ranking.order == CodeOrder::List {
        let codes = plan.codes.iter();
        return any(codes.flat_map(|code| code_terms(code, searched)).collect());
    }
    let codes = plan.codes.iter().zip(&ranking.meaning.codes);
    let of = codes
        .filter(|(code, _)| code.whole)
        .flat_map(|(code, meaning)| {
            let parts = FieldId::codes().filter(move |field| code.substring && searched(*field));
            let parts = parts.map(|field| code_containing(field, code));
            let near = meaning.fuzzy.iter();
            let near = near.map(|near| term(&fields::code(near.field), &near.term));
            code_terms(code, searched).chain(parts).chain(near)
        });
    any(of.collect())
}

/// The sort key of the rank; none where there is none.
pub fn rank(ranking: &RankingQuery<'_>) -> Option<Value> {
    let plan = ranking.plan;
    let searched = || FieldId::codes().filter(|field| plan.searches(*field));
    let script = match ranking.order {
        CodeOrder::None => return None,
        CodeOrder::List => {
            let codes = plan.codes.iter().map(|code| {
                let fields = searched()
                    .map(|field| json!({"field": fields::code(field), "code": code.term(field)}));
                fields.collect::<Vec<Value>>()
            });
            json!({"source": LISTED, "params": {"codes": codes.collect::<Vec<_>>()}})
        }
        CodeOrder::Tiers { .. } => {
            let fields: Vec<Value> = searched().map(|field| tiers_of(ranking, field)).collect();
            let tiers = [Tier::Exact, Tier::Starts, Tier::Contains, Tier::Typo];
            let numbers = tiers.map(|tier| Tier::ALL.iter().position(|own| *own == tier));
            json!({"source": TIER, "params": {
                "fields": fields, "tiers": numbers, "none": Tier::ALL.len(), "mark": CASE_MARK.to_string(),
            }})
        }
    };
    Some(sorted(&script))
}

/// The codes of each tier in one field.
fn tiers_of(ranking: &RankingQuery<'_>, field: FieldId) -> Value {
    let codes = ranking.plan.codes.iter().zip(&ranking.meaning.codes);
    let whole: Vec<_> = codes.filter(|(code, _)| code.whole).collect();
    let exact: Vec<&str> = whole.iter().map(|(code, _)| code.term(field)).collect();
    let parts = whole.iter().filter(|(code, _)| code.substring);
    let parts: Vec<&str> = parts.map(|(code, _)| code.spelling.as_str()).collect();
    let near = whole.iter().flat_map(|(_, meaning)| &meaning.fuzzy);
    let near: Vec<&str> = near
        .filter(|near| near.field == field)
        .map(|near| &*near.term)
        .collect();
    json!({"field": fields::code(field), "exact": exact, "parts": parts, "near": near})
}

/// The sort key of pins.
pub fn pin(pins: &[String]) -> Value {
    sorted(&json!({"source": PIN, "params": {"pins": pins}}))
}

fn sorted(script: &Value) -> Value {
    json!({"_script": {"type": "number", "order": "asc", "script": script}})
}
