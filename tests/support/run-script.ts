import { startScript } from "#tests/support/running-script.ts";

interface ScriptOptions {
  /** The project's folder, if not this one. */
  folder?: string;
  env?: Record<string, string>;
  /** Closes stdout after the first chunk, as `head` does. */
  onlyBeginning?: boolean;
}

/** Runs one of package.json's scripts to its end, without a terminal. */
export async function runScript(name: string, args: string[], options: ScriptOptions = {}) {
  const { stdout, closed, written } = startScript(name, args, options.folder, options.env);
  if (options.onlyBeginning) stdout.once("data", () => stdout.destroy());
  return { code: await closed, out: written.out, err: written.err };
}
