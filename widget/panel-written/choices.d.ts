// What forms offer, which the server writes from the tables of the domain.

export const ALTERNATIVES: string[];
export const DISPLAY_MODES: string[];
export const FILTER_FIELDS: string[];
export const FILTER_TYPES: string[];
export const MATCHES: string[];
export const OPTION_SORTS: string[];
export const SCOPES: string[];
export const SORTS: string[];
export const SWITCHES: string[];
export const SYNONYM_TYPES: string[];
