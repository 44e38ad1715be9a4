// Add products from a file: drop or choose it, or give its address, see what it is and correct that, import it, see what became of it.

import { get, post } from "./call.js";
import { el, fill, freshId } from "./element.js";
import { button, form, messageOf } from "./form.js";
import { report } from "./frame.js";
import { furtherFields, mappingTable } from "./import-mapping.js";
import { firstQuery, rejectedRows, resultView } from "./import-result.js";
import { about, errorOf, problems, sizeOf } from "./import-words.js";
import { addressFields } from "./source-auth.js";
import { upload } from "./upload.js";
import { money } from "./words.js";
import { number, say } from "./catalogue-words.js";

const LOOK_MS = 500;
const BUSY = ["receiving", "reading", "running"];
const OPEN = [...BUSY, "ready"];

// A bar with what is done, which screen readers hear of at its beginning only.
function bar(text, value, max) {
  const id = freshId("bar");
  return el(
    "div",
    { className: "stack" },
    el("p", { id, role: "status" }, text),
    el("progress", { "aria-labelledby": id, ...(max ? { max, value: Math.min(value, max) } : {}) }),
  );
}

// A product as shoppers may see it. Cells are shown as text.
function productCard(product) {
  const address = /^https:/.test(product.image ?? "") ? product.image : null;
  const image = address
    ? el("img", { src: address, alt: "", loading: "lazy", decoding: "async", onerror: () => image.remove() })
    : null;
  return el(
    "li",
    { className: "product" },
    el("span", { className: "picture" }, image),
    el("strong", {}, product.name ?? "–"),
    el("span", {}, money(product.priceInclTax, product.currency)),
    el("span", { className: "quiet" }, product.manufacturer ?? ""),
  );
}

const cards = (products) =>
  el(
    "div",
    { className: "stack" },
    el("h3", {}, say("firstProducts")),
    el("ul", { className: "first-products plain" }, products.map(productCard)),
  );

// Returns the card. `changed` hears when the catalogue or the list of imports may have changed.
export function importPanel(store, detail, imports, changed) {
  const base = `/stores/${store.id}/imports`;
  const place = el("div", { className: "stack" });
  const element = el("section", { className: "card", id: "add" }, el("h2", {}, say("addProducts")), place);
  let choices = { mapping: {}, language: store.languages[0], complete: false };
  let query = "";
  let shown = 0;
  let corrected = null;
  // The address that was given last, with its secret.
  let address = null;

  const failed = (error) => report(messageOf(error), true);
  const body = () => ({ type: "products", language: choices.language, mapping: choices.mapping });

  const cancelButton = (one) =>
    button(
      say("cancel"),
      async () => {
        await post(`${base}/${one.id}/cancel`);
        report(say("importCancelled"));
        choose();
        await changed();
      },
      report,
    );

  // Begins with a file.
  function choose() {
    shown += 1;
    choices = { mapping: {}, language: store.languages[0], complete: false };
    const id = freshId("file");
    const file = el("input", { type: "file", id, onchange: () => file.files[0] && send(file.files[0]) });
    const zone = el(
      "div",
      { className: "drop" },
      el("label", { for: id }, say("dropFile")),
      file,
      el("p", { className: "hint" }, say("dropHint")),
    );
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      const dropped = event.dataTransfer?.files[0];
      if (dropped) send(dropped);
    });
    fill(place, zone, store.owner ? byAddress() : null);
  }

  // Begins with an address, which the server fetches.
  function byAddress() {
    const { fields, said } = addressFields();
    const send = async () => {
      shown += 1;
      address = said();
      const one = await post(base, address);
      follow(one.id).catch(failed);
    };
    return el(
      "div",
      { className: "by-address" },
      el("h3", {}, say("byAddress")),
      form({ fields, button: say("fetchAddress"), send }),
    );
  }

  // Offers to fetch the address from now on.
  function keepUp(one) {
    if (!one.url || !store.owner) return null;
    const keep = async (control) => {
      const { mapping, language, type, url, complete } = one;
      const auth = address?.url === url ? address.auth : undefined;
      await post(`/stores/${store.id}/sources`, {
        url,
        type,
        language,
        mapping,
        auth,
        mode: complete ? "complete" : "add",
      });
      report(say("sourceCreated"));
      await changed();
      control.remove();
      document.getElementById("sources")?.scrollIntoView({ block: "start" });
    };
    return el(
      "div",
      { className: "stack" },
      el("p", { className: "quiet" }, say(one.complete ? "keepUpComplete" : "keepUpAdd")),
      el("div", { className: "row" }, button(say("keepUp"), keep, report)),
    );
  }

  // Sends a file, and shows how far it is.
  async function send(file) {
    shown += 1;
    const progress = el("progress", {
      max: Math.max(1, file.size),
      value: 0,
      "aria-label": say("sendingFile", { name: file.name }),
    });
    const { sent, stop } = upload(store.id, file, (loaded) => {
      progress.value = loaded;
    });
    fill(
      place,
      el("p", { role: "status" }, say("sendingFile", { name: file.name }), " ", sizeOf(file.size)),
      progress,
      el(
        "div",
        { className: "row" },
        el("button", { className: "button", type: "button", onclick: stop }, say("cancel")),
      ),
    );
    try {
      await follow((await sent).id);
    } catch (error) {
      if (error.code !== "aborted") failed(error);
      choose();
    }
  }

  // Shows an import until it needs somebody or is over.
  async function follow(id) {
    shown += 1;
    const turn = shown;
    for (;;) {
      const one = await get(`${base}/${id}`);
      if (turn !== shown) return;
      draw(one);
      if (!BUSY.includes(one.state)) {
        if (one.state !== "ready") await changed();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      if (turn !== shown) return;
    }
  }

  const VIEWS = {
    receiving: working,
    reading: working,
    running: working,
    ready,
    failed: broken,
    done: ended,
    held: ended,
    cancelled: (one) => [el("p", {}, say("importWasCancelled", { name: one.name })), otherFile()],
  };

  function draw(one) {
    fill(place, VIEWS[one.state](one));
    if (corrected === null || one.state === "reading") return;
    // The control that was used is another one now.
    place.querySelector(`select[data-column="${CSS.escape(corrected)}"]`)?.focus();
    corrected = null;
  }

  const otherFile = () =>
    el(
      "div",
      { className: "row" },
      el("button", { className: "button", type: "button", onclick: choose }, say("otherFile")),
    );

  function working(one) {
    const { phase, rows = 0, documents = 0, documentsTotal } = one.progress ?? { phase: "reading" };
    const text =
      phase === "storing"
        ? say("storingProducts", { n: documentsTotal ?? 0, done: number(documents) })
        : say(one.state === "receiving" ? "receivingFile" : "readingFile", { name: one.name, rows: number(rows) });
    const arrived = one.state === "receiving" && one.progress?.bytes > 0 ? sizeOf(one.progress.bytes) : null;
    return [
      bar(text, documents, phase === "storing" ? documentsTotal : null),
      arrived ? el("p", { className: "quiet" }, arrived) : null,
      el("div", { className: "row" }, cancelButton(one)),
    ];
  }

  // Takes over what was chosen before, as after the page was loaded again.
  function adopt(one) {
    choices = { mapping: structuredClone(one.mapping ?? {}), language: one.language, complete: choices.complete };
  }

  async function readAgain(one) {
    await post(`${base}/${one.id}/preview`, body());
    await follow(one.id);
  }

  function map(one) {
    const { result } = one;
    const remap = (column, target) => {
      const columns = { ...choices.mapping.columns };
      if (target) columns[column] = target;
      else delete columns[column];
      choices.mapping = { ...choices.mapping, columns };
      corrected = column;
      readAgain(one).catch(failed);
    };
    const further = (change) => {
      const { language, ...mapping } = change;
      if (language) choices.language = language;
      choices.mapping = Object.fromEntries(
        Object.entries({ ...choices.mapping, ...mapping }).filter(([, value]) => value !== ""),
      );
      readAgain(one).catch(failed);
    };
    const needed = result.missingFields.length > 0 || result.extraColumns.length > 0 || one.state === "failed";
    return el(
      "details",
      { open: needed },
      el("summary", {}, say("columns")),
      el("p", { className: "quiet" }, say("columnsAbout")),
      mappingTable(result, choices.mapping, remap),
      furtherFields(store, detail, choices, further),
    );
  }

  // Stores the file as it was chosen, and follows that.
  const started = async (one, complete) => {
    await post(`${base}/${one.id}/start`, { ...body(), complete });
    await follow(one.id);
  };

  function ready(one) {
    adopt(one);
    const { result } = one;
    query = firstQuery(result);
    const complete = el("input", {
      type: "checkbox",
      checked: choices.complete,
      onchange: () => {
        choices.complete = complete.checked;
      },
    });
    const start = button(
      say("importProducts", { n: result.documents }),
      () => started(one, choices.complete),
      report,
      "button strong",
    );
    start.disabled = result.documents === 0;
    return [
      el("p", { role: "status" }, el("strong", {}, one.name), " ", about(result.file, result)),
      result.preview?.length > 0 ? cards(result.preview) : null,
      problems(result),
      rejectedRows(result, one.name),
      el("label", { className: "check" }, complete, say("removeOthers")),
      el("div", { className: "row" }, start, cancelButton(one)),
      map(one),
    ];
  }

  function broken(one) {
    adopt(one);
    const columns = one.result?.columns ?? [];
    return [
      el("p", { className: "wrong", role: "alert" }, say("importFailed", { name: one.name }), " ", errorOf(one.error)),
      // A file that had not arrived whole is gone.
      one.error.code === "interrupted" && one.bytes > 0
        ? el(
            "div",
            { className: "row" },
            button(say("startAgain"), () => started(one, one.complete), report, "button strong"),
          )
        : null,
      otherFile(),
      columns.length > 0 ? map(one) : null,
    ];
  }

  function ended(one) {
    return [resultView(store, one, query || firstQuery(one.result), choose), keepUp(one)];
  }

  const open = imports.find((one) => OPEN.includes(one.state));
  if (open) follow(open.id).catch(failed);
  else choose();
  return {
    element,
    show: async (id) => {
      await follow(id);
      element.scrollIntoView({ block: "start" });
    },
  };
}
