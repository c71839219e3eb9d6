import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { StepError } from "#scripts/lib/step-error.ts";

/** 256 bits, in characters that need no quotes. */
export function newLinkSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Writes a new secret into deploy.env before anything uses it: Cloudflare shows it to nobody again, and without it the
 * next one could not take its place as LINK_SECRET_PREVIOUS.
 */
export function keepLinkSecret(path: string, secret: string): void {
  write(path, withSecrets(path, { LINK_SECRET: secret }));
}

/**
 * Makes the secret in deploy.env the previous one, and a new one the current.
 *
 * @returns both, by name
 * @throws {StepError} when the file has no LINK_SECRET
 */
export function rotateLinkSecret(path: string): Record<string, string> {
  const current = parseEnv(read(path))["LINK_SECRET"];
  if (!current) {
    throw new StepError(
      "There is no LINK_SECRET in deploy.env that could become the previous one.",
      "Cloudflare shows a secret to nobody, so links already sent could not be verified any more. Nothing was changed.",
    );
  }
  const secrets = { LINK_SECRET_PREVIOUS: current, LINK_SECRET: newLinkSecret() };
  write(path, withSecrets(path, secrets));
  return secrets;
}

/** The file's text with some variables set at its end, and nowhere else. */
function withSecrets(path: string, secrets: Record<string, string>): string {
  const isReplaced = (line: string) =>
    Object.keys(secrets).some((name) => RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line));
  const others = read(path)
    .split("\n")
    .filter((line) => !isReplaced(line));
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}`);
  return `${[...others.join("\n").trimEnd().split("\n"), ...lines].join("\n").trimStart()}\n`;
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}
