// The page with the widget in the designer's frame: the widget starts with the configuration that the panel hands over,
// and is opened as its mode is used.
// A page without an origin has neither storage nor addresses of its own, so both are kept in memory.

for (const name of ["localStorage", "sessionStorage"]) {
  const kept = new Map();
  const value = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, String(text)),
    removeItem: (key) => kept.delete(key),
  };
  Object.defineProperty(window, name, { value });
}
history.pushState = () => {};
history.replaceState = () => {};

// What opens in the frame takes no focus that is not there yet: somebody may be typing in the designer.
const takeFocus = HTMLElement.prototype.focus;
HTMLElement.prototype.focus = function (options) {
  if (document.hasFocus()) takeFocus.call(this, options);
};
const { showModal } = HTMLDialogElement.prototype;
HTMLDialogElement.prototype.showModal = function () {
  // A dialog that is inert while it opens gives its focus to nothing.
  const { inert } = this;
  this.inert ||= !document.hasFocus();
  try {
    showModal.call(this);
  } finally {
    this.inert = inert;
  }
};

const tell = (state) => parent.postMessage({ findwellPreview: state }, "*");

let start;
const given = new Promise((resolve) => {
  start = resolve;
});
let mode = "overlay";

// What is saved gives way to what is chosen in the designer.
const load = window.fetch.bind(window);
window.fetch = async (address, request) => {
  const response = await load(address, request);
  if (!response.ok || !(address instanceof Request ? address.url : String(address)).includes("/widget/config"))
    return response;
  const [body, chosen] = await Promise.all([response.json(), given]);
  mode = chosen.features.displayMode;
  // Only a page of results has a place for them.
  if (mode !== "page") document.querySelector("[data-findwell-results]")?.remove();
  return new Response(
    JSON.stringify({
      ...body,
      data: { ...body.data, ...chosen, customCss: body.data.customCss, customJs: body.data.customJs },
    }),
    { status: response.status, headers: response.headers },
  );
};

// Suggestions open as if somebody typed; the focus stays in the designer.
async function type(text) {
  const box = document.querySelector("input[type=search]");
  box.value = text;
  await window.findwell.attach(box);
  box.dispatchEvent(
    text === "" ? new FocusEvent("focusin", { bubbles: true }) : new InputEvent("input", { bubbles: true }),
  );
}

document.addEventListener("findwell:ready", () => tell("ready"));
document.addEventListener("findwell:off", () => tell("off"));
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data?.findwellStart) start(data.findwellStart);
  if (typeof data?.findwellOpen !== "string") return;
  if (mode === "overlay") window.findwell.open(data.findwellOpen);
  else if (mode === "dropdown") type(data.findwellOpen);
});
tell("waiting");
