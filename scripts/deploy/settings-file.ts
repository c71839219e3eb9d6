import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";

/**
 * Reads deploy.env, which contains secrets. If other users can read or change the file, makes it private and says so on
 * stderr.
 *
 * @returns its text; empty if there is no file
 */
export function readSettingsFile(path: string): string {
  if (!existsSync(path)) return "";
  if (isOpenToOthers(path)) console.warn(makePrivate(path));
  return readFileSync(path, "utf8");
}

/** @returns what to tell the owner */
function makePrivate(path: string): string {
  const name = basename(path);
  try {
    chmodSync(path, 0o600);
  } catch {
    // The file belongs to another user.
  }
  return isOpenToOthers(path)
    ? `Warning: other users of this machine have access to ${name}, and its permissions cannot be changed. Move it to a disk and an account where they can.`
    : `Other users of this machine had access to ${name}. Now only you have.`;
}

function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0;
}
