//! Numbers and prices, written for the page's language.

export interface Currency {
  code: string;
  decimals: number;
  symbol: string;
}

export function number(value: number, language: string): string {
  return formatter(language, { maximumFractionDigits: 2 }).format(value);
}

/** Whole percent, with its sign where the language puts it. */
export const percent = (value: number, language: string): string =>
  formatter(language, { style: "percent" }).format(value / 100);

/** A price with the decimals and the symbol that the shop declares. */
export function money(value: number, code: string | null | undefined, declared: Currency[], language: string): string {
  if (!code) return formatter(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);
  const own = declared.find((one) => one.code === code);
  const digits = own ? { minimumFractionDigits: own.decimals, maximumFractionDigits: own.decimals } : {};
  try {
    const parts = formatter(language, { style: "currency", currency: code, ...digits }).formatToParts(value);
    return parts.map((part) => (part.type === "currency" && own?.symbol ? own.symbol : part.value)).join("");
  } catch {
    return `${number(value, language)} ${code}`;
  }
}

const kept = new Map<string, Intl.NumberFormat>();

/** Formatters are slow to make and few. */
function formatter(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  let known = kept.get(key);
  if (!known) {
    try {
      known = new Intl.NumberFormat(language, options);
    } catch {
      known = new Intl.NumberFormat("en", options);
    }
    kept.set(key, known);
  }
  return known;
}
