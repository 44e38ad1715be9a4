// What the service says of drafts, rules and changes, as patterns with their translations into Spanish.

const RESOURCES = {
  relevance: "pesos y comportamiento",
  widget: "el buscador",
  store: "los ajustes",
  synonyms: "un grupo de sinónimos",
  rules: "una regla",
  filters: "un filtro",
  configuration: "la configuración",
};
const resource = (text) => RESOURCES[text.split("/")[0]] ?? text;
const RECORDS = { "Synonym group": "Grupo de sinónimos", Rule: "Regla", Filter: "Filtro" };
const DONE = { created: ["creado", "creada"], updated: ["cambiado", "cambiada"], deleted: ["borrado", "borrada"] };

// Why products of a rule are left out.
const LEFT_OUT = [
  [/ is hidden by the rule "/g, ' lo oculta la regla "'],
  [/ is pinned by the rule "/g, ' lo fija la regla "'],
  [/ is hidden by another rule/g, " lo oculta otra regla"],
  [/ is pinned by another rule/g, " lo fija otra regla"],
  [/ is not a product/g, " no es un producto"],
  [/ may not be shown to this shopper or is out of stock/g, " no se puede mostrar a este cliente o está agotado"],
  [/ does not pass the filters/g, " no pasa los filtros"],
];
const leftOut = (text) => LEFT_OUT.reduce((whole, [pattern, translated]) => whole.replace(pattern, translated), text);

const MET = [
  [/^it applies to every query$/, "vale para todas las búsquedas"],
  [/^the query contains "(.*)" in another writing \((\w+)\)$/, "la búsqueda contiene «$1» escrito de otra forma ($2)"],
  [/^the query is "(.*)" in another writing \((\w+)\)$/, "la búsqueda es «$1» escrito de otra forma ($2)"],
  [
    /^the query starts with "(.*)" in another writing \((\w+)\)$/,
    "la búsqueda empieza por «$1» escrito de otra forma ($2)",
  ],
  [/^the query contains "(.*)"$/, "la búsqueda contiene «$1»"],
  [/^the query is "(.*)"$/, "la búsqueda es «$1»"],
  [/^the query starts with "(.*)"$/, "la búsqueda empieza por «$1»"],
  [/^the query matches "(.*)"$/, "la búsqueda coincide con «$1»"],
];
const met = (text) => MET.reduce((whole, [pattern, translated]) => whole.replace(pattern, translated), text);

export const reasonsOfDrafts = [
  [/^(.+); left out: (.+)$/, (why, which) => `${met(why)}; quedan fuera: ${leftOut(which)}`],
  ...MET,
  [/^it is inactive$/, "está desactivada"],
  [/^its window begins at (.+)$/, "su periodo empieza el $1"],
  [/^its window ended at (.+)$/, "su periodo terminó el $1"],
  [/^the rule "(.+)" takes precedence$/, "tiene preferencia la regla «$1»"],
  [/^another rule takes precedence$/, "tiene preferencia otra regla"],
  [/^none of its products is pinned: (.+)$/, (which) => `no fija ninguno de sus productos: ${leftOut(which)}`],

  [/^Saved without a change\.$/, "Guardado sin cambios."],
  [/^(\S+) changed\.$/, (first) => `Cambios: ${resource(first)}.`],
  [/^(\S+) and (\d+) more changed\.$/, (first, n) => `Cambios: ${resource(first)} y ${n} más.`],
  [/^(\S+) restored to revision (\d+)\.$/, (first, n) => `Restaurado a la revisión ${n}: ${resource(first)}.`],
  [
    /^(\S+) and (\d+) more restored to revision (\d+)\.$/,
    (first, more, n) => `Restaurado a la revisión ${n}: ${resource(first)} y ${more} más.`,
  ],
  [
    /^(Synonym group|Rule|Filter) (created|updated|deleted)\.$/,
    (what, done) => `${RECORDS[what]} ${DONE[done][what === "Rule" ? 1 : 0]}.`,
  ],
  [/^Relevance saved without a change\.$/, "Relevancia guardada sin cambios."],
  [/^Relevance: (\S+) updated\.$/, "Relevancia: $1 cambiado."],
  [/^Relevance: (\S+) and (\d+) more updated\.$/, "Relevancia: $1 y $2 más cambiados."],
  [/^Widget updated\.$/, "Buscador cambiado."],
  [/^Widget saved without a change\.$/, "Buscador guardado sin cambios."],
  [/^Custom code updated\.$/, "Código propio cambiado."],
  [/^Custom code saved without a change\.$/, "Código propio guardado sin cambios."],
  [/^Settings of the store updated\.$/, "Ajustes de la tienda cambiados."],
  [/^Hidden queries saved\.$/, "Consultas ocultas guardadas."],
  [/^(\d+) filters created from automatic facets\.$/, "$1 filtros tomados de los automáticos."],
  [/^(\d+) synonym groups imported in (\S+)\.$/, "$1 grupos de sinónimos importados en $2."],

  [/^must be one of (.+), got (.+)$/, "debe ser uno de $1; es $2"],
  [/^must be one of (.+)$/, "debe ser uno de $1"],
  [/^must be (?:a whole number|a number), got (.+)$/, "debe ser un número y es $1"],
  [/^must be text$/, "debe ser un texto"],
  [/^must be an object$/, "debe ser un objeto"],
  [/^must be a list of texts, or a range such as (.+)$/, "debe ser una lista de textos o un rango como $1"],
  [/^must be a list of values$/, "debe ser una lista de valores"],
  [/^must be a range such as (.+)$/, "debe ser un rango como $1"],
  [/^(?:each value )?must have between 1 and (\d+) characters(?:, got \d+)?$/, "debe tener entre 1 y $1 caracteres"],
  [
    /^must have at most (\d+) (?:items|fields|records|entries), got (\d+)$/,
    "debe tener como mucho $1 elementos y tiene $2",
  ],
  [/^must not be before startDate, (.+), got (.+)$/, "no puede ser anterior al comienzo ($1); es $2"],
  [/^min must not be above max, got (.+) and (.+)$/, "el mínimo ($1) no puede superar al máximo ($2)"],
  [/^must not be above max, (.+), got (.+)$/, "no puede superar al máximo ($1); es $2"],
  [/^must not be negative$/, "no puede ser negativo"],
  [/^must be at least 1, got 0$/, "debe ser al menos 1"],
  [
    /^is in a group already; a value may be in one group only$/,
    "ya está en un grupo; un valor solo puede estar en uno",
  ],
  [
    /^is not for the field (.+), which has no values to group$/,
    "no vale para el campo $1, que no tiene valores que agrupar",
  ],
  [/^is not a known field; did you mean "(.+)"\?$/, "no es un campo conocido; ¿querías decir «$1»?"],
  [/^is not a known field.*$/, "no es un campo conocido"],
  [
    /^is not numeric in the index; the numeric fields are (.+)$/,
    "no es numérico en el índice; los campos numéricos son $1",
  ],
  [/^is required for a UNIDIRECTIONAL group: what the shopper types$/, "falta lo que escribe el cliente"],
  [
    /^is required: the text of the value exactly as indexed, 1 to (\d+) characters$/,
    "falta el valor, tal como está en el índice, de 1 a $1 caracteres",
  ],
  [/^is required$/, "es obligatorio"],
  [/^is required, or max, or both$/, "es obligatorio, o el máximo, o ambos"],
  [/^is empty$/, "está vacío"],
  [/^is invalid$/, "no es válido"],
  [
    /^is too large when compiled; it must stay under (\d+) bytes, so use smaller repetitions$/,
    "es demasiado grande una vez compilada; debe quedar por debajo de $1 bytes: usa repeticiones menores",
  ],
  [/^must be an? (?:instant|RFC 3339 time|ISO 8601 time)(?: such as .+)?(?:, got .+)?$/, "debe ser una fecha y hora"],
  [/^must contain at least one letter or digit$/, "debe tener alguna letra o cifra"],
  [/^there is no such (.+)$/, "no existe"],
  [/^exceeds the limit of (\d+) (?:rules|filters)(?: in (\S+))?$/, "supera el límite de $1"],
  [/^the custom code after revision (\d+) was not kept$/, "no se guardó el código propio posterior a la revisión $1"],
  [/^states before revision (\d+) were not kept$/, "no se guardaron los estados anteriores a la revisión $1"],
];
