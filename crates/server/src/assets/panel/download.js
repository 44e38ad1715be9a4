// Files that the browser saves.

import { CallError } from "./call.js";
import { el } from "./element.js";

// Saves a text or a blob under a name.
export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = el("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Saves the response of a call that asks for this media type.
export async function saveCall(path, type, name) {
  const response = await fetch(`/panel/api${path}`, { headers: { Accept: type }, credentials: "same-origin" }).catch(
    () => null,
  );
  if (response === null) throw new CallError(0, {});
  if (!response.ok) throw new CallError(response.status, await response.json().catch(() => ({})));
  save(name, await response.blob(), type);
}

// Returns a cell of a CSV file. Spreadsheets take a text that begins like a formula for one, so it gets a quote before.
function cell(value) {
  const text = String(value ?? "");
  const plain = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const csv = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
