// Runs scripts/<name>.ts on the Node version that package.json pins, after installing missing or outdated packages.
// Plain JavaScript without dependencies, so that it runs on any Node from version 20.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import "./lib/end-with-parent.mjs";
import { installIfNeeded } from "./lib/install.mjs";

if (process.platform === "win32") {
  console.error("The scripts of this project need Linux or macOS. On Windows, run them in WSL: https://aka.ms/wsl");
  process.exit(1);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name, ...args] = process.argv.slice(2);
const script = join(root, "scripts", `${name}.ts`);
if (name === undefined || !existsSync(script)) {
  console.error(`There is no script named ${name}. package.json lists the scripts.`);
  process.exit(2);
}

const installed = await installIfNeeded(root);

const bin = join(root, "node_modules", ".bin");
const child = spawn(join(bin, "node"), [script, ...args], {
  cwd: root,
  stdio: "inherit",
  env: {
    // Halves the time that Wrangler takes to load.
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
    ...process.env,
    PATH: `${bin}:${process.env["PATH"]}`,
    INSTALLED: installed ? "now" : "before",
  },
});
// Ctrl+C in a terminal reaches the child directly; this process only has to outlive it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
