//! The headers of WooCommerce's product export, which it translates: English names with their translations.
//!
//! Source of the English names: `includes/export/class-wc-product-csv-exporter.php` of woocommerce/woocommerce. Source of
//! the others: headers of exported files in es, fr, de, it, pt, pt-BR and nl, as its translation files
//! (translate.wordpress.org, project woocommerce) give them.

use crate::rows::columns::comparable;

/// An English name with its translations.
type Translated = (&'static str, &'static [&'static str]);

/// The names that the mapping table or the profile uses.
const NAMES: [Translated; 25] = [
    ("ID", &[]),
    ("Type", &["Tipo", "Typ"]),
    ("SKU", &["UGS", "Artikelnummer", "COD", "REF"]),
    (
        "GTIN, UPC, EAN, or ISBN",
        &[
            "GTIN, UPC, EAN o ISBN",
            "GTIN, UPC, EAN ou ISBN",
            "GTIN, UPC, EAN oder ISBN",
            "GTIN, UPC, EAN of ISBN",
        ],
    ),
    ("Name", &["Nombre", "Nom", "Nome", "Naam"]),
    (
        "Published",
        &[
            "Publicado",
            "Publié",
            "Veröffentlicht",
            "Pubblicato",
            "Gepubliceerd",
        ],
    ),
    (
        "Visibility in catalog",
        &[
            "Visibilidad en el catálogo",
            "Visibilité dans le catalogue",
            "Sichtbarkeit im Katalog",
            "Visibilità nel catalogo",
            "Visibilidade no catálogo",
            "Zichtbaarheid in catalogus",
        ],
    ),
    (
        "Short description",
        &[
            "Descripción corta",
            "Description courte",
            "Kurzbeschreibung",
            "Breve descrizione",
            "Descrição breve",
            "Descrição curta",
            "Korte omschrijving",
            "Korte beschrijving",
        ],
    ),
    (
        "Description",
        &[
            "Descripción",
            "Beschreibung",
            "Descrizione",
            "Descrição",
            "Beschrijving",
        ],
    ),
    (
        "Date sale price starts",
        &[
            "Día en que empieza el precio rebajado",
            "Date de début de promo",
            "Datum, an dem Angebotspreis beginnt",
            "Data di partenza del prezzo in saldo",
            "Data de início do preço promocional",
            "Data de preço promocional começa em",
            "Startdatum actieprijs",
        ],
    ),
    (
        "Date sale price ends",
        &[
            "Día en que termina el precio rebajado",
            "Date de fin de promo",
            "Datum, an dem Angebotspreis endet",
            "Termine data del prezzo di vendita",
            "Data de término do preço promocional",
            "Data de preço promocional termina em",
            "Einddatum actieprijs",
        ],
    ),
    (
        "In stock?",
        &[
            "¿Existencias?",
            "En stock ?",
            "Vorrätig?",
            "Em stock?",
            "Em estoque?",
            "Op voorraad?",
        ],
    ),
    (
        "Stock",
        &["Inventario", "Lager", "Magazzino", "Estoque", "Voorraad"],
    ),
    (
        "Backorders allowed?",
        &[
            "¿Permitir reservas de productos agotados?",
            "Autoriser les commandes de produits en rupture ?",
            "Lieferrückstande erlaubt?",
            "Lieferrückstände erlaubt?",
            "Abilita gli ordini arretrati?",
            "Permitir encomendas pendentes?",
            "São permitidas encomendas?",
            "Nabestellingen toestaan?",
        ],
    ),
    ("Weight", &["Peso", "Poids", "Gewicht"]),
    (
        "Length",
        &[
            "Longitud",
            "Longueur",
            "Länge",
            "Lunghezza",
            "Comprimento",
            "Lengte",
        ],
    ),
    (
        "Width",
        &[
            "Anchura",
            "Largeur",
            "Breite",
            "Larghezza",
            "Largura",
            "Breedte",
        ],
    ),
    (
        "Height",
        &["Altura", "Hauteur", "Höhe", "Altezza", "Hoogte"],
    ),
    (
        "Sale price",
        &[
            "Precio rebajado",
            "Tarif promo",
            "Angebotspreis",
            "Prezzo in offerta",
            "Preço promocional",
            "Actieprijs",
        ],
    ),
    (
        "Regular price",
        &[
            "Precio normal",
            "Tarif régulier",
            "Regulärer Preis",
            "Prezzo di listino",
            "Preço normal",
            "Preço",
            "Reguliere prijs",
        ],
    ),
    (
        "Categories",
        &[
            "Categorías",
            "Catégories",
            "Kategorien",
            "Categorie",
            "Categorias",
            "Categorieën",
        ],
    ),
    (
        "Tags",
        &["Etiquetas", "Étiquettes", "Schlagwörter", "Etichette"],
    ),
    (
        "Images",
        &[
            "Imágenes",
            "Bilder",
            "Immagine",
            "Immagini",
            "Imagens",
            "Afbeeldingen",
        ],
    ),
    (
        "Parent",
        &[
            "Superior",
            "Übergeordnetes Produkt",
            "Genitore",
            "Pai",
            "Ascendente",
            "Produto ascendente",
            "Hoofd",
        ],
    ),
    (
        "Brands",
        &["Marcas", "Marken", "Marke", "Merken", "Marques", "Marchi"],
    ),
];

/// Comparable names of the n-th attribute and of its values, before and after the number.
const ATTRIBUTE_NAMES: [(&str, &str); 8] = [
    ("attribute", "name"),
    ("nombredelatributo", ""),
    ("attribut", "name"),
    ("nomdelattribut", ""),
    ("attributo", "nome"),
    ("atributo", "nome"),
    ("nomedoatributo", ""),
    ("naameigenschap", ""),
];
const ATTRIBUTE_VALUES: [(&str, &str); 10] = [
    ("attribute", "values"),
    ("valoresdelatributo", ""),
    ("attribut", "werte"),
    ("valeursdelattribut", ""),
    ("attributo", "valutae"),
    ("attributo", "valorei"),
    ("atributo", "valores"),
    ("valoresdoatributo", ""),
    ("waardeeigenschap", ""),
    ("waardeneigenschap", ""),
];

/// Returns the English name of a header.
pub fn english(name: &str) -> Option<&'static str> {
    let key = comparable(name);
    let found = NAMES.iter().find(|(english, others)| {
        comparable(english) == key || others.iter().any(|other| comparable(other) == key)
    });
    found.map(|(english, _)| *english)
}

/// Returns the English name and the unit of a header such as `Weight (kg)`.
pub fn measure(name: &str) -> Option<(&'static str, &str)> {
    let (base, rest) = name.trim().rsplit_once('(')?;
    let unit = rest.strip_suffix(')')?.trim();
    let english = english(base)?;
    ["Weight", "Length", "Width", "Height"]
        .contains(&english)
        .then_some((english, unit))
}

/// Returns n of the header of the name of the n-th attribute.
pub fn attribute_name(key: &str) -> Option<u32> {
    numbered(key, &ATTRIBUTE_NAMES)
}

/// Returns n of the header of the values of the n-th attribute.
pub fn attribute_values(key: &str) -> Option<u32> {
    numbered(key, &ATTRIBUTE_VALUES)
}

fn numbered(key: &str, forms: &[(&str, &str)]) -> Option<u32> {
    forms.iter().find_map(|(before, after)| {
        let number = key.strip_prefix(before)?.strip_suffix(after)?;
        number.parse().ok()
    })
}

/// Returns the translations of an English name.
pub fn translations(name: &str) -> &'static [&'static str] {
    let found = NAMES.iter().find(|(english, _)| *english == name);
    found.map_or(&[], |(_, others)| others)
}

#[cfg(test)]
mod tests {
    use super::{attribute_name, attribute_values, english, measure};
    use crate::rows::columns::comparable;

    #[test]
    fn headers_of_all_languages_are_found() {
        assert_eq!(english("Precio rebajado"), Some("Sale price"));
        assert_eq!(english("Mis en avant ?"), None);
        assert_eq!(measure("Gewicht (kg)"), Some(("Weight", "kg")));
        assert_eq!(measure("Meta (kg)"), None);
        for (name, values) in [
            ("Attribute 2 name", "Attribute 2 value(s)"),
            ("Nombre del atributo 2", "Valor(es) del atributo 2"),
            ("Attribut 2 Name", "Attribut 2 Wert(e)"),
            ("Nom de l’attribut 2", "Valeur(s) de l’attribut 2"),
            ("Attributo 2 nome", "Attributo 2 valuta(e)"),
            ("Nome do atributo 2", "Valores do atributo 2"),
            ("Naam eigenschap 2", "Waarde eigenschap 2"),
        ] {
            assert_eq!(attribute_name(&comparable(name)), Some(2), "{name}");
            assert_eq!(attribute_values(&comparable(values)), Some(2), "{values}");
        }
    }
}
