//! The list box of suggestions: groups of links, of which one can be active.

import type { Context } from "../context";
import type { ListHit, ProductHit, Suggestions } from "../contract";
import type { ObjectType } from "../service/events";
import { fillLive, live } from "../service/live_prices";
import { el, icon, ICONS, newId, safeAddress } from "../show/element";
import { marks } from "../show/mark";
import { fillPrice, type Priced } from "../show/price";

/** One suggestion. */
export interface Option {
  kind: ObjectType | "recent" | "queries" | "all";
  text: string;
  href?: string;
  id?: string;
  /** Place among its kind, from 1. */
  position?: number;
  hit?: ProductHit | ListHit;
}

/** The list box of one popup; recent searches come first, in rows of one height. */
export class List {
  readonly element = el("div", { role: "listbox", id: newId("list"), class: "fw-list", hidden: true });
  options: { option: Option; node: HTMLElement }[] = [];
  active = -1;
  /** Buttons that remove recent searches: one beside each row, all below them. A list box holds nothing but options. */
  readonly removers = el("div", { class: "fw-removers" });
  private prices: Priced[] = [];

  constructor(
    private context: Context,
    private remove: (text?: string) => void,
    /** Whether the button for all is reached by Tab. */
    private reached = false,
  ) {}

  /** Shows these options, grouped by kind in their order. */
  draw(options: Option[]): void {
    const { say } = this.context;
    this.active = -1;
    this.prices = [];
    this.options = options.map((option) => ({ option, node: this.node(option) }));
    const groups = new Map<string, HTMLElement>();
    const children: Node[] = [];
    for (const { option, node } of this.options) {
      const { kind } = option;
      if (kind === "all") {
        children.push(node);
        continue;
      }
      let group = groups.get(kind);
      if (!group) {
        const label = say(`group.${kind}`);
        const title = el("div", { class: "fw-group-title", "aria-hidden": "true" }, label);
        children.push(
          (group = el("div", { role: "group", "aria-label": label, class: `fw-group fw-group-${kind}` }, title)),
        );
        groups.set(kind, group);
      }
      group.append(node);
    }
    this.element.setAttribute("aria-label", say("box.label"));
    this.element.hidden = !options.length;
    this.element.classList.toggle("fw-two", groups.has("products") && groups.size > 1);
    this.element.replaceChildren(...children);
    this.removers.replaceChildren(...this.removing(options.filter(({ kind }) => kind === "recent")));
    const { prices } = this;
    if (prices.length && live(this.context))
      void fillLive(
        this.context,
        prices.map(({ hit }) => hit.id),
        Promise.resolve(prices),
      );
  }

  /** Makes an option active, or none with -1; its id is returned. */
  activate(at: number): string | undefined {
    this.active = this.options[at] ? at : -1;
    this.options.forEach(({ node }, index) => node.setAttribute("aria-selected", String(index === this.active)));
    const node = this.options[this.active]?.node;
    node?.scrollIntoView({ block: "nearest", inline: "nearest" });
    return node?.id;
  }

  get current(): { option: Option; node: HTMLElement } | undefined {
    return this.options[this.active];
  }

  /** The option that an event happened on. */
  at(event: Event): { option: Option; node: HTMLElement } | undefined {
    const path = event.composedPath();
    return this.options.find(({ node }) => path.includes(node));
  }

  private removing(recent: Option[]): HTMLElement[] {
    const { say } = this.context;
    const buttons = recent.map(({ text }) =>
      el(
        "button",
        {
          type: "button",
          tabindex: -1,
          class: "fw-remover",
          "aria-label": say("recent.remove", { q: text }),
          on: { click: () => this.remove(text) },
        },
        icon(ICONS.cross),
      ),
    );
    if (buttons[0])
      buttons.push(
        el(
          "button",
          {
            type: "button",
            tabindex: this.reached ? 0 : -1,
            class: "fw-clear-recent",
            on: { click: () => this.remove() },
          },
          say("recent.clear"),
        ),
      );
    return buttons;
  }

  private node(option: Option): HTMLElement {
    const attributes = {
      role: "option",
      id: newId("option"),
      tabindex: -1,
      href: option.href,
      "aria-selected": "false",
      class: `fw-option fw-option-${option.kind}`,
    };
    const { hit, kind, text } = option;
    if (kind === "products") return el("a", attributes, ...this.product(hit as ProductHit));
    const name = el("span", { class: "fw-option-text" }, hit ? marks(text, hit.highlight.name) : text);
    const sign = kind === "recent" ? ICONS.clock : kind === "queries" && ICONS.lens;
    return el("a", attributes, sign && icon(sign), name);
  }

  private product(hit: ProductHit): Node[] {
    const { config } = this.context;
    const source = safeAddress(hit.image);
    const picture = el("span", { class: "fw-thumb" });
    if (source) {
      const image = el("img", {
        src: source,
        alt: "",
        width: 48,
        height: 48,
        decoding: "async",
        referrerpolicy: "no-referrer-when-downgrade",
        on: { error: () => image.remove() },
      });
      picture.append(image);
    }
    const brand = config.features.showBrand && hit.manufacturer;
    const waiting = live(this.context);
    const price = el("span", { class: "fw-price-line", "data-waiting": waiting });
    if (!waiting) fillPrice(this.context, price, hit);
    this.prices.push({ hit, price });
    return [
      picture,
      el(
        "span",
        { class: "fw-option-text" },
        el("span", { class: "fw-option-name" }, marks(hit.name, hit.highlight.name)),
        brand && el("span", { class: "fw-brand" }, brand),
      ),
      price,
    ];
  }
}

/** The options of a response, without products where results show them already. */
export function optionsOf(context: Context, response: Suggestions, products: boolean): Option[] {
  const queries = context.config.features.popularQueries ? response.queries : [];
  const found: Option[] = queries
    .slice(0, 6)
    .map((text) => ({ kind: "queries", text, href: context.resultsAddress(text) }));
  const lists: [ObjectType, { hits: (ListHit | ProductHit)[] } | undefined, number][] = [
    ["brands", response.brands, 3],
    ["categories", response.categories, 3],
    ["pages", response.pages, 3],
    ["products", products ? response.products : undefined, 6],
  ];
  for (const [kind, list, most] of lists) {
    const hits = (list?.hits ?? []).slice(0, most);
    hits.forEach((hit, at) =>
      found.push({ kind, text: hit.name, href: safeAddress(hit.url), id: hit.id, position: at + 1, hit }),
    );
  }
  return found;
}

/** Recent searches as options. */
export const recentOptions = (context: Context): Option[] =>
  context.session.recent().map((text) => ({ kind: "recent", text, href: context.resultsAddress(text) }));
