//! Style sheets by link, awaited so that nothing is shown before it has its style.

const loaded = new WeakMap<Node, Map<string, Promise<void>>>();

/** Loads a sheet into a root; a link in a root that is not connected would never load, so connect first. */
export function style(root: Node, address: string, nonce: string): Promise<void> {
  const own = loaded.get(root) ?? new Map<string, Promise<void>>();
  loaded.set(root, own);
  let sheet = own.get(address);
  if (!sheet) {
    sheet = new Promise((done) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.nonce = nonce;
      link.onload = link.onerror = () => frame().then(done);
      link.href = address;
      root.appendChild(link);
    });
    own.set(address, sheet);
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
export function script(address: string, nonce: string): Promise<void> {
  return new Promise((done) => {
    const element = document.createElement("script");
    element.nonce = nonce;
    element.onload = element.onerror = () => done();
    try {
      element.src = address;
      document.head.append(element);
    } catch {
      // A page that requires trusted types admits an import, which its policy for scripts still checks.
      import(address).then(() => done(), () => done());
    }
  });
}
