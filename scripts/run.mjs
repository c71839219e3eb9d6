// Runs a script of this folder, after installing the packages, in the Node that they include. `--help` answers without
// them: help/ holds what the scripts themselves print. Plain JavaScript for any Node from version 20.
import "./lib/end-with-parent.mjs";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { nodeFlags } from "./lib/node-flags.mjs";

const [script, ...args] = process.argv.slice(2);
if (args.includes("--help")) {
  process.stdout.write(readFileSync(new URL(`help/${script}.txt`, import.meta.url), "utf8"));
} else {
  await import("./install.mjs");
  // Ctrl+C in a terminal reaches the script directly.
  process.on("SIGINT", () => {});
  const program = [...nodeFlags, `scripts/${script}.ts`, ...args];
  const child = spawn("node_modules/.bin/node", program, { stdio: "inherit" });
  child.on("exit", (code) => process.exit(code ?? 1));
}
