import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";
import { adviceFor } from "#scripts/lib/advice.ts";
import { root } from "#scripts/lib/commands.ts";
import { StepError } from "#scripts/lib/step-error.ts";

interface WranglerCall {
  /** What it is for, to be read before "failed". */
  what: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds after which it counts as failed. */
  limit?: number;
  /** Leaves the terminal to Wrangler, which may have to ask something. Nothing is returned then. */
  onTerminal?: boolean;
}

/** Reading and creating take a second or two; this is for a network that hangs (milliseconds). */
const LIMIT = 60_000;

/** The program itself: behind its launcher in node_modules/.bin, a signal would not reach it. */
const program = createRequire(import.meta.url).resolve("wrangler");

/**
 * Runs a command of Wrangler in the project's folder.
 *
 * @returns what it wrote to stdout
 * @throws {StepError} when it fails or takes too long
 */
export async function wrangler(args: string[], call: WranglerCall): Promise<string> {
  const { what, env, limit = LIMIT, onTerminal = false } = call;
  const child = spawn(process.execPath, ["--no-warnings", program, ...args], {
    cwd: root,
    stdio: onTerminal ? "inherit" : ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env, ...(onTerminal ? {} : { NO_COLOR: "1", FORCE_COLOR: "0" }) },
  });
  let output = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  const end = () => child.kill("SIGKILL");
  process.on("exit", end);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, limit);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  clearTimeout(timer);
  process.off("exit", end);
  if (late) throw failed(what, `Wrangler did not end within ${limit / 1_000} seconds.`);
  if (code !== 0) throw failed(what, readable(errors) || readable(output));
  return output;
}

/** Without colours, banner and the line about log files. */
function readable(text: string): string {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/⛅️ wrangler|^[─-]+$|Logs were written to|Update available/u.test(line))
    .map((line) => line.replace(/^✘ \[ERROR\] /, ""))
    .join("\n");
}

/** A call that failed: what was said about it, and what to do. */
export function failed(what: string, said: string): StepError {
  return new StepError(`${what} failed.${said === "" ? "" : `\n\n${said.replace(/^/gm, "  ")}`}`, adviceFor(said));
}
