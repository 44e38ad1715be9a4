// The tables that the server writes from those of the domain.

export const BOOST_MAX: number;
export const BOOST_RECOMMENDED_MAX: number;
export const FIELDS: any[];
export const SETTINGS: any[];
export const SETTING_GROUPS: string[];
