import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { nodeFlags } from "#scripts/lib/node-flags.mjs";

interface ScriptOptions {
  /** The project's folder, if not this one. */
  folder?: string;
  env?: Record<string, string>;
  /** For stdin; empty by default. */
  input?: string;
  /** Closes stdout after the first chunk, as `head` does. */
  onlyBeginning?: boolean;
}

/** Runs one of package.json's scripts to its end, without a terminal. */
export async function runScript(
  name: string,
  args: string[],
  { folder = root, env, input = "", onlyBeginning = false }: ScriptOptions = {},
) {
  // Playwright sets FORCE_COLOR. Beside a developer's NO_COLOR, Node would warn about that on stderr.
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [...nodeFlags, `scripts/${name}.ts`, ...args], {
    cwd: folder,
    env: { ...inherited, PATH: `${root}/node_modules/.bin${delimiter}${process.env["PATH"]}`, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  if (onlyBeginning) child.stdout.once("data", () => child.stdout.destroy());
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number];
  return { code, out, err };
}
