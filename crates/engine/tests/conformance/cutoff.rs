//! A cutoff removes all hits but the best, whatever the length of the query; pins stay, with the scores that they have without it.

use crate::fixture::{Engines, apply, folder, named, open, plan, put};
use domain::Relevance;
use engine::{Hit, Request};
use query::rules::PlanRules;
use serde_json::json;

/// Words that have no prefix in common.
const WORDS: [&str; 16] = [
    "lantern",
    "kettle",
    "blanket",
    "compass",
    "whistle",
    "hammock",
    "bottle",
    "stove",
    "pillow",
    "carabiner",
    "gaiters",
    "umbrella",
    "thermos",
    "notebook",
    "sandals",
    "mattress",
];

pub fn pins_are_exempt_from_a_cutoff(engines: Engines<'_>) {
    let folder = folder();
    let index = open(engines, &folder);
    // Each word has many others at one edit, each in a name of its own.
    let near = WORDS
        .iter()
        .flat_map(|word| ('a'..='y').map(move |c| format!("{}{c}{}", &word[..3], &word[4..])));
    let mut names = vec![
        WORDS.join(" "),
        format!("{} with a name that is somewhat longer", WORDS[0]),
    ];
    names.push("nothing of it".to_owned());
    names.extend(near);
    let changes = names.iter().enumerate();
    let changes = changes.map(|(at, name)| put(at as u32, named(&format!("p{at:03}"), name)));
    // Words are looked for in every field that any document has.
    let all_fields = json!({
        "id": "other", "name": "other", "short_description": "text", "description": "text", "supplier": "text",
        "manufacturer": "text", "categoryName": "text", "tags": ["text"], "ai_description": "text",
    });
    let other = put(names.len() as u32, all_fields);
    apply(index.as_ref(), 1, changes.chain([other]).collect());
    let snapshot = index.snapshot();
    for count in 2..=WORDS.len() {
        let text = WORDS[..count].join(" ");
        let search = |cutoff: u32, pins: &[String]| -> Vec<(String, f64)> {
            let mut relevance = Relevance::default();
            relevance.search_settings.score_cutoff = cutoff;
            let rules = PlanRules {
                pins: pins.to_vec(),
                ..PlanRules::default()
            };
            let plan = plan(&text, &relevance).with_rules(rules);
            let request = Request {
                limit: 1000,
                ..Request::default()
            };
            let found = snapshot.search(&plan, &request).expect("a result");
            let hit = |hit: Hit| (hit.id, hit.score);
            found.hits.into_iter().map(hit).collect()
        };
        // One that matches nothing, one that matches a word, and all that match it with a typo.
        let pins: Vec<String> = (1..28).map(|at| format!("p{at:03}")).collect();
        let all = search(0, &pins);
        let ids: Vec<&String> = all.iter().map(|(id, _)| id).take(pins.len()).collect();
        assert_eq!(ids, pins.iter().collect::<Vec<_>>());
        let best = pins.len();
        assert_eq!(all[best].0, "p000", "{text}");
        assert_eq!(search(100, &pins), all[..=best], "{text}");
        assert_eq!(search(100, &[]), all[best..=best], "{text}");
    }
}
