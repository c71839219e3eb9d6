import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { nodeFlags } from "#scripts/lib/node-flags.mjs";

/** Longer than a build and a start take on a busy machine (milliseconds). */
const TIMEOUT = 150_000;

/** Starts one of package.json's scripts. Callers end it. */
export function startScript(name: string, args: string[], folder?: string, env?: Record<string, string>) {
  return startProgram([...nodeFlags, `scripts/${name}.ts`, ...args], folder, env);
}

/** Starts Node with these arguments. Callers end it. */
export function startProgram(args: string[], folder = root, env: Record<string, string> = {}) {
  // Vitest sets NODE_ENV, which changes what the development server serves.
  // Vite colours its output wherever CI is set, unless NO_COLOR is; beside FORCE_COLOR, Node would warn about that.
  const { NODE_ENV: _, FORCE_COLOR: __, ...inherited } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...inherited, PATH: `${root}/node_modules/.bin${delimiter}${process.env["PATH"]}`, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { out: "", err: "", all: "" };
  for (const [name, stream] of [["out", child.stdout] as const, ["err", child.stderr] as const]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      written[name] += chunk;
      written.all += chunk;
    });
  }
  const closed = once(child, "close").then(([code]) => code as number);
  return {
    pid: child.pid ?? 0,
    stdout: child.stdout,
    /** What was written so far. */
    written,
    output: () => written.all,
    /** Resolves when the output matches. */
    async printed(pattern: RegExp): Promise<RegExpExecArray> {
      for (const deadline = Date.now() + TIMEOUT; ; ) {
        const match = pattern.exec(written.all);
        if (match !== null) return match;
        const isOver = child.exitCode !== null || Date.now() > deadline;
        if (isOver) throw new Error(`${pattern} was not printed:\n${written.all}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    /** Resolves to the exit code. */
    closed,
    /** Sends a signal and waits until the script and its children have ended. */
    end(signal: NodeJS.Signals) {
      child.kill(signal);
      return closed;
    },
  };
}
