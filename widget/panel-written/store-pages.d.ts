// The pages of a store, which the server writes from its table of pages.

export const STORE_PAGES: [string, string, string][];
