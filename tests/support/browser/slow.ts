/** Details of a test that only `npm run test:slow` runs. */
export const slow = { tag: "@slow" };

/** Details of a test that only `npm run test:nightly` runs: of time limits, or long. */
export const nightly = { tag: "@nightly" };

/** Leaves all cases of a loop to `npm run test:slow`, except those that `npm test` should run. */
export function slowUnless(inQuickTests: boolean): { tag?: string } {
  return inQuickTests ? {} : slow;
}
