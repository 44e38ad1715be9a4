//! Sort order, layout and the filters' place: beside the results, or in a drawer where there is no room.

import type { SearchState } from "../contract";
import type { Shared } from "./shared";
import type { SheetEntry } from "./sheet_entry";

/** The row above the results, and the filters' side. */
export class Toolbar {
  readonly element: HTMLElement;
  readonly side: HTMLElement;
  private drawer: HTMLDialogElement;
  private drawerPlace: HTMLElement;
  private open: HTMLButtonElement;
  private show: HTMLButtonElement;
  private heading: HTMLElement;
  private sort: HTMLElement;
  private layout: HTMLElement;

  constructor(
    private shared: Shared,
    private facets: HTMLElement,
    private choose: (sort: string) => void,
    private entry: SheetEntry,
  ) {
    const { el, icon, ICONS, newId, context } = shared;
    const { say } = context;
    const id = newId("filters");
    this.heading = el("h2", { class: "fw-side-title" }, say("filters.title"));
    this.side = el(
      "aside",
      { class: "fw-side", "aria-label": say("filters.title"), hidden: true },
      this.heading,
      facets,
    );
    this.open = el(
      "button",
      {
        type: "button",
        class: "fw-button fw-open-filters",
        hidden: true,
        "aria-haspopup": "dialog",
        on: { click: () => this.openDrawer() },
      },
      icon(ICONS.filter),
      el("span"),
    );
    this.show = el("button", {
      type: "button",
      class: "fw-button fw-primary",
      on: { click: () => this.drawer.close() },
    });
    this.drawerPlace = el("div", { class: "fw-drawer-place" });
    const cross = el(
      "button",
      {
        type: "button",
        class: "fw-icon-button",
        "aria-label": say("box.close"),
        on: { click: () => this.drawer.close() },
      },
      icon(ICONS.cross),
    );
    this.drawer = el(
      "dialog",
      { class: "fw-drawer", "aria-labelledby": id, on: { close: () => this.closed() } },
      el("div", { class: "fw-drawer-head" }, el("h2", { id }, say("filters.title")), cross),
      this.drawerPlace,
      el("div", { class: "fw-drawer-foot" }, this.show),
    );
    this.drawer.addEventListener("click", (event) => event.target === this.drawer && this.drawer.close());
    this.sort = el("span", { class: "fw-sort" });
    this.layout = el("span", { class: "fw-layouts", role: "group" });
    this.element = el("div", { class: "fw-toolbar" }, this.open, this.layout, this.sort, this.drawer);
    // Once there is room for the filters beside the results, their drawer is in the way.
    new ResizeObserver(([entry]) => {
      if (entry?.contentRect.width && this.drawer.open) this.drawer.close();
    }).observe(this.side);
  }

  /** Shows the controls for what is asked; `total` is undefined without results. */
  draw(state: SearchState, total: number | undefined, noFilters: boolean, count: number): void {
    const { say } = this.shared.context;
    this.side.hidden = this.open.hidden = noFilters;
    const open = say("filters.open");
    // A label that is isolated holds the count, too: outside, it would stand at the end of the page's direction.
    this.open.lastElementChild!.textContent = count ? open.replace(/\u2069?$/, (end) => ` (${count})${end}`) : open;
    this.show.textContent = say("filters.show", { n: total ?? 0 });
    this.drawSorts(state, !!total);
    this.drawLayouts(!!total);
  }

  close(): void {
    if (this.drawer.open) this.drawer.close();
  }

  private openDrawer(): void {
    this.drawerPlace.append(this.facets);
    this.drawer.showModal();
    this.entry.opened();
  }

  private closed(): void {
    this.side.append(this.facets);
    this.entry.closed();
  }

  private drawSorts({ sort }: SearchState, found: boolean): void {
    const { el, context } = this.shared;
    const { sorts } = context.config;
    this.sort.hidden = sorts.length < 2 || !found;
    if (this.sort.hidden) return;
    const current = this.sort.querySelector("select");
    const option = (name: string) => el("option", { value: name }, context.say(`sort.${name}`) || name);
    // An address or the first search can have an order that is no choice.
    if (current && ![...current.options].some(({ value }) => value === sort)) current.prepend(option(sort));
    if (current) {
      // Setting it makes the browser lay the page out at once.
      if (current.value !== sort) current.value = sort;
      return;
    }
    const names = sorts.includes(sort) ? sorts : [sort, ...sorts];
    const select = el(
      "select",
      { class: "fw-select", on: { change: () => this.choose(select.value) } },
      names.map(option),
    );
    select.value = sort;
    this.sort.append(el("label", {}, el("span", {}, context.say("sort.label")), select));
  }

  private drawLayouts(found: boolean): void {
    const { el, context } = this.shared;
    this.layout.hidden = !context.config.features.layoutSwitch || !found;
    if (this.layout.hidden || this.layout.childElementCount) return;
    const buttons = (["grid", "list"] as const).map((name) => {
      const pressed = context.config.layout === name;
      const button = el(
        "button",
        {
          type: "button",
          class: "fw-button",
          "aria-pressed": String(pressed),
          on: {
            click: () => {
              context.config.layout = name;
              this.element.closest<HTMLElement>("[data-layout]")!.dataset["layout"] = name;
              buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
            },
          },
        },
        context.say(`layout.${name}`),
      );
      return button;
    });
    this.layout.append(...buttons);
  }
}
