import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { disposableEmailBlocklist } from "disposable-email-domains-js";
import { root } from "#scripts/lib/commands.ts";

export const DISPOSABLE_LIST = join(root, "public", "disposable-domains.txt");

/** The package's list as `app/server/abuse/disposable-domains.server.ts` reads it: a comment, then a domain a line. */
export function disposableList(): string {
  const { name, version } = createRequire(import.meta.url)("disposable-email-domains-js/package.json");
  const domains = disposableEmailBlocklist().map((domain) => domain.trim().toLowerCase());
  return `# ${name} ${version}, CC0-1.0\n${[...new Set(domains)].toSorted().join("\n")}\n`;
}

// Not when a test imports this file.
if (process.argv[1] === import.meta.filename) writeFileSync(DISPOSABLE_LIST, disposableList());
