// Values of records by path, such as config.sort.

// Paths below these keys are one level deeper.
const NESTED = ["boosts", "searchSettings", "config"];

// Splits a path into its one or two keys; names of fields contain dots themselves.
function keysOf(path) {
  const [head] = path.split(".");
  return NESTED.includes(head) && path.length > head.length ? [head, path.slice(head.length + 1)] : [path];
}

export function valueAt(record, path) {
  return keysOf(path).reduce((value, key) => value?.[key], record);
}

export function setAt(record, path, value) {
  const [head, key] = keysOf(path);
  if (key === undefined) record[head] = value;
  else record[head] = { ...record[head], [key]: value };
}

// Returns values by path as a write takes them; null unsets. What is typed for a synonym goes with the kind of its
// group, and no alternatives are an empty list.
export function patchOf(values) {
  const patch = {};
  for (const [path, value] of Object.entries(values)) {
    if (path === "alternatives") patch[path] = value ?? [];
    else if (path !== "input" || value !== null) setAt(patch, path, value);
  }
  return patch;
}
