/** A D1 database in which every statement fails, as in an outage. */
export const brokenD1 = new Proxy({} as D1Database, {
  get: () => () => {
    throw new Error("D1_ERROR: internal error while reading ada@example.com; reference = 12ab34");
  },
});
