// Adds the texts of the settings, and of the configuration as one file, to those of the panel.

import { enConfiguration } from "./en-configuration.js";
import { esConfiguration } from "./es-configuration.js";
import { addTexts } from "./words.js";

addTexts({ en: enConfiguration, es: esConfiguration });

export { say } from "./words.js";
