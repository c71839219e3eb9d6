import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { StepError } from "#scripts/lib/step-error.ts";

/** The secrets that the deploy command generates once, if neither deploy.env nor Cloudflare has them. */
export const generatedSecrets = ["LINK_SECRET", "HASH_KEY"] as const;

/** Whether files written now are kept: a build service (CI) deletes its disk. */
export const keepsFiles = !process.env["CI"];

/** 256 random bits, in characters that need no quoting. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Saves new secrets in deploy.env before their first use: Cloudflare never shows a stored secret. A rotation needs the old
 * LINK_SECRET, and without HASH_KEY no database backup is of use.
 */
export function saveSecrets(path: string, secrets: Record<string, string>): void {
  let text = read(path);
  for (const [name, value] of Object.entries(secrets)) {
    const line = RegExp(`^[ \\t]*(export\\s+)?${name}[ \\t]*=.*$`, "m");
    const entry = `${name}=${value}`;
    text = line.test(text) ? text.replace(line, () => entry) : `${text.trimEnd()}\n${entry}\n`;
  }
  writeFileSync(path, text.trimStart(), { mode: 0o600 });
  chmodSync(path, 0o600);
}

/**
 * Moves the secret in deploy.env to LINK_SECRET_PREVIOUS and generates a new one. HASH_KEY is never rotated.
 *
 * @returns both, by name
 * @throws {StepError} when the file has no LINK_SECRET
 */
export function rotateLinkSecret(path: string): Record<string, string> {
  const current = parseEnv(read(path))["LINK_SECRET"];
  if (!current) {
    throw new StepError(
      "deploy.env contains no LINK_SECRET to rotate.",
      "Cloudflare never shows a stored secret, so links already sent would stop working. Nothing was changed.",
    );
  }
  const secrets = { LINK_SECRET_PREVIOUS: current, LINK_SECRET: newSecret() };
  saveSecrets(path, secrets);
  return secrets;
}

/**
 * Generates a LINK_SECRET in place of one that leaked, and stores it as LINK_SECRET_PREVIOUS too: an upload cannot remove
 * a stored secret, so the leaked one has to be overwritten. HASH_KEY stays.
 *
 * @param path of deploy.env; null where files are not kept
 * @returns both, by name
 * @throws {StepError} when the environment has one, which the next deployment would bring back
 */
export function revokeLinkSecret(path: string | null, environment: NodeJS.ProcessEnv): Record<string, string> {
  const set = ["LINK_SECRET", "LINK_SECRET_PREVIOUS"].filter((name) => environment[name]);
  if (set.length > 0) {
    throw new StepError(
      `${set.join(" and ")} cannot be revoked, because the environment sets a value.`,
      "Remove it from the environment or the build's variables, and run the command again. Nothing was changed.",
    );
  }
  const secret = newSecret();
  const secrets = { LINK_SECRET: secret, LINK_SECRET_PREVIOUS: secret };
  if (path !== null) saveSecrets(path, secrets);
  return secrets;
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
