//! Labels with their numbers, in the language of the store page.

export type Values = Record<string, string | number>;

/** Fills a label in: `{n}` and other known names are replaced, others stay; counts choose their plural. */
export function fill(
  labels: Record<string, string>,
  language: string,
  format: (n: number) => string,
  key: string,
  values: Values,
): string {
  const { n } = values;
  let text = labels[key] ?? "";
  if (typeof n === "number")
    text = (n === 0 && labels[`${key}.zero`]) || labels[`${key}.${plural(language, n)}`] || text;
  return text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? all : typeof value === "number" ? format(value) : value;
  });
}

const rules = new Map<string, Intl.PluralRules | undefined>();

/** Rules are slow to make, and a list asks for them with every card. */
function plural(language: string, n: number): string {
  if (!rules.has(language)) {
    try {
      rules.set(language, new Intl.PluralRules(language));
    } catch {
      rules.set(language, undefined);
    }
  }
  return rules.get(language)?.select(n) ?? "other";
}
