/** Details of a test that only `npm run test:slow` runs. */
export const slow = { tag: "@slow" };

/** Leaves all cases of a loop to `npm run test:slow`, except those that `npm test` should run. */
export function slowUnless(inQuickTests: boolean): { tag?: string } {
  return inQuickTests ? {} : slow;
}
