import { spawnSync } from "node:child_process";

/** Of `npm test` in a fork, which takes three to five minutes on two idle cores. */
export const TIME_LIMIT = 20 * 60_000;

/**
 * Runs a command in a fork, as in a terminal.
 *
 * @returns its output if it fails, with the names and reasons of failed tests first
 */
export function failureOf(folder: string, command: string, ...args: string[]): string {
  // Of the tests around it. With a NODE_ENV, Vite would build another site.
  const isOwn = (name: string) => !/^(VITEST.*|TESTS?|NODE_ENV|MODE|DEV|PROD|SSR|BASE_URL)$/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => isOwn(name)));
  const options = { cwd: folder, env, encoding: "utf8", maxBuffer: 2 ** 28, timeout: TIME_LIMIT } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  if (status === 0) return "";
  const failed = stdout.match(/^FAILED .*(\n {2}.*)*$/gm) ?? [];
  return [`${command} ${args.join(" ")}: ${status ?? "no exit within the time limit"}`, ...failed, stdout, stderr].join(
    "\n",
  );
}
