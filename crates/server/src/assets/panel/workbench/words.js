// Adds the texts of the workbench to those of the panel.

import { reasons as known } from "../es.js";
import { addTexts } from "../words.js";
import { en } from "./en.js";
import { es, reasons } from "./es.js";

addTexts({ en, es });
known.push(...reasons);

export { number, say, spoken, time } from "../words.js";
