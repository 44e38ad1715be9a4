// The store of the page with its account and the role of the user in it.

import { CallError, get } from "./call.js";

// Returns id, name, account and role of the store; fails as the server does for one that is not reached.
export async function storeOf(me, id) {
  const found = (await get(`/stores?q=${encodeURIComponent(id)}`)).find((store) => store.id === id);
  if (!found) throw new CallError(404, {});
  const account = me.accounts.find((one) => one.id === found.accountId);
  return { ...found, account, owner: found.role === "owner", editor: found.role !== "viewer" };
}
