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
 * Runs `npm ci` if node_modules is missing, incomplete or out of date. Ends this process if that fails.
 *
 * @param {string} root the project's folder
 * @returns {Promise<boolean>} whether it ran
 */
export async function installIfNeeded(root) {
  const hidden = join(root, "node_modules", ".package-lock.json");
  const missing = !existsSync(hidden) || !isInstalled(readLock(join(root, "package-lock.json")), readLock(hidden));
  if (missing) {
    const began = performance.now();
    process.stdout.write("  Install   ");
    await runNpmCi(root);
    console.log(`${((performance.now() - began) / 1_000).toFixed(1)} s`);
  }
  if (!existsSync(join(root, "node_modules", "node", "bin", "node"))) {
    console.error(MISSING_NODE);
    process.exit(1);
  }
  return missing;
}

/** The setting keeps the package `node` from fetching its binary. */
const MISSING_NODE = `node_modules has no Node, because npm is set to ignore install scripts (ignore-scripts).

Install it with: npm rebuild node --ignore-scripts=false`;

/** @param {string} path */
function readLock(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** @param {string} root */
async function runNpmCi(root) {
  // Not engine-strict: the tools need a newer Node than this one, but the pinned Node will run them.
  const args = ["ci", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawn("npm", args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  npm.stdout.on("data", (chunk) => (output += chunk));
  npm.stderr.on("data", (chunk) => (output += chunk));
  /** @type {number | null} */
  const code = await new Promise((resolve) => npm.on("close", resolve));
  if (code === 0) return;
  console.error(`failed\n\n${output.trim()}\n\nnpm ci failed; see its messages above.`);
  process.exit(code ?? 1);
}
