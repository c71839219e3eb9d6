import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { root } from "#scripts/lib/commands.ts";

export const DEV_VARS = join(root, ".dev.vars");

/**
 * The variables in .dev.vars, which Wrangler and the Vite plugin read themselves.
 *
 * @returns an empty object if there is no such file
 */
export function readDevVars(): Record<string, string> {
  return existsSync(DEV_VARS) ? (parseEnv(readFileSync(DEV_VARS, "utf8")) as Record<string, string>) : {};
}
