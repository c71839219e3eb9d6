import { site } from "#app/site.ts";

/** Who asks, for other servers: workerd's `fetch` sends no User-Agent, and some servers refuse such requests. */
export const USER_AGENT = `${site.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}/1.0`;
