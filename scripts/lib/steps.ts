/** Prints a line for a step: its name at once, and at its end its result, or else how long it took. */
export async function printStep(name: string, run: () => Promise<string | null>): Promise<void> {
  const began = performance.now();
  process.stdout.write(`  ${name.padEnd(10)}`);
  const result = await run();
  console.log(result ?? `${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

/**
 * Prints where to find what on a local site.
 *
 * @param signInLink to the owner's pages, or null if the site has none
 */
export function printAddresses(origin: string, signInLink: string | null): void {
  const owner = [
    ["Owner's pages", `${origin}/owner`],
    ["Sign in", `${signInLink}`],
  ];
  const rows = [
    ["Site", origin],
    ...(signInLink === null ? [] : owner),
    ["Email", `${origin}/cdn-cgi/local/explorer/email/sending   (stays on this machine)`],
    ["Stop", "Ctrl+C"],
  ];
  console.log(`\n${rows.map(([name = "", text]) => `  ${name.padEnd(16)}${text}`).join("\n")}\n`);
}
