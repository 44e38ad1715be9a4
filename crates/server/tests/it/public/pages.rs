//! 1. Within a session the pages of a query neither repeat nor lose hits while the catalogue changes.
//! 2. The hits are fresh, and totals count everything.
//! 3. While nothing changes, pages are the same with and without a session.
//! 4. Another query, another session and a long pause each start over.

use crate::harness::{Shop, TestClock, eventually, product};
use domain::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PRODUCTS: u32 = 24;
const LIMIT: u32 = 5;

fn id(number: u32) -> String {
    format!("p{number:02}")
}

fn priced(number: u32, price: u32) -> Value {
    let mut document = product(&id(number), "Camiseta");
    document["priceInclTax"] = json!(price);
    document
}

/// Products whose price is ten times their number.
fn stocked() -> Shop {
    let shop = Shop::open_at(TestClock::fixed(Timestamp(1_763_650_000_000)));
    let documents: Vec<Value> = (1..=PRODUCTS)
        .map(|number| priced(number, number * 10))
        .collect();
    shop.bulk("products", "es", &json!(documents)).ok();
    eventually("all are found", || {
        shop.products("es").len() == PRODUCTS as usize
    });
    shop
}

/// Ids and prices of a page, the cheapest first.
fn page(shop: &Shop, session: Option<&str>, page: u32) -> Vec<(String, f64)> {
    let mut body = json!({"q": "camiseta", "sort": "price_asc", "types": ["products"], "page": page, "limit": LIMIT});
    // Clients request facets and other types on the first page only; it is the same query.
    if page == 1 {
        body["types"] = json!(["products", "categories"]);
    } else {
        body["facets"] = json!(false);
    }
    if let Some(session) = session {
        body["sessionId"] = json!(session);
    }
    let reply = shop.search(&body).ok();
    assert_eq!(reply.data()["products"]["total"], PRODUCTS);
    let hits = reply.data()["products"]["hits"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let hits = hits.iter().map(|hit| {
        let id = hit["id"].as_str().unwrap_or_default().to_owned();
        (id, hit["price"].as_f64().unwrap_or_default())
    });
    hits.collect()
}

fn reprice(shop: &Shop, number: u32, price: u32) {
    shop.bulk("products", "es", &json!([priced(number, price)]))
        .ok();
    let filter = json!({"filters": {"price": {"min": price, "max": price}}});
    eventually("the price is found", || {
        let hits = shop.search(&filter).ok().data()["products"]["hits"].clone();
        hits.as_array()
            .is_some_and(|hits| hits.iter().any(|hit| hit["id"] == id(number)))
    });
}

/// All pages, with a change of prices before each but the first: a hit already shown moves to the back, a later one
/// moves to the front, and some stay on their pages.
fn paged(shop: &Shop, session: Option<&str>) -> Vec<(String, f64)> {
    let mut shown = Vec::new();
    for number in 1..=PRODUCTS.div_ceil(LIMIT) {
        if number > 1 {
            reprice(shop, number, 1_000 + number);
            reprice(shop, PRODUCTS - number, number);
            reprice(shop, 12 + number % 2, 121 + number);
        }
        shown.extend(page(shop, session, number));
    }
    shown
}

fn different(shown: &[(String, f64)]) -> usize {
    shown
        .iter()
        .map(|(id, _)| id)
        .collect::<BTreeSet<_>>()
        .len()
}

#[test]
fn no_hit_is_repeated_or_lost_within_a_session() {
    let shop = stocked();
    let shown = paged(&shop, Some("s1"));
    assert_eq!(
        (shown.len(), different(&shown)),
        (PRODUCTS as usize, PRODUCTS as usize)
    );
    // What moved to the front before it was shown is shown at once, at its new price.
    assert_eq!(shown[LIMIT as usize], (id(PRODUCTS - 2), 2.0));
}

#[test]
fn without_a_session_pages_are_cut_from_the_current_ranking() {
    let shop = stocked();
    let shown = paged(&shop, None);
    assert!(different(&shown) < PRODUCTS as usize, "{shown:?}");
}

#[test]
fn without_changes_a_session_makes_no_difference() {
    let shop = stocked();
    for number in [1, 2, 4, 3, 5, 1] {
        let plain = page(&shop, None, number);
        assert_eq!(page(&shop, Some("s1"), number), plain, "page {number}");
    }
    // A page that was skipped is cut from the current ranking: 1 and 5 were shown, 2 to 4 were not.
    page(&shop, Some("s2"), 1);
    reprice(&shop, 1, 999);
    let third: Vec<String> = (11..=15).map(id).collect();
    let shown: Vec<String> = page(&shop, Some("s2"), 3)
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(shown, third);
}

#[test]
fn another_query_another_session_and_a_pause_start_over() {
    let shop = stocked();
    page(&shop, Some("s1"), 1);
    reprice(&shop, 1, 999);
    let kept = page(&shop, Some("s1"), 2);
    assert_eq!(kept[0].0, id(6));
    // Without a session, the first hit of page 2 has moved to the end of page 1.
    assert_eq!(page(&shop, Some("s2"), 2)[0].0, id(7));
    let other = json!({"q": "camisetas", "sort": "price_asc", "types": ["products"], "page": 2, "limit": LIMIT, "sessionId": "s1"});
    assert_eq!(
        shop.search(&other).ok().data()["products"]["hits"][0]["id"],
        id(7)
    );
    shop.clock.advance_ms(11 * 60 * 1000);
    assert_eq!(page(&shop, Some("s1"), 2)[0].0, id(7));
}
