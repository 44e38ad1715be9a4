//! 1. FileColumns of the names of other quick starts are taken, and what nothing takes is kept in `extra`.
//! 2. A mapping of the user counts before our names, and those before the table.
//! 3. FileColumns of a shop's margin are never stored. 4. What is missing is named.
//! 5. A file without a column for the id or the name is no catalogue. 6. Other types of documents.

use crate::harness::{error_of, mapped, read_text, read_with, settings};
use catalogue_files::{MappedColumn, TABLE_PROFILES, Target, table};
use domain::DocType;
use serde_json::json;

#[test]
fn names_of_other_quick_starts() {
    let outcome = read_text(
        "sku,title,price,brand,category,image_url,Farbcode,Cost per item\n\
         S1,Bota,12.50,Acme,Shoes,https://s.example/1.jpg,#f00,3\n",
    );
    let document = outcome.only();
    for (field, value) in [
        ("id", json!("S1")),
        ("reference", json!("S1")),
        ("name", json!("Bota")),
        ("priceInclTax", json!(12.5)),
        ("currency", json!("EUR")),
        ("manufacturer", json!("Acme")),
        ("image", json!("https://s.example/1.jpg")),
        ("inStock", json!(true)),
        ("extra", json!({"Farbcode": "#f00"})),
    ] {
        assert_eq!(document[field], value, "{field}");
    }
    let result = &outcome.result;
    assert_eq!(result.file.profile, "plain");
    assert_eq!(result.extra_columns, ["Farbcode"]);
    assert_eq!(result.dropped_columns, ["Cost per item"]);
    assert_eq!(result.missing_fields, ["url", "stock", "description"]);
    assert!(!json!(document).to_string().contains("Cost"));
    let cost = result
        .columns
        .iter()
        .find(|column| column.column == "Cost per item");
    assert_eq!(cost.and_then(|column| column.example.clone()), None);
    let price = result
        .columns
        .iter()
        .find(|column| column.column == "price")
        .expect("price");
    assert_eq!(
        (price.targets.as_slice(), price.filled),
        (["priceInclTax".to_owned()].as_slice(), 1)
    );
}

#[test]
fn the_mapping_of_the_user_counts_first() {
    let settings = mapped(&[
        "PVP=priceInclTax",
        "Talla=attributes.Talla[|]",
        "unused=name",
        "price=-",
    ]);
    let outcome = read_with(
        "sku;name;price;PVP;Talla\n1;a;5;7;S|M\n2;b;5;;L\n",
        &settings,
    );
    assert_eq!(outcome.documents[0]["priceInclTax"], 7);
    assert_eq!(
        outcome.documents[0]["attributes"],
        json!([
            {"groupId": "size", "group": "Talla", "id": "s", "value": "S"},
            {"groupId": "size", "group": "Talla", "id": "m", "value": "M"},
        ])
    );
    assert_eq!(
        outcome.documents[1].get("priceInclTax"),
        None,
        "price is dropped"
    );
    assert!(outcome.notices().contains(&"map_unused"));
    let settings = mapped(&["PVP=priceInclTax"]);
    let outcome = read_with(
        "sku;name;price;PVP\n1;a;5;7\n2;b;5;\n3;c;5;soon\n",
        &settings,
    );
    let prices: Vec<_> = outcome
        .documents
        .iter()
        .map(|d| d["priceInclTax"].clone())
        .collect();
    assert_eq!(prices, [7, 5, 5]);
    assert_eq!(outcome.warnings(), ["price_unreadable"]);
    let path = mapped(&["shipping/country=tags"]);
    let xml = "<rss><channel><item><id>1</id><title>x</title><shipping><country>ES</country></shipping>\
               <shipping><country>PT</country></shipping></item></channel></rss>";
    assert_eq!(read_with(xml, &path).only()["tags"], json!(["ES"]));
    for text in ["A=prise", "nothing", "=name", "A=attributes."] {
        assert!(MappedColumn::parse(text).is_err(), "{text}");
    }
}

#[test]
fn our_names_count_before_the_table() {
    let outcome = read_text("sku,title,name,price,priceInclTax,manufacturer,brand\n1,t,n,5,6,,B\n");
    let document = outcome.only();
    assert_eq!(
        (&document["name"], &document["priceInclTax"]),
        (&json!("n"), &json!(6))
    );
    assert_eq!(
        document["manufacturer"], "B",
        "an empty cell does not count"
    );
}

#[test]
fn a_file_without_id_or_name_is_none() {
    let error = error_of(b"colour,weight\nred,1\n");
    assert_eq!(error.code.as_str(), "no_columns");
    assert!(error.message.contains("colour"), "{error}");
    let outcome = read_text("id,sku,name\n,1,a\n,2,b\n3,3,c\n");
    assert_eq!(
        outcome.ids(),
        ["1", "2", "3"],
        "the first id that nearly all rows fill"
    );
    let outcome = read_text("sku,name,price\n1,,5\n2,b,5\n,c,5\n");
    assert_eq!(outcome.rejected(), [("name_missing", 1), ("id_missing", 3)]);
    assert_eq!(outcome.result.rejected[0].line, 2);
}

#[test]
fn the_same_id_again_replaces() {
    let outcome = read_text("sku,name\n1,a\n2,b\n1,c\n");
    assert_eq!(
        (outcome.ids(), outcome.warnings()),
        (vec!["2", "1"], vec!["duplicate_id"])
    );
    assert_eq!(outcome.document("1")["name"], "c");
}

#[test]
fn pages_have_other_names() {
    let mut pages = settings();
    pages.doc_type = DocType::Pages;
    let outcome = read_with("id,title,content,url\nabout,About us,Text,/about\n", &pages);
    let document = outcome.only();
    assert_eq!(
        (&document["title"], &document["content"]),
        (&json!("About us"), &json!("Text"))
    );
    assert_eq!(document["url"], "https://shop.example/about");
    let outcome = read_with("id,title\n1,\n2,x\n", &pages);
    assert_eq!(outcome.rejected(), [("title_missing", 1)]);
}

#[test]
fn the_documented_table_is_the_table() {
    let shown = |target: &Target, names: [&[&str]; TABLE_PROFILES.len()]| {
        let cells = names.map(|names| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            if names.is_empty() {
                "–".to_owned()
            } else {
                names.join(", ")
            }
        });
        format!("| `{}` | {} |", target.name(), cells.join(" | "))
    };
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/import.md"))
            .expect("the page");
    for row in table() {
        let line = shown(
            &row.target,
            TABLE_PROFILES.map(|profile| row.names(profile)),
        );
        assert!(
            page.lines().any(|other| other == line),
            "docs/import.md lacks:\n{line}"
        );
    }
    for name in catalogue_files::NEVER_STORED {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}
