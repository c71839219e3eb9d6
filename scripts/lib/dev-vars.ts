import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { root } from "#scripts/lib/commands.ts";

/**
 * The variables in .dev.vars, which Wrangler and the Vite plugin read themselves.
 *
 * @returns an empty object if there is no such file
 */
export function readDevVars(): Record<string, string> {
  const file = join(root, ".dev.vars");
  return existsSync(file) ? (parseEnv(readFileSync(file, "utf8")) as Record<string, string>) : {};
}
