// Adds the texts of the workbench to those of the panel.

import { addTexts } from "../words.js";
import { en } from "./en.js";
import { es } from "./es.js";

addTexts({ en, es });

export { money, number, say, spoken, time } from "../words.js";
