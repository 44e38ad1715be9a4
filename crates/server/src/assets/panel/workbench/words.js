// Adds the texts of the workbench to those of the panel.

import { reasons as panelReasons } from "../es.js";
import { addTexts } from "../words.js";
import { en } from "./en.js";
import { es, reasons } from "./es.js";

addTexts({ en, es });
panelReasons.push(...reasons);

export { number, say, spoken, time } from "../words.js";
