import * as v from "valibot";
import type { ApiProblem } from "#app/features/api/v1/problem.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

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

/** Where a page of a list begins: after the time of an entry, or 0 in lists by id, and its id. */
interface Cursor {
  created_at: EpochMillis;
  id: number;
}

/** Opaque to clients, so that its content can change. It has no email address in it, because it is part of URLs. */
export function writeCursor(list: string, { created_at, id }: Cursor): string {
  return btoa(`${list} ${created_at} ${id}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Undefined without one: on the first page. It is refused if it is malformed or belongs to another list. */
export function readCursor(list: string, cursor: string | undefined): Cursor | ApiProblem | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [name, time, id, ...rest] = atob(cursor.replaceAll("-", "+").replaceAll("_", "/")).split(" ");
    if (name !== list || rest.length > 0 || !isNumber(time) || !isNumber(id)) return invalidCursor;
    return { created_at: Number(time), id: Number(id) };
  } catch {
    return invalidCursor;
  }
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && /^-?\d{1,15}$/.test(text);
}

const detail = "is not the cursor of a list in this order; leave it out to start again";

const invalidCursor: ApiProblem = {
  problem: "invalid-query",
  detail: `The parameter cursor ${detail}.`,
  errors: [{ parameter: "cursor", detail }],
};
