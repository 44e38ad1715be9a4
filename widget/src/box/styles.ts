//! Style sheets by link, awaited so that nothing is shown before it has its style.

import type { Context } from "../context";
import type { Start } from "../contract";

const PATIENCE = 3000;

const loaded = new WeakMap<Node, Map<string, Promise<boolean>>>();

/** Whether a root has the widget's own sheet; the shop's is waited for too, and may be missing. */
export async function styled(root: Node, address: string, { start, config, custom }: Context): Promise<boolean> {
  const sheet = style(root, address, start);
  await Promise.all([custom, config.customCss && style(root, config.customCss.url, start, true)]);
  return sheet;
}

/**
 * Loads a sheet into a root and returns whether it came within three seconds; unless it is asked for once only, the
 * next call asks again for one that failed. A link in a root that is not connected would never load, so connect first.
 */
export function style(root: Node, address: string, start: Start, once = false): Promise<boolean> {
  const sheets = loaded.get(root) ?? new Map<string, Promise<boolean>>();
  loaded.set(root, sheets);
  let sheet = sheets.get(address);
  if (!sheet) {
    sheet = new Promise((done) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.nonce = start.nonce;
      link.onload = () => {
        clearTimeout(late);
        void frame().then(() => done(true));
      };
      const fail = () => {
        link.remove();
        done(false);
      };
      link.onerror = fail;
      let late = 0;
      // It takes its place among the sheets at once.
      root.appendChild(link);
      start.cached(address).then(() => {
        late = window.setTimeout(fail, PATIENCE);
        link.href = address;
      }, fail);
    });
    sheets.set(address, sheet);
    void sheet.then((came) => came || once || sheets.delete(address));
  }
  return sheet;
}

/** The next frame; a page in the background draws none. */
const frame = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => done());
    setTimeout(done, 100);
  });

/** Loads the shop's own script once; it is left out if it fails. */
export async function script(address: string, start: Start): Promise<void> {
  await start.cached(address).catch(() => {});
  return new Promise((done) => {
    const element = document.createElement("script");
    element.nonce = start.nonce;
    element.onload = element.onerror = () => done();
    try {
      element.src = address;
      document.head.append(element);
    } catch {
      // A page that requires trusted types admits an import, which its policy for scripts still checks.
      import(address).then(
        () => done(),
        () => done(),
      );
    }
  });
}
