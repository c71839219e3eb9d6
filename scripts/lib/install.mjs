import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether node_modules matches the lock file.
 *
 * npm writes node_modules/.package-lock.json when an installation completes. Optional packages for other platforms are
 * missing from it.
 *
 * @param {Lock} wanted package-lock.json
 * @param {Lock} installed node_modules/.package-lock.json
 * @typedef {{ packages: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} Lock
 */
export function isInstalled(wanted, installed) {
  const differs = Object.entries(wanted.packages).some(([path, entry]) => {
    if (path === "") return false;
    const found = installed.packages[path];
    if (found === undefined) return entry.optional !== true;
    return found.version !== entry.version || found.integrity !== entry.integrity;
  });
  return !differs && Object.keys(installed.packages).every((path) => path in wanted.packages);
}

/**
 * Runs `npm ci` if node_modules is missing, incomplete or out of date.
 *
 * @param {string} root the project's folder
 */
export async function installIfNeeded(root) {
  const hidden = join(root, "node_modules", ".package-lock.json");
  const node = join(root, "node_modules", "node", "bin", "node");
  const complete = existsSync(hidden) && existsSync(node);
  if (complete && isInstalled(readLock(join(root, "package-lock.json")), readLock(hidden))) return;
  console.log("Installing dependencies...");
  const code = await runNpmCi(root);
  if (code !== 0) {
    console.error("npm ci failed; see its messages above.");
    process.exit(code);
  }
}

/** @param {string} path */
function readLock(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * @param {string} root
 * @returns {Promise<number>} exit code
 */
function runNpmCi(root) {
  // Not engine-strict: the tools need a newer Node than this one, but the pinned Node will run them.
  const args = ["ci", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];
  return new Promise((resolve) => {
    spawn("npm", args, { cwd: root, stdio: "inherit" }).on("exit", (code) => resolve(code ?? 1));
  });
}
