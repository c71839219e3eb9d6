/** A D1 whose every statement fails, as when the platform's database is down. */
export const brokenD1 = new Proxy({} as D1Database, {
  get: () => () => {
    throw new Error("D1_ERROR: internal error while reading ada@example.com; reference = 12ab34");
  },
});
