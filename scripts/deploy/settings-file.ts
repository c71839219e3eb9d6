import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { StepError } from "#scripts/lib/step-error.ts";

/** The secrets that the deploy command generates once, if neither deploy.env nor Cloudflare has them. */
export const generatedSecrets = ["LINK_SECRET", "HASH_KEY"];

/**
 * Reads deploy.env, which contains secrets. If other users can read or change the file, makes it private and says so on
 * stderr.
 *
 * @returns its text; empty if there is no file
 */
export function readSettingsFile(path: string): string {
  if (!existsSync(path)) return "";
  const isOpenToOthers = () => (statSync(path).mode & 0o077) !== 0;
  if (isOpenToOthers()) {
    try {
      chmodSync(path, 0o600);
    } catch {
      // The file belongs to another user.
    }
    console.warn(
      isOpenToOthers()
        ? "Warning: other users of this machine have access to deploy.env, and its permissions cannot be changed. Move it to a disk and an account where they can."
        : "Other users of this machine had access to deploy.env. Now only you have.",
    );
  }
  return readFileSync(path, "utf8");
}

/** 256 random bits, in characters that need no quoting. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Saves new secrets in deploy.env before their first use: Cloudflare never shows a stored secret. A rotation needs the old
 * LINK_SECRET, and without HASH_KEY no database backup is of use.
 *
 * @param path null where files are not kept
 * @returns the secrets
 * @throws {StepError} when the file cannot hold them
 */
export function saveSecrets(path: string | null, secrets: Record<string, string>): Record<string, string> {
  if (path === null) return secrets;
  let text = readSettingsFile(path);
  for (const [name, value] of Object.entries(secrets)) {
    // All lines of that name, since the last one counts; a quoted value can have several.
    const lines = RegExp(`^[ \\t]*(export\\s+)?${name}[ \\t]*=[ \\t]*("[^"]*"|'[^']*'|\`[^\`]*\`)?.*$`, "gm");
    const entry = `${name}=${quoted(value)}`;
    const replaced = text.replace(lines, () => entry);
    text = replaced.includes(entry) ? replaced : `${text.trimEnd()}\n${entry}\n`;
  }
  const read = parseEnv(text);
  const wrong = Object.keys(secrets).filter((name) => read[name] !== secrets[name]);
  if (wrong.length > 0) {
    throw new StepError(
      `${wrong.join(" and ")} cannot be written to deploy.env so that it is read again as it is.`,
      "Look for quotation marks that are never closed. Nothing was changed.",
    );
  }
  writeFileSync(path, text.trimStart(), { mode: 0o600 });
  return secrets;
}

/** The value in the quotation marks that it needs, if any. */
function quoted(value: string): string {
  const entries = ["", "'", '"', "`"].map((mark) => mark + value + mark);
  return entries.find((entry) => parseEnv(`NAME=${entry}\nNEXT=1`)["NAME"] === value) ?? value;
}

/**
 * Replaces LINK_SECRET, and LINK_SECRET_PREVIOUS by the former one, so that links already sent keep working. If that has
 * leaked, both become the new one: an upload cannot remove a stored secret. HASH_KEY is never replaced.
 *
 * @param path null where files are not kept
 * @returns both, by name
 * @throws {StepError} when there is no former one, or the environment has one, which the next deployment would bring back
 */
export function replaceLinkSecret(path: string | null, environment: NodeJS.ProcessEnv, hasLeaked: boolean) {
  const secret = newSecret();
  const former = hasLeaked ? secret : parseEnv(readSettingsFile(path ?? ""))["LINK_SECRET"];
  if (!former) {
    throw new StepError(
      "deploy.env contains no LINK_SECRET to rotate.",
      "Cloudflare never shows a stored secret, so links already sent would stop working. Nothing was changed.",
    );
  }
  const secrets = { LINK_SECRET_PREVIOUS: former, LINK_SECRET: secret };
  const set = Object.keys(secrets).filter((name) => environment[name]);
  if (set.length === 0) return saveSecrets(path, secrets);
  throw new StepError(
    `${set.join(" and ")} cannot be replaced, because the environment sets a value.`,
    "Remove it from the environment or the build's variables, and run the command again. Nothing was changed.",
  );
}
