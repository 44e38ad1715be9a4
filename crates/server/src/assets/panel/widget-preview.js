// The real widget in a frame of its own, which has no origin: it reads no cookie and reaches no call of the panel.

import { CallError } from "./call.js";
import { el } from "./element.js";
import { say } from "./words.js";

const WIDTHS = [375, 1280];

// Returns the configuration that pages of the shop get in this language.
export async function configOf(key, language) {
  const response = await fetch(`/api/v1/widget/config?lang=${encodeURIComponent(language)}`, {
    headers: { "X-API-Key": key },
    credentials: "omit",
  }).catch(() => null);
  const body = await response?.json().catch(() => ({}));
  if (!response?.ok) throw new CallError(response?.status ?? 0, body ?? {});
  return body.data;
}

// Returns the frame with its buttons; `show` hands it a configuration, `reload` loads it again.
export function preview(key, language, query) {
  const frame = el("iframe", { className: "preview", title: say("widgetPreview"), sandbox: "allow-scripts" });
  // A results page reads its query from its own address.
  const load = () => {
    frame.src = `/panel/preview?${new URLSearchParams({ key, lang: language, ...(query.value === "" ? {} : { q: query.value }) })}`;
  };
  const status = el("p", { className: "quiet", role: "status" }, say("loading"));
  const place = el(
    "div",
    { className: "scroll preview-place", role: "region", tabIndex: 0, "aria-label": say("widgetPreview") },
    frame,
  );
  let latest = null;
  // The frame has no origin that a message could be addressed to; nothing in it is secret.
  const tell = (message) => frame.contentWindow.postMessage(message, "*");
  const SAID = {
    waiting: () => {
      if (latest) tell({ findwellStart: latest });
    },
    ready: () => {
      status.textContent = "";
      tell({ findwellOpen: query.value });
    },
    off: () => {
      status.textContent = say("previewOff");
    },
  };
  window.addEventListener("message", ({ source, data }) => {
    if (source === frame.contentWindow && Object.hasOwn(SAID, data?.findwellPreview)) SAID[data.findwellPreview]();
  });
  const width = (pixels) =>
    el(
      "button",
      {
        className: "button slim",
        type: "button",
        "aria-pressed": String(pixels === WIDTHS[1]),
        onclick: ({ currentTarget }) => {
          frame.width = pixels;
          for (const one of currentTarget.parentElement.children)
            one.setAttribute("aria-pressed", String(one === currentTarget));
        },
      },
      say("pixels", { n: pixels }),
    );
  frame.width = WIDTHS[1];
  query.addEventListener("change", load);
  return {
    element: [
      el("div", { className: "row between" }, el("div", { className: "row" }, WIDTHS.map(width)), status),
      place,
    ],
    // What is drawn keeps its look, so the frame starts anew and gets the configuration before it draws.
    show: (config) => {
      latest = config;
      load();
    },
    reload: load,
  };
}
