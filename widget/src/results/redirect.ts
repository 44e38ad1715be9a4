//! Whether a response sends the shopper elsewhere.

import type { SearchResponse } from "../contract";
import type { Shared } from "./shared";

/** The address of a response's redirect; none if it has none, or leads to this page. */
export function redirectOf(shared: Shared, { redirect }: SearchResponse): string | undefined {
  const address = shared.safeAddress(redirect?.url);
  if (!address) return undefined;
  const here = new URL(location.href);
  const { pathname, search } = new URL(address);
  const isHere = pathname + search === here.pathname + here.search || sameWithoutState(address, here);
  return isHere ? undefined : address;
}

/** Whether an address is this page but for the widget's own parameters. */
function sameWithoutState(address: string, here: URL): boolean {
  const [one, other] = [new URL(address), new URL(here)];
  for (const url of [one, other])
    for (const key of [...url.searchParams.keys()]) if (key.startsWith("fw_")) url.searchParams.delete(key);
  return one.origin + one.pathname + one.search === other.origin + other.pathname + other.search;
}
