import { spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "#scripts/lib/commands.ts";
import { nodeFlags } from "#scripts/lib/node-flags.mjs";

/** Longer than a build and a start take on a busy machine (milliseconds). */
const TIMEOUT = 150_000;

/** Starts one of package.json's scripts. Callers end it. */
export function startScript(name: string, args: string[], folder = root) {
  // Vitest sets NODE_ENV, which changes what the development server serves.
  // Vite colours its output wherever CI is set, unless NO_COLOR is; beside FORCE_COLOR, Node would warn about that.
  const { NODE_ENV: _, FORCE_COLOR: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [...nodeFlags, `scripts/${name}.ts`, ...args], {
    cwd: folder,
    env: { ...inherited, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const closed = once(child, "close").then(([code]) => code as number);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return closed;
  };
  return {
    pid: child.pid ?? 0,
    output: () => output,
    /** Resolves when the output matches. */
    async printed(pattern: RegExp): Promise<RegExpExecArray> {
      for (const deadline = Date.now() + TIMEOUT; ; ) {
        const match = pattern.exec(output);
        if (match !== null) return match;
        if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${pattern} was not printed:\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    /** Resolves to the exit code. */
    closed,
    /** Sends a signal and waits until the script and its children have ended. */
    end,
  };
}
