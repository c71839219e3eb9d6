import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";

/** The project's root folder. */
export const root = dirname(dirname(import.meta.dirname));

/** The exit code of a command ended by SIGTERM, as shells report it. */
const SIGNALLED = 143;

/**
 * Runs a command to its end. Prints its output if it fails, or as it appears with `stdio: "inherit"`.
 *
 * @returns exit code
 */
export async function run(command: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], ...options });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const endChild = () => child.kill("SIGTERM");
  process.on("SIGTERM", endChild);
  const [code] = (await once(child, "close")) as [number | null];
  process.off("SIGTERM", endChild);
  if (code !== 0 && code !== null && code !== SIGNALLED) process.stderr.write(`\n${Buffer.concat(output)}`);
  return code ?? SIGNALLED;
}

/** Like {@link run}, but ends this process when the command fails. */
export async function mustRun(
  step: string,
  command: string,
  args: string[],
  options: SpawnOptions = {},
): Promise<void> {
  const code = await run(command, args, options);
  if (code === 0) return;
  if (code !== SIGNALLED) console.error(`${step} failed; see the messages above.`);
  process.exit(code);
}
