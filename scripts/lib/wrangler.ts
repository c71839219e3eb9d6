import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { adviceFor } from "#scripts/lib/advice.ts";
import { root } from "#scripts/lib/commands.ts";
import { StepError } from "#scripts/lib/step-error.ts";

interface WranglerCall {
  /** For error messages, followed by "failed". */
  step: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds. */
  timeout?: number;
  /** Gives Wrangler the terminal for its prompts; the call then returns an empty string. */
  onTerminal?: boolean;
  /** The descriptor of an open file, which Wrangler can read as `/dev/fd/3`. */
  file?: number;
}

/** Only for a network that hangs: most commands take a second or two (milliseconds). */
const TIMEOUT = 60_000;

/**
 * Runs a Wrangler command in the project's folder.
 *
 * @returns its stdout
 * @throws {StepError} when it fails or takes too long
 */
export async function wrangler(args: string[], call: WranglerCall): Promise<string> {
  const { step, env, timeout = TIMEOUT, onTerminal = false, file = "ignore" } = call;
  // Not the launcher in node_modules/.bin, which does not forward signals.
  const program = fileURLToPath(import.meta.resolve("wrangler"));
  const preload = import.meta.resolve("#scripts/lib/end-with-parent.mjs");
  const out = onTerminal ? "inherit" : "pipe";
  const child = spawn(process.execPath, ["--no-warnings", "--import", preload, program, ...args], {
    cwd: root,
    stdio: [onTerminal ? "inherit" : "ignore", out, out, file],
    env: { ...process.env, ...env, ...(onTerminal ? {} : { NO_COLOR: "1", FORCE_COLOR: "0" }) },
    timeout,
    killSignal: "SIGKILL",
  });
  const [[code, signal], output, errors] = await Promise.all([
    once(child, "close"),
    child.stdout === null ? "" : text(child.stdout),
    child.stderr === null ? "" : text(child.stderr),
  ]);
  if (signal === "SIGKILL") throw stepFailed(step, `Wrangler did not finish within ${timeout / 1_000} seconds.`);
  if (code !== 0) throw stepFailed(step, cleanUp(errors) || cleanUp(output));
  return output;
}

/** Removes colours, banner and the line about log files. */
function cleanUp(output: string): string {
  const noise = /^\s*$|⛅️ wrangler|^[─-]+\s*$|Logs were written to|Update available/u;
  const lines = stripVTControlCharacters(output).split("\n");
  return lines.flatMap((line) => (noise.test(line) ? [] : line.replace(/^✘ \[ERROR\] /, "").trimEnd())).join("\n");
}

/** @param message of Wrangler or Cloudflare, which also selects the advice */
export function stepFailed(step: string, message: string): StepError {
  const details = message === "" ? "" : `\n\n${message.replace(/^/gm, "  ")}`;
  return new StepError(`${step} failed.${details}`, adviceFor(message));
}
