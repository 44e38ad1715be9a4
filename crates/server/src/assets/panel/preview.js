// The page with the widget in the designer's frame: tells the panel when the widget is ready, and opens it when asked.
// A page without an origin has neither storage nor addresses of its own, so both are kept in memory.

for (const name of ["localStorage", "sessionStorage"]) {
  const kept = new Map();
  const value = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, String(text)), removeItem: (key) => kept.delete(key) };
  Object.defineProperty(window, name, { value });
}
history.pushState = () => {};
history.replaceState = () => {};
const tell = (state) => parent.postMessage({ findwellPreview: state }, "*");
document.addEventListener("findwell:ready", () => tell("ready"));
document.addEventListener("findwell:off", () => tell("off"));
addEventListener("message", ({ source, data }) => {
  if (source !== parent || typeof data?.findwell?.open !== "string") return;
  window.findwell?.open(data.findwell.open);
});
