import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Of `npm test` in a fork, which takes three to five minutes on two idle cores. */
export const TIME_LIMIT = 20 * 60_000;

/**
 * Runs a command in a fork, as in a terminal.
 *
 * @returns its output if it fails, with the names and reasons of failed tests first
 */
export async function failureOf(folder: string, command: string, ...args: string[]): Promise<string> {
  // Of the tests around it. With a NODE_ENV, Vite would build another site.
  const isOwn = (name: string) => !/^(VITEST.*|TESTS?|NODE_ENV|MODE|DEV|PROD|SSR|BASE_URL)$/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => isOwn(name)));
  try {
    await promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 2 ** 28, timeout: TIME_LIMIT });
    return "";
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number | null; stdout: string; stderr: string };
    const failed = stdout.match(/^FAILED .*(\n {2}.*)*$/gm) ?? [];
    const ended = `${command} ${args.join(" ")}: ${code ?? "no exit within the time limit"}`;
    return [ended, ...failed, stdout, stderr].join("\n");
  }
}
