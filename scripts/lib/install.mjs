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
  if (!existsSync(join(root, "node_modules", ".bin", "node"))) {
    console.error(MISSING_NODE);
    process.exit(1);
  }
  return missing;
}

const MISSING_NODE = `node_modules has no Node. Packages hold it for Linux and macOS, on x64 and arm64; this is ${process.platform} on ${process.arch}.

If npm is set to omit optional packages, install them with: npm ci --include=optional`;

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
