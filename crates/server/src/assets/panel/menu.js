// The menu of every page: groups of links that unfold, those of the store first; one of them is what concerns the user.

import { el, freshId } from "./element.js";
import { STORE_PAGES } from "./store-pages.js";
import { say } from "./words.js";

const isHere = (href) => location.pathname === href.split("?")[0];

function link(href, text) {
  return el("li", {}, el("a", { href, "aria-current": isHere(href) ? "page" : undefined }, text));
}

// What unfolds by a button: one at a time, closed by Escape, by a press elsewhere and when the focus leaves it. It
// listens to the page only while it is unfolded: a list of many leaves nothing behind.
export function unfolding(text, content, className) {
  const id = freshId("menu");
  const button = el("button", { type: "button", "aria-expanded": "false", "aria-controls": id }, text);
  const unfolded = el("div", { id, className: "unfolded", hidden: true }, content);
  const whole = el("div", { className }, button, unfolded);
  const elsewhere = (event) => {
    if (!whole.contains(event.target)) set(false);
  };
  const set = (open) => {
    button.setAttribute("aria-expanded", String(open));
    unfolded.hidden = !open;
    if (open) document.addEventListener("pointerdown", elsewhere);
    else document.removeEventListener("pointerdown", elsewhere);
  };
  button.addEventListener("click", () => set(unfolded.hidden));
  whole.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || unfolded.hidden) return;
    event.stopPropagation();
    set(false);
    button.focus();
  });
  whole.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !whole.contains(event.relatedTarget)) set(false);
  });
  return whole;
}

function group(name, links) {
  const whole = unfolding(say(name), el("ul", {}, links), "unfolding");
  const here = links.map((one) => one.querySelector("[aria-current]")).find(Boolean);
  if (here) {
    whole.classList.add("here");
    whole.querySelector("button").append(el("span", { className: "here-now" }, here.textContent));
  }
  return el("li", {}, whole);
}

function ofStore(id) {
  const groups = [...new Set(STORE_PAGES.map(([name]) => name))];
  return groups.map((name) => {
    const pages = STORE_PAGES.filter(([of]) => of === name);
    return group(
      name,
      pages.map(([, path, key]) => link(`/panel/stores/${id}${path}`, say(key))),
    );
  });
}

function ofAccounts(me) {
  // With `all`, a user of one store gets the list, too.
  const links = [link("/panel?all=1", say("stores"))];
  for (const account of me.accounts) {
    const name = me.accounts.length > 1 ? `${account.name}: ` : "";
    links.push(link(`/panel/accounts/${account.id}/members`, `${name}${say("members")}`));
    if (account.role !== "viewer")
      links.push(link(`/panel/accounts/${account.id}/keys`, `${name}${say("accountKeys")}`));
    if (account.role === "owner")
      links.push(link(`/panel/accounts/${account.id}/audit`, `${name}${say("accountAudit")}`));
  }
  return group("group.account", links);
}

// The menu for a user, with the pages of a store if one is shown.
export function menu(me, store) {
  const groups = [store ? ofStore(store) : null, ofAccounts(me)];
  const id = freshId("groups");
  const button = el(
    "button",
    { className: "menu-button", type: "button", "aria-expanded": "false", "aria-controls": id },
    el("span", { "aria-hidden": "true" }, "☰ "),
    say("menuShort"),
  );
  const whole = el("nav", { className: "menu", "aria-label": say("menu") }, button, el("ul", { id }, groups));
  narrowed(whole, button);
  return whole;
}

// On narrow screens the groups lie behind one button; the group of the page is then unfolded already.
function narrowed(whole, button) {
  const set = (open) => {
    whole.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
    const here = whole.querySelector(".here > button");
    if (open && here?.getAttribute("aria-expanded") === "false") here.click();
  };
  button.addEventListener("click", () => set(!whole.classList.contains("open")));
  whole.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !whole.classList.contains("open")) return;
    set(false);
    button.focus();
  });
  whole.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !whole.contains(event.relatedTarget)) set(false);
  });
  document.addEventListener("pointerdown", (event) => {
    if (!whole.contains(event.target)) set(false);
  });
}
