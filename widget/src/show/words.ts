//! Labels with their numbers, in the language of the store page.

export type Values = Record<string, string | number>;

/** Fills a label in: `{n}` and other known names are replaced, others stay; counts choose their plural. */
export function fill(labels: Record<string, string>, language: string, format: (n: number) => string, key: string, values: Values): string {
  const { n } = values;
  let text = labels[key] ?? "";
  if (typeof n === "number") text = (n === 0 && labels[`${key}.zero`]) || labels[`${key}.${plural(language, n)}`] || text;
  return text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return value === undefined ? all : typeof value === "number" ? format(value) : value;
  });
}

function plural(language: string, n: number): string {
  try {
    return new Intl.PluralRules(language).select(n);
  } catch {
    return "other";
  }
}
