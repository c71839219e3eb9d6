import * as v from "valibot";
import { readCursor } from "#app/features/api/v1/cursor.server.ts";
import type { Problem } from "#app/features/api/v1/problem.server.ts";

const MAX_LIMIT = 100;

export const DEFAULT_LIMIT = 50;

export const pagingQuery = {
  limit: {
    schema: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(MAX_LIMIT),
      v.description(`How many to return. ${DEFAULT_LIMIT} if it is left out.`),
    ),
  },
  cursor: {
    schema: v.pipe(v.string(), v.maxLength(200), v.description("The `next_cursor` of the page before.")),
  },
};

/** Where a page begins: undefined on the first one. */
export function readPlace(list: string, cursor: string | undefined) {
  const place = cursor === undefined ? undefined : readCursor(list, cursor);
  return place === null ? invalidCursor : place;
}

const detail = "is not the cursor of a list in this order; leave it out to start again";

const invalidCursor: Problem = {
  problem: "invalid-query",
  detail: `The parameter cursor ${detail}.`,
  errors: [{ parameter: "cursor", detail }],
};
