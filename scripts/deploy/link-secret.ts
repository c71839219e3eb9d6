import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { StepError } from "#scripts/lib/step-error.ts";

/** 256 random bits, in characters that need no quoting. */
export function newLinkSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Saves a new secret in deploy.env before its first use: Cloudflare never shows a stored secret, and a rotation needs the
 * old one as LINK_SECRET_PREVIOUS.
 */
export function saveLinkSecret(path: string, secret: string): void {
  write(path, withSecrets(path, { LINK_SECRET: secret }));
}

/**
 * Moves the secret in deploy.env to LINK_SECRET_PREVIOUS and generates a new one.
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
  const secrets = { LINK_SECRET_PREVIOUS: current, LINK_SECRET: newLinkSecret() };
  write(path, withSecrets(path, secrets));
  return secrets;
}

/** The file's text with the given variables, each on its own line if it has one, otherwise at the end. */
function withSecrets(path: string, secrets: Record<string, string>): string {
  const lines = read(path).trimEnd().split("\n");
  for (const [name, value] of Object.entries(secrets)) {
    const index = lines.findIndex((line) => RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line));
    lines.splice(index === -1 ? lines.length : index, 1, `${name}=${value}`);
  }
  return `${lines.join("\n").trimStart()}\n`;
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}
