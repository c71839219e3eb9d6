import { pages } from "#app/pages.server.ts";

/** Every public page, and last a missing one. */
export const paths = [...pages.map(({ path }) => path), "/no-such-page"];

export const schemes = ["light", "dark"] as const;
