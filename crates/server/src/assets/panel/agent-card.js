// What is shown once of a new key: its text, and lines ready for clients.

import { el } from "./element.js";
import { copyable, dialog } from "./form.js";
import { say } from "./words.js";

export function showKey({ key, connect }) {
  const lines = connect.lines.map(({ client, text }) => copyable(say("lineFor", { client }), text));
  return dialog(say("keyCreated"), el("p", {}, say("keyOnce")), copyable(say("keyText"), key), lines);
}
