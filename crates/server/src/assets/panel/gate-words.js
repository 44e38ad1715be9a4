// Adds the texts of the gate to those of the panel.

import { enGate } from "./en-gate.js";
import { esGate } from "./es-gate.js";
import { addTexts } from "./words.js";

addTexts({ en: enGate, es: esGate });

export { say } from "./words.js";
