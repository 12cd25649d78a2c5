/** Worlds without protections: many refusals in a row are looked at in them, not the blocks that they lead to. */

/** What such a world is made with. */
export const UNPROTECTED = { settings: { protections: "off" } };

/** The same with the further currencies and chains of `currencies: extended` (D02). */
export const EXTENDED = { settings: { ...UNPROTECTED.settings, currencies: "extended" } };
