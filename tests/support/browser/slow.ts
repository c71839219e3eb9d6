/** Details of a test that only `npm run test:slow` runs. */
export const slow = { tag: "@slow" };

/** Details of a test that only a run of all tests has, as by night: `npx playwright test` without the variable `TESTS`. */
export const nightly = { tag: "@nightly" };

/** Leaves all cases of a loop to `npm run test:slow`, except those that `npm test` should run. */
export function slowUnless(inQuickTests: boolean): { tag?: string } {
  return inQuickTests ? {} : slow;
}
