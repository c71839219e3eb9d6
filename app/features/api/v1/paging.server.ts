import * as v from "valibot";
import { type ApiProblem, invalidParameter } from "#app/features/api/v1/problem.server.ts";

export const DEFAULT_LIMIT = 50;

export const pagingQuery = {
  limit: {
    schema: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(100),
      v.description(`How many to return. ${DEFAULT_LIMIT} if it is left out.`),
    ),
  },
  cursor: {
    schema: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(200),
      v.description("The `next_cursor` of the page before, or a `sync_cursor`."),
    ),
  },
};

/**
 * Where a page of a list begins. Opaque to clients, so that its content can change. It has no email address in it, because it
 * is part of URLs.
 */
export function writeCursor(list: string, ...position: number[]): string {
  return btoa([list, ...position].join(" "))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Undefined without one: on the first page. It is refused if it is malformed or belongs to another list. */
export function readCursor(
  list: string,
  cursor: string | undefined,
  length: number,
): number[] | ApiProblem | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [name, ...position] = atob(cursor.replaceAll("-", "+").replaceAll("_", "/")).split(" ");
    const isRight = name === list && position.length === length && position.every((text) => /^-?\d{1,15}$/.test(text));
    return isRight ? position.map(Number) : invalidCursor;
  } catch {
    return invalidCursor;
  }
}

const invalidCursor = invalidParameter(
  "cursor",
  "is not the cursor of a list in this order; leave it out to start again",
);
