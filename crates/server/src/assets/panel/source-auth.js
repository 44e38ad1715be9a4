// The fields of an address from which a catalogue is fetched, with how its server is asked.

import { el } from "./element.js";
import { field, input, select } from "./form.js";
import { say } from "./catalogue-words.js";

// Returns the fields, and what they say.
export function addressFields() {
  const url = input({ type: "url", required: true, autocomplete: "off", maxLength: 2048 });
  const kind = select(
    ["none", "basic", "header"].map((one) => [one, say(`sourceAuth.${one}`)]),
    "none",
  );
  const user = input({ autocomplete: "off" });
  const password = input({ type: "password", autocomplete: "off" });
  const name = input({ autocomplete: "off", placeholder: "X-Api-Key" });
  const value = input({ type: "password", autocomplete: "off" });
  const basic = el(
    "div",
    { className: "columns" },
    field("auth.user", say("sourceUser"), user),
    field("auth.password", say("password"), password),
  );
  const header = el(
    "div",
    { className: "columns" },
    field("auth.name", say("sourceHeader"), name),
    field("auth.value", say("sourceHeaderValue"), value),
  );
  const shown = () => {
    basic.hidden = kind.value !== "basic";
    header.hidden = kind.value !== "header";
  };
  kind.addEventListener("change", shown);
  shown();
  const auth = () => {
    if (kind.value === "basic") return { kind: "basic", user: user.value, password: password.value };
    if (kind.value === "header") return { kind: "header", name: name.value, value: value.value };
    return undefined;
  };
  const fields = [
    field("url", say("sourceUrl"), url, say("sourceUrlHint")),
    el(
      "details",
      {},
      el("summary", {}, say("sourceAuthTitle")),
      field("auth.kind", say("sourceAuthKind"), kind),
      basic,
      header,
    ),
  ];
  return { fields, said: () => ({ url: url.value.trim(), auth: auth() }) };
}
