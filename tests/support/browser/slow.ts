/** Details of a test that only `npm run test:slow` runs. */
export const slow = { tag: "@slow" };

/** Details of a test that only `npm run test:nightly` runs: of time limits, or long. */
export const nightly = { tag: "@nightly" };
