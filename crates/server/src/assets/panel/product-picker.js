// A list of products in a form: found by name or code, in an order, each known by its id.

import { post } from "./call.js";
import { combobox } from "./combobox.js";
import { el, fill } from "./element.js";
import { field } from "./form.js";
import { isNamed, learn, productName, remember } from "./product-names.js";
import { say } from "./words.js";

const FOUND = 8;

// Returns products of a store that a text finds, and the one whose id it may be.
async function find(store, lang, text) {
  const { hits } = await post(`/stores/${store}/relevance/test`, { q: text, lang, limit: FOUND });
  remember(hits);
  const options = hits.map((hit) => ({ id: hit.id, text: [hit.name, hit.reference].filter(Boolean).join(" · ") }));
  return hits.some((hit) => hit.id === text) ? options : [...options, { id: text, text: say("byId", { id: text }) }];
}

// A field of products; `ordered` says whether their order means something. `lang` returns the language to find them in.
export function productField(path, label, { store, lang, ids, ordered }) {
  let chosen = [...ids];
  const list = el(ordered ? "ol" : "ul", { className: "products" });
  const act = (key, id, action, disabled = false) =>
    el(
      "button",
      { className: "link", type: "button", "data-act": key, disabled, onclick: action },
      say(key),
      el("span", { className: "unseen" }, ` ${productName(id)}`),
    );
  const draw = (focused) => {
    fill(
      list,
      chosen.map((id, at) =>
        el(
          "li",
          { "data-product": id },
          el(
            "span",
            {},
            productName(id),
            productName(id) === id ? null : el("small", { className: "quiet" }, ` ${id}`),
          ),
          el(
            "span",
            { className: "row" },
            ordered
              ? [
                  act("productFirst", id, () => swap(at, at - 1), at === 0),
                  act("productLater", id, () => swap(at, at + 1), at === chosen.length - 1),
                ]
              : null,
            act("removeProduct", id, () => {
              chosen = chosen.filter((other) => other !== id);
              draw();
              box.focus();
            }),
          ),
        ),
      ),
    );
    if (focused)
      [...list.querySelectorAll(`[data-product="${CSS.escape(focused)}"] button`)]
        .find((one) => !one.disabled)
        ?.focus();
  };
  const swap = (from, to) => {
    [chosen[from], chosen[to]] = [chosen[to], chosen[from]];
    draw(chosen[to]);
  };
  const { box, list: options } = combobox({
    attributes: { maxLength: 500, placeholder: say("productHint") },
    label,
    none: say("noProductFound"),
    find: (text) => find(store, lang(), text),
    name: (one) => one.text,
    take: ({ id }) => {
      if (!chosen.includes(id)) chosen = [...chosen, id];
      draw();
    },
  });
  const whole = field(path, label, box);
  const place = el("div", { className: "picker wide" });
  box.replaceWith(place);
  place.append(box, options);
  whole.append(list);
  draw();
  if (!chosen.every(isNamed)) learn(store, { ids: chosen, lang: lang() }).then(() => draw());
  return whole;
}

// Returns the ids of the products in the field of a form.
export const productsIn = (form, path) =>
  [...form.querySelectorAll(`[data-field="${CSS.escape(path)}"] [data-product]`)].map((one) => one.dataset.product);
