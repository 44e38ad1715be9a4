// Adds the texts of the widget, which only some pages need.

import { enWidget } from "./en-widget.js";
import { esWidget } from "./es-widget.js";
import { addTexts } from "./words.js";

addTexts({ en: enWidget, es: esWidget });
