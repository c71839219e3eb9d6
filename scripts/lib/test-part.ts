/** `npm test` runs the quick part, `npm run test:slow` the slow one, `npm run test:nightly` the one that is left. */
export type TestPart = "quick" | "slow" | "nightly";

/** The part that this run is limited to, by the environment variable `TESTS`; null runs every test. */
export function testPart(): TestPart | null {
  const part = process.env["TESTS"];
  if (part === undefined || part === "quick" || part === "slow" || part === "nightly") return part ?? null;
  throw new Error(`TESTS is ${part}; it must be quick, slow or nightly.`);
}
