//! Labels of the attributes of product feeds, in six languages; their ids are the same in all.

/// Languages, in the order of the labels.
const LANGUAGES: [&str; 6] = ["en", "es", "fr", "de", "it", "pt"];

/// Ids with their labels.
const LABELS: [(&str, [&str; 6]); 14] = [
    (
        "color",
        ["Color", "Color", "Couleur", "Farbe", "Colore", "Cor"],
    ),
    (
        "size",
        ["Size", "Talla", "Taille", "Größe", "Taglia", "Tamanho"],
    ),
    (
        "material",
        [
            "Material",
            "Material",
            "Matière",
            "Material",
            "Materiale",
            "Material",
        ],
    ),
    (
        "pattern",
        [
            "Pattern",
            "Estampado",
            "Motif",
            "Muster",
            "Motivo",
            "Padrão",
        ],
    ),
    (
        "gender",
        [
            "Gender",
            "Género",
            "Genre",
            "Geschlecht",
            "Genere",
            "Género",
        ],
    ),
    (
        "age_group",
        [
            "Age group",
            "Grupo de edad",
            "Tranche d’âge",
            "Altersgruppe",
            "Fascia di età",
            "Faixa etária",
        ],
    ),
    (
        "condition",
        [
            "Condition",
            "Estado",
            "État",
            "Zustand",
            "Condizione",
            "Estado",
        ],
    ),
    (
        "size_type",
        [
            "Size type",
            "Tipo de talla",
            "Type de taille",
            "Größentyp",
            "Tipo di taglia",
            "Tipo de tamanho",
        ],
    ),
    (
        "size_system",
        [
            "Size system",
            "Sistema de tallas",
            "Système de tailles",
            "Größensystem",
            "Sistema di taglie",
            "Sistema de tamanhos",
        ],
    ),
    (
        "energy_efficiency_class",
        [
            "Energy efficiency class",
            "Clase de eficiencia energética",
            "Classe énergétique",
            "Energieeffizienzklasse",
            "Classe energetica",
            "Classe de eficiência energética",
        ],
    ),
    (
        "length",
        [
            "Length",
            "Longitud",
            "Longueur",
            "Länge",
            "Lunghezza",
            "Comprimento",
        ],
    ),
    (
        "width",
        [
            "Width",
            "Anchura",
            "Largeur",
            "Breite",
            "Larghezza",
            "Largura",
        ],
    ),
    (
        "height",
        ["Height", "Altura", "Hauteur", "Höhe", "Altezza", "Altura"],
    ),
    (
        "weight",
        ["Weight", "Peso", "Poids", "Gewicht", "Peso", "Peso"],
    ),
];

/// Returns the label of an attribute of product feeds in a language, or else in English.
pub fn feed_label(id: &str, language: &str) -> &'static str {
    let base = language.split(['-', '_']).next().unwrap_or(language);
    let at = LANGUAGES.iter().position(|code| *code == base).unwrap_or(0);
    let found = LABELS.iter().find(|(known, _)| *known == id);
    found.map_or("", |(_, labels)| labels[at])
}
