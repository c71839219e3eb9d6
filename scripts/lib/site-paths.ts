import { pages } from "#app/layout/pages.ts";

/** Every public page, and last a missing one. */
export const paths = [...pages.map(({ path }) => path), "/no-such-page"];

/** The narrowest supported screen, and widths around the layout's breakpoints (CSS pixels). */
export const widths = [320, 360, 768, 992, 1280];

export const schemes = ["light", "dark"] as const;
