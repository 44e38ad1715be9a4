// Links to the archives of the shop modules that this server has.

import { get } from "./call.js";
import { el } from "./element.js";
import { say } from "./words.js";

const NAMES = { prestashop: "PrestaShop" };

// Returns the latest release of each platform; none if they cannot be read, because a page is complete without them.
export const moduleReleases = () => get("/module-releases").catch(() => []);

export function moduleDownload({ platform, version, url }) {
  const label = say("moduleDownload", { platform: NAMES[platform] ?? platform, version });
  return el("a", { href: url, download: "" }, label);
}
