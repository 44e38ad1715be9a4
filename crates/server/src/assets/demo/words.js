// The texts of the page in both languages.

// The widget's own; the server has the present file for any hash.
import { money as price } from "/api/v1/widget/assets/box-0000000000000000.js";

const WORDS = {
  en: {
    skip: "Skip to the products", searchLabel: "Search the shop", searchHint: "Search tents, trainers, coffee…",
    tune: "Tune", products: "Products", filters: "Filters", results: "Products", sort: "Sort by", language: "Language",
    "sort.relevance": "Best match", "sort.price_asc": "Price: low to high", "sort.price_desc": "Price: high to low", "sort.name": "Name", "sort.newest": "Newest", "sort.sales": "Bestsellers", "sort.rating": "Best rated",
    "facet.categories": "Category", "facet.manufacturer": "Brand", "facet.price": "Price", "facet.inStock": "Stock", "facet.rating": "Rating", "facet.discount": "Offers",
    inStockTrue: "In stock", inStockFalse: "Out of stock", from: "From", to: "To", apply: "Apply",
    wrongRange: "The first number must not be above the second.",
    showAll: (n) => `Show all ${n}`, showFewer: "Show fewer", close: "Close", showResults: (n) => `Show ${n} products`,
    found: (n) => (n === 1 ? "1 product" : `${n} products`), foundFor: (n, q) => `${n === 1 ? "1 product" : `${n} products`} for “${q}”`,
    tryThese: "Try", goTo: "Go to", noneWith: (words) => `No product has ${words.map((word) => `“${word}”`).join(", ")}.`,
    more: (shown, total) => `Show more (${shown} of ${total})`, clear: "Clear filters", remove: (text) => `Remove filter ${text}`,
    before: "before", now: "now", ratingOf: (r, n) => `${r} of 5 stars, ${n} ratings`,
    nothing: (q) => `Nothing found for “${q}”`, nothingHere: "No products match these filters",
    nextFilters: "The filters may be too narrow.", nextWords: "Check the spelling, use fewer or more general words, or try a code from a label.",
    browse: "See the whole shop", tryAgain: "Try again", failed: "The shop is not responding right now.",
    why: "Why here?", whyPlace: (n) => `Place ${n}`, whyAmongAll: "by best match among all results",
    whyText: "What the words add", whyFactors: "What the product adds", whyNoWords: "The query has no words, so every product starts with 1.",
    wordIn: (word, field) => `“${word}” in ${field}`, likes: (matched) => `found as “${matched}”`, whyMissing: "This product is not in the ranking of this query.",
    phrase: "Words side by side", crossFields: "Words over all fields", exactReference: "Exact code", start: "Start",
    stock: "In stock", sales: "Units sold", rating: "Rating", discount: "Discount", none: "nothing", score: "Score", rules: "Rules",
    "kind.exact": "exact", "kind.typo": "typo", "kind.prefix": "prefix", "kind.partial": "substring", "kind.synonym": "synonym", "kind.joined": "written together", "kind.split": "written apart",
    "field.name": "name", "field.name.autocomplete": "name", "field.name.partial": "name", "field.tags": "tags", "field.categories.name": "category", "field.attributes.value": "attributes", "field.features.value": "features", "field.short_description": "short description", "field.description": "description", "field.manufacturer": "brand", "field.supplier": "supplier", "field.reference": "reference", "field.ean13": "EAN", "field.upc": "UPC", "field.mpn": "part number", "field.combinationReferences": "reference of a variant", "field.combinationEans": "EAN of a variant", "field.combinationMpns": "part number of a variant",
    bareShop: "The search widget on a bare shop page",
    about: "Cumbre & Co. is an invented shop. It runs on Findwell, the open-source product search for online stores.",
    examples: ["tent", "headtorch", "case for headphones", "knives", "CUM-TN2", "black t-shirt", "coffe grinder"],
  },
  es: {
    skip: "Ir a los productos", searchLabel: "Buscar en la tienda", searchHint: "Busca tiendas, zapatillas, café…",
    tune: "Ajustar", products: "Productos", filters: "Filtros", results: "Productos", sort: "Ordenar por", language: "Idioma",
    "sort.relevance": "Relevancia", "sort.price_asc": "Precio: de menor a mayor", "sort.price_desc": "Precio: de mayor a menor", "sort.name": "Nombre", "sort.newest": "Novedades", "sort.sales": "Más vendidos", "sort.rating": "Mejor valorados",
    "facet.categories": "Categoría", "facet.manufacturer": "Marca", "facet.price": "Precio", "facet.inStock": "Disponibilidad", "facet.rating": "Valoración", "facet.discount": "Ofertas",
    inStockTrue: "En stock", inStockFalse: "Agotado", from: "Desde", to: "Hasta", apply: "Aplicar",
    wrongRange: "El primer número no puede ser mayor que el segundo.",
    showAll: (n) => `Ver los ${n}`, showFewer: "Ver menos", close: "Cerrar", showResults: (n) => `Ver ${n} productos`,
    found: (n) => (n === 1 ? "1 producto" : `${n} productos`), foundFor: (n, q) => `${n === 1 ? "1 producto" : `${n} productos`} para «${q}»`,
    tryThese: "Prueba", goTo: "Ir a", noneWith: (words) => `Ningún producto tiene ${words.map((word) => `«${word}»`).join(", ")}.`,
    more: (shown, total) => `Ver más (${shown} de ${total})`, clear: "Quitar filtros", remove: (text) => `Quitar el filtro ${text}`,
    before: "antes", now: "ahora", ratingOf: (r, n) => `${r} de 5 estrellas, ${n} valoraciones`,
    nothing: (q) => `No hay nada para «${q}»`, nothingHere: "Nada encaja con estos filtros",
    nextFilters: "Puede que los filtros sean demasiado estrechos.", nextWords: "Revisa la ortografía, usa menos palabras o más generales, o prueba con el código de una etiqueta.",
    browse: "Ver toda la tienda", tryAgain: "Reintentar", failed: "La tienda no responde en este momento.",
    why: "¿Por qué aquí?", whyPlace: (n) => `Puesto ${n}`, whyAmongAll: "por relevancia entre todo lo encontrado",
    whyText: "Lo que aportan las palabras", whyFactors: "Lo que aporta el producto", whyNoWords: "No se buscó ninguna palabra, así que cada producto parte de 1.",
    wordIn: (word, field) => `«${word}» en ${field}`, likes: (matched) => `encontrado como «${matched}»`, whyMissing: "Este producto no está en la clasificación de estas palabras.",
    phrase: "Palabras seguidas", crossFields: "Palabras en todos los campos", exactReference: "Código exacto", start: "Base",
    stock: "En stock", sales: "Unidades vendidas", rating: "Valoración", discount: "Descuento", none: "nada", score: "Puntuación", rules: "Reglas",
    "kind.exact": "exacto", "kind.typo": "errata", "kind.prefix": "comienzo", "kind.partial": "parte", "kind.synonym": "sinónimo", "kind.joined": "escrito junto", "kind.split": "escrito separado",
    "field.name": "el nombre", "field.name.autocomplete": "el nombre", "field.name.partial": "el nombre", "field.tags": "las etiquetas", "field.categories.name": "la categoría", "field.attributes.value": "los atributos", "field.features.value": "las características", "field.short_description": "la descripción breve", "field.description": "la descripción", "field.manufacturer": "la marca", "field.supplier": "el proveedor", "field.reference": "la referencia", "field.ean13": "el EAN", "field.upc": "el UPC", "field.mpn": "el número de pieza", "field.combinationReferences": "la referencia de una variante", "field.combinationEans": "el EAN de una variante", "field.combinationMpns": "el número de pieza de una variante",
    bareShop: "El buscador en la página de una tienda cualquiera",
    about: "Cumbre & Co. es una tienda inventada. Funciona con Findwell, el buscador de productos de código abierto para tiendas en línea.",
    examples: ["tienda", "frontal", "funda para auriculares", "cuchillos", "CUM-TN2", "camiseta negra", "molinilo de café"],
  },
};

export const LANGUAGES = { en: "English", es: "Español" };

let language = "en";

export function speak(code) {
  language = code in WORDS ? code : "en";
  document.documentElement.lang = language;
}

export function say(key, ...values) {
  const word = WORDS[language][key] ?? key;
  return typeof word === "function" ? word(...values) : word;
}

export const fieldName = (field) => (`field.${field}` in WORDS[language] ? say(`field.${field}`) : field);

export function number(value, digits = 2) {
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

export const money = (value, currency) => price(value, currency ?? "EUR", [], language);
