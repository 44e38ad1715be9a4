// What the changes of a draft are called.

import { fieldName, recordName } from "../change-values.js";
import { savedOf } from "./saved.js";
import { say } from "./words.js";

export function changeName(one) {
  if (one.kind === "relevance") return fieldName(one.kind, one.path);
  const name = recordName(one.kind, one.record ?? savedOf(one.resource));
  return say(`change.${one.kind}.${one.verb}`, { name });
}
