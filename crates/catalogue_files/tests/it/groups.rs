//! 1. Rows of a group are one document, wherever they stand. 2. A row without a group may be the product of a group.
//! 3. A group of one row is a plain product. 4. Too many rows of a group are rejected.
//! 5. A price of 0 does not count beside another one. 6. Features that variants differ in are attributes.

use crate::harness::{Outcome, read_text, settings};
use serde_json::{Value, json};

const HEADER: &str = "id,item_group_id,title,link,price,availability,color,size,mpn,image_link";
const ROWS: [&str; 3] = [
    "a,G,Shirt Long - Red,https://s.example/a,10 EUR,in stock,Red,M,M1,https://s.example/a.jpg",
    "b,G,Shirt Long - Blue,https://s.example/b,8 EUR,out of stock,Blue/White,M,M2,https://s.example/b.jpg",
    "c,G,Shirt Long - Red,https://s.example/c,9 EUR,in stock,red,L,M3,https://s.example/c.jpg",
];

fn rows(order: [usize; 3]) -> Outcome {
    let other = "z,,Alone,https://s.example/z,1 EUR,in stock,,,,";
    let lines = [
        HEADER,
        ROWS[order[0]],
        other,
        ROWS[order[1]],
        ROWS[order[2]],
    ];
    read_text(&lines.join("\n"))
}

fn set(value: &Value) -> Vec<String> {
    let mut all: Vec<String> = value
        .as_array()
        .into_iter()
        .flatten()
        .map(|value| value.get("id").unwrap_or(value).to_string())
        .collect();
    all.sort();
    all
}

#[test]
fn rows_of_a_group_are_one_document() {
    let outcome = rows([0, 1, 2]);
    assert_eq!(outcome.ids(), ["G", "z"]);
    let document = outcome.document("G");
    assert_eq!(document["name"], "Shirt Long");
    assert_eq!(
        (&document["priceInclTax"], &document["inStock"]),
        (&json!(9), &json!(true))
    );
    assert_eq!(document["url"], "https://s.example/c", "that of the price");
    assert_eq!(document["combinationMpns"], json!(["M1", "M2", "M3"]));
    assert_eq!(
        set(&document["attributes"]),
        ["\"blue\"", "\"l\"", "\"m\"", "\"red\"", "\"white\""]
    );
    assert_eq!(
        document["attributes"][0],
        json!({"groupId": "color", "group": "Color", "id": "red", "value": "Red"})
    );
    for order in [[2, 1, 0], [1, 0, 2]] {
        let other = rows(order);
        let other = other.document("G");
        for field in ["priceInclTax", "inStock", "outOfStock", "url", "name"] {
            assert_eq!(other[field], document[field], "{field}");
        }
        for field in ["attributes", "combinationMpns", "images"] {
            assert_eq!(
                set(&other[field]).len(),
                set(&document[field]).len(),
                "{field}"
            );
        }
    }
}

#[test]
fn a_row_without_a_group_may_be_its_product() {
    let text = format!(
        "{HEADER}\n{}\nG,,The shirt,https://s.example/g,,,,,,\n{}",
        ROWS[0], ROWS[1]
    );
    let outcome = read_text(&text);
    let document = outcome.only();
    assert_eq!(
        (&document["name"], &document["url"]),
        (&json!("The shirt"), &json!("https://s.example/g"))
    );
    assert_eq!(document["priceInclTax"], 10);
    let alone = read_text(&format!("{HEADER}\n{}\n", ROWS[1]));
    assert_eq!(
        (&alone.only()["id"], &alone.only()["mpn"]),
        (&json!("G"), &json!("M2"))
    );
    assert_eq!(alone.only().get("combinationMpns"), None);
}

#[test]
fn too_many_variants_are_rejected() {
    let mut text = "id,item_group_id,title,price\n".to_owned();
    for number in 0..2_060 {
        text.push_str(&format!("v{number},G,Shirt {number},{}\n", 5 + number % 7));
    }
    let outcome = read_text(&text);
    assert_eq!(outcome.only()["priceInclTax"], 5);
    assert_eq!(outcome.result.rejected_count(), 12);
    assert!(
        outcome
            .rejected()
            .iter()
            .all(|(code, row)| *code == "too_many_variants" && *row > 2_048)
    );
}

#[test]
fn zero_does_not_count_beside_another_price() {
    let text = "id,item_group_id,title,price\na,G,Shirt one,0\nb,G,Shirt two,7\nc,,Free,0\n";
    let outcome = read_text(text);
    assert_eq!(outcome.document("G")["priceInclTax"], 7);
    assert_eq!(outcome.document("c")["priceInclTax"], 0);
}

#[test]
fn parents_are_found_by_sku_too() {
    let text = "id,sku,parent_sku,name,price,size\n1,P,,Jacket,,\n2,P-S,P,Jacket S,5,S\n3,P-M,P,Jacket M,4,M\n";
    let mut english = settings();
    english.language = "en".to_owned();
    let outcome = crate::harness::read_with(text, &english);
    let document = outcome.only();
    assert_eq!(
        (
            &document["id"],
            &document["name"],
            &document["priceInclTax"]
        ),
        (&json!("1"), &json!("Jacket"), &json!(4))
    );
}
