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
  const declaration = declared.find((one) => one.code === code);
  const digits = declaration
    ? { minimumFractionDigits: declaration.decimals, maximumFractionDigits: declaration.decimals }
    : {};
  try {
    const parts = formatter(language, { style: "currency", currency: code, ...digits }).formatToParts(value);
    return parts
      .map((part) => (part.type === "currency" && declaration?.symbol ? declaration.symbol : part.value))
      .join("");
  } catch {
    return `${number(value, language)} ${code}`;
  }
}

const kept = new Map<string, Intl.NumberFormat>();

/** Formatters are slow to make and few. */
function formatter(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  let format = kept.get(key);
  if (!format) {
    try {
      format = new Intl.NumberFormat(language, options);
    } catch {
      format = new Intl.NumberFormat("en", options);
    }
    kept.set(key, format);
  }
  return format;
}
