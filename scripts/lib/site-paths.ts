import { pages } from "#app/layout/pages.ts";

/** Every page a visitor can come to, and one that is not there. */
export const paths = [...pages.map(({ path }) => path), "/no-such-page"];

/** Widths at which layouts change, and the narrowest screen of all (CSS pixels). */
export const widths = [320, 360, 768, 992, 1280];

export const schemes = ["light", "dark"] as const;
