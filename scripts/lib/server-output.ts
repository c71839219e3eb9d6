import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

/** Lines to print when the server ends by itself. */
const LAST_LINES = 20;

/**
 * Reads the output of `wrangler dev`. Prints errors, or everything if `verbose`.
 *
 * @param options `onReady` is called once, when the server accepts requests
 * @returns a function that returns the last lines that were not printed
 */
export function followOutput(
  server: ChildProcess,
  { verbose, onReady }: { verbose: boolean; onReady: () => void },
): () => string {
  const last: string[] = [];
  let ready = false;
  const read = (line: string) => {
    if (verbose) console.log(line);
    else if (ready && isError(line)) console.log(stripVTControlCharacters(line));
    else last.push(line);
    if (last.length > LAST_LINES) last.shift();
    if (ready || !line.includes("Ready on")) return;
    ready = true;
    onReady();
  };
  for (const stream of [server.stdout, server.stderr]) {
    if (stream) createInterface({ input: stream }).on("line", read);
  }
  return () => last.join("\n");
}

/** An error that the Worker logged or threw. */
function isError(line: string): boolean {
  return /"level":"error"|\[ERROR\]|\[wrangler:error\]/.test(line);
}
