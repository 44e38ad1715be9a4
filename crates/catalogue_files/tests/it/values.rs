//! 1. Prices, currencies, sales and dates. 2. Stock in words and numbers. 3. Codes. 4. Categories. 5. Addresses.

use crate::harness::{Outcome, mapped, read_text, read_with, settings};
use serde_json::{Value, json};

fn one(header: &str, cells: &str) -> Outcome {
    read_text(&format!("sku\tname\t{header}\nS1\tBota\t{cells}\n"))
}

#[test]
fn marks_of_prices() {
    for (price, expected) in [
        ("1.234,56 €", 1234.56),
        ("1 234.56 EUR", 1234.56),
        ("EUR1,234.56", 1234.56),
    ] {
        assert_eq!(
            one("price", price).only()["priceInclTax"],
            expected,
            "{price}"
        );
    }
    let ambiguous = one("price", "12.500");
    assert_eq!(ambiguous.only()["priceInclTax"], 12500);
    assert!(ambiguous.notices().contains(&"ambiguous_numbers"));
    let proven = read_text("sku\tname\tprice\n1\ta\t12.500\n2\tb\t8.25\n");
    assert_eq!(proven.documents[0]["priceInclTax"], 12.5);
    assert!(!proven.notices().contains(&"ambiguous_numbers"));
    let mut option = settings();
    option.mapping.decimal = Some(',');
    let text = "sku\tname\tprice\n1\ta\t12.500\n2\tb\t8.25\n";
    assert_eq!(read_with(text, &option).documents[0]["priceInclTax"], 12500);
    let unreadable = one("price", "on request");
    assert_eq!(unreadable.only().get("priceInclTax"), None);
    let warning = &unreadable.result.warnings[0];
    assert_eq!(
        (warning.code, warning.column.as_deref(), &warning.lines[..]),
        ("price_unreadable", Some("price"), &[2][..])
    );
    assert_eq!(warning.example, "on request");
}

#[test]
fn currencies() {
    let undeclared = one("price", "15 USD");
    assert_eq!(undeclared.only().get("priceInclTax"), None);
    assert_eq!(undeclared.warnings(), ["currency_undeclared"]);
    let mut declared = settings();
    declared.currencies.insert("USD".to_owned());
    let both = read_with("sku\tname\tprice\n1\ta\t15 USD\n", &declared);
    assert_eq!(both.only()["priceInclTax_USD"], 15);
    assert_eq!(one("price", "$5").warnings(), ["currency_unknown"]);
    let mut fresh = settings();
    fresh.base_currency = None;
    fresh.currencies.clear();
    let chosen = read_with(
        "sku\tname\tprice\n1\ta\t15 eur\n2\tb\t3 EUR\n3\tc\t4 USD\n",
        &fresh,
    );
    assert_eq!(chosen.result.currency.as_deref(), Some("EUR"));
    assert_eq!(chosen.documents[0]["currency"], "EUR");
    assert!(chosen.notices().contains(&"currency_declared"));
    let none = read_with("sku\tname\tprice\n1\ta\t15\n", &fresh);
    assert_eq!(none.only().get("currency"), None);
    assert_eq!(none.only()["priceInclTax"], 15);
    assert!(none.notices().contains(&"currency_missing"));
}

#[test]
fn sales_count_in_their_time() {
    let sale = |times: &str| {
        one(
            "price\tsale_price\tsale_start\tsale_end",
            &format!("20\t15\t{times}"),
        )
    };
    let on = sale("2026-06-14\t2026-06-16");
    assert_eq!(
        (
            &on.only()["priceInclTax"],
            &on.only()["originalPriceInclTax"]
        ),
        (&json!(15), &json!(20))
    );
    let next = on.result.next_sale_change.map(|at| at.to_string());
    assert_eq!(next.as_deref(), Some("2026-06-16T23:59:59.999Z"));
    let later = sale("2026-06-22T08:00:00Z\t");
    assert_eq!(
        (
            later.only()["priceInclTax"].clone(),
            later.only().get("originalPriceInclTax")
        ),
        (json!(20), None)
    );
    let next = later.result.next_sale_change.map(|at| at.to_string());
    assert_eq!(next.as_deref(), Some("2026-06-22T08:00:00Z"));
    assert_eq!(sale("\t2026-06-01").only()["priceInclTax"], 20);
    let wrong = sale("2026-06-16\t2026-06-14");
    assert_eq!(
        (wrong.only()["priceInclTax"].clone(), wrong.warnings()),
        (json!(20), vec!["date_unreadable"])
    );
    let former = one("price\told_price", "20\t30");
    assert_eq!(former.only()["originalPriceInclTax"], 30);
    assert_eq!(
        one("price\told_price", "20\t10")
            .only()
            .get("originalPriceInclTax"),
        None
    );
}

#[test]
fn stock_in_words_and_numbers() {
    let stock = |header: &str, cell: &str| {
        let outcome = one(header, cell);
        let flag = |name: &str| outcome.only().get(name).and_then(Value::as_bool);
        (flag("inStock"), flag("outOfStock"))
    };
    let available = (Some(true), Some(false));
    for word in [
        "in stock",
        "IN_STOCK",
        "https://schema.org/InStock",
        "Auf Lager",
    ] {
        assert_eq!(stock("availability", word), available, "{word}");
    }
    assert_eq!(
        stock("availability", "backorder"),
        (Some(false), Some(false))
    );
    assert_eq!(
        stock("availability", "out_of_stock"),
        (Some(false), Some(true))
    );
    assert_eq!(stock("quantity", "3"), available);
    assert_eq!(stock("quantity", "0"), (Some(false), Some(true)));
    assert_eq!(stock("quantity", "agotado"), (Some(false), Some(true)));
    let empty = read_text("sku,name,availability\n1,a,in stock\n2,b,\n");
    assert_eq!(empty.documents[1].get("inStock"), None);
    let assumed = one("brand", "Acme");
    assert_eq!(assumed.only()["inStock"], true);
    assert!(assumed.notices().contains(&"stock_assumed"));
    assert!(assumed.result.missing_fields.contains(&"stock"));
    assert_eq!(
        one("availability", "soon").warnings(),
        ["availability_unreadable"]
    );
}

#[test]
fn codes_are_text() {
    assert_eq!(one("gtin", "012345678905").only()["upc"], "012345678905");
    assert_eq!(
        one("gtin", "0012345678905").only()["ean13"],
        "0012345678905"
    );
    assert_eq!(
        one("isbn13\tbarcode", "\t9783161484100").only()["isbn"],
        "9783161484100"
    );
    let damaged = one("gtin", "8,41E+12");
    assert_eq!(
        (damaged.only().get("ean13"), damaged.warnings()),
        (None, vec!["code_damaged"])
    );
    let number = read_text(r#"[{"item_id": 7, "title": "x", "barcode": 12345670}]"#);
    assert_eq!(
        (&number.only()["id"], &number.only()["ean13"]),
        (&json!("7"), &json!("12345670"))
    );
    assert_eq!(number.warnings(), ["code_is_number"]);
    let field = read_text(r#"[{"item_id": 7, "title": "x", "mpn": 12}]"#);
    assert_eq!(field.only()["mpn"], 12, "the feed rejects it");
    let google = |id: &str| {
        let text = format!("id,title,link,price,brand\n{id},x,https://s.example/,1 EUR,b\n");
        read_text(&text).only().get("reference").cloned()
    };
    assert_eq!(google("A-1"), Some(json!("A-1")));
    assert_eq!(google("shopify_ES_1_2"), None);
    assert_eq!(google("0f8fad5b-d9cb-469f-a165-70867728950e"), None);
}

#[test]
fn categories_are_paths() {
    let names = |outcome: &Outcome| {
        let list = outcome.documents[0]
            .get("categories")
            .and_then(Value::as_array)
            .cloned();
        let list = list.unwrap_or_default().into_iter();
        list.map(|category| category["id"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let one_path =
        read_text("sku\tname\tcategory\n1\ta\tHome & Garden > Kitchen, Dining\n2\tb\tToys\n");
    assert_eq!(names(&one_path), ["home & garden > kitchen, dining"]);
    assert_eq!(
        one_path.documents[0]["categoryIds"],
        json!(["home & garden", "home & garden > kitchen, dining"])
    );
    let two =
        read_text("sku\tname\tcategory\n1\ta\t\"\"\"A > B\"\",\"\"A > C\"\"\"\n2\tb\tX > Y\n");
    assert_eq!(names(&two), ["a > b", "a > c"]);
    let shared = read_text("sku\tname\tcategory\n1\ta\tRoot > A\n2\tb\tRoot > B > C\n3\tc\tRoot\n");
    assert_eq!(names(&shared), ["a"]);
    assert_eq!(shared.documents[2]["categories"][0]["name"], "Root");
    let json = read_text(r#"[{"item_id":"1","title":"x","categories":[{"id":"4","name":"Men"}]}]"#);
    assert_eq!(
        json.only()["categories"],
        json!([{"id": "4", "name": "Men"}])
    );
}

#[test]
fn addresses_are_absolute() {
    let outcome = one("url\timage", "/p/1\t//cdn.example/1.jpg");
    assert_eq!(outcome.only()["url"], "https://shop.example/p/1");
    assert_eq!(outcome.only()["image"], "https://cdn.example/1.jpg");
    let mut bare = settings();
    bare.base_url = None;
    let missing = read_with("sku,name,url\n1,a,/p/1\n", &bare);
    assert_eq!(
        (
            missing.only().get("url"),
            missing.notices().contains(&"base_url_missing")
        ),
        (None, true)
    );
    assert_eq!(
        one("url", "javascript:alert(1)").warnings(),
        ["url_unreadable"]
    );
    let mut template = mapped(&[]);
    template.mapping.url_template = Some("{base}/x/{sku}?n={name}".to_owned());
    let filled = read_with("sku,name\n1,a b\n", &template);
    assert_eq!(filled.only()["url"], "https://shop.example/x/1?n=a%20b");
}
