// Installs the packages of the lock file if they are missing, incomplete or out of date. Plain JavaScript without
// dependencies, for any Node from version 20: afterwards node_modules/.bin has the Node that package.json pins.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

if (process.platform === "win32") {
  exit("The scripts of this project need Linux or macOS. On Windows, run them in WSL: https://aka.ms/wsl");
}
process.stdout.write("  Install   ");
if (isInstalled()) {
  console.log("up to date");
} else {
  const began = performance.now();
  // Not engine-strict: the tools need a newer Node than this one, but the pinned Node will run them.
  const args = ["ci", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stdout, stderr } = spawnSync("npm", args, { encoding: "utf8" });
  if (status !== 0) exit(`failed\n\n${stdout}${stderr}\nnpm ci failed; see its messages above.`);
  console.log(`${((performance.now() - began) / 1_000).toFixed(1)} s`);
}
if (!existsSync("node_modules/.bin/node")) {
  exit(`node_modules has no Node. Packages hold it for Linux and macOS, on x64 and arm64; this is ${process.platform} on ${process.arch}.

If npm is set to omit optional packages, install them with: npm ci --include=optional`);
}

/** Whether node_modules holds what the lock file names, except optional packages, which may be for other platforms. */
function isInstalled() {
  // npm writes this file when an installation completes.
  if (!existsSync("node_modules/.package-lock.json")) return false;
  const { "": _, ...wanted } = readLock("package-lock.json");
  const installed = readLock("node_modules/.package-lock.json");
  const isCurrent = ([path, { version, integrity, optional = false }]) => {
    const found = installed[path];
    return found === undefined ? optional : found.version === version && found.integrity === integrity;
  };
  return Object.entries(wanted).every(isCurrent) && Object.keys(installed).every((path) => path in wanted);
}

function readLock(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}

/** @returns {never} */
function exit(message) {
  console.error(message);
  process.exit(1);
}
