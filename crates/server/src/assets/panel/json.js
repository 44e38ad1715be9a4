// Values that people edit as JSON.

// Returns the value of a text. One that is no JSON goes as it is, so that the service says what is wrong with it.
export function jsonValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
