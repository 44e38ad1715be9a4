// Adds the texts of the catalogue and of the first steps to those of the panel.

import { enCatalogue } from "./en-catalogue.js";
import { esCatalogue } from "./es-catalogue.js";
import { addTexts } from "./words.js";

addTexts({ en: enCatalogue, es: esCatalogue });

export { ago, number, percent, say, time, zone } from "./words.js";
