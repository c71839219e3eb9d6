import { type SpawnOptions, spawn } from "node:child_process";
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
  child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
  const endChild = () => child.kill("SIGTERM");
  process.on("SIGTERM", endChild);
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve(exitCode ?? SIGNALLED));
  });
  process.off("SIGTERM", endChild);
  if (code !== 0 && code !== SIGNALLED) process.stderr.write(`\n${Buffer.concat(output)}`);
  return code;
}

/** Like {@link run}, but ends this process when the command fails. */
export async function mustRun(
  step: string,
  command: string,
  args: string[],
  options: SpawnOptions = {},
): Promise<void> {
  const code = await run(command, args, options);
  if (code === SIGNALLED) process.exit(code);
  if (code !== 0) {
    console.error(`${step} failed; see the messages above.`);
    process.exit(code);
  }
}
