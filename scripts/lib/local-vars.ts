import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { localSecrets } from "#app/server/config/local-secrets.server.ts";
import { root } from "#scripts/lib/commands.ts";

/**
 * Required variables for a site on a local machine. The addresses lead nowhere: `.example` is reserved (RFC 2606).
 */
export function localVars(port: number, protocol = "http"): Record<string, string> {
  return {
    SITE_URL: `${protocol}://localhost:${port}`,
    CONTACT_EMAIL: "hello@waitlist-site.example",
    CONTROLLER_NAME: "The owner of this site (local)",
    CONTROLLER_ADDRESS: "1 Market Square, Exampleton",
    ...localSecrets,
    // Local emails never leave the machine, so no send limit has to protect the sender's reputation.
    MAIL_PER_HOUR: "100000",
    MAIL_FROM: "pioneers@waitlist-site.example",
  };
}

/** Opens the owner's pages in `npm start` and `npm run dev`. Tests and benchmarks name their own owner, or none. */
export const LOCAL_OWNER = "owner@waitlist-site.example";

/** The variables in .dev.vars, if there are any. Wrangler and the Vite plugin read them themselves. */
export function readDevVars(): Record<string, string> {
  const file = join(root, ".dev.vars");
  return existsSync(file) ? (parseEnv(readFileSync(file, "utf8")) as Record<string, string>) : {};
}
