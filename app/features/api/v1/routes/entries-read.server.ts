import * as v from "valibot";
import type { ApiKey } from "#app/features/api/keys/keys.server.ts";
import { filterQuery } from "#app/features/api/v1/filter-query.server.ts";
import { DEFAULT_LIMIT, pagingQuery, readCursor, writeCursor } from "#app/features/api/v1/paging.server.ts";
import type { ApiProblem } from "#app/features/api/v1/problem.server.ts";
import { defineRoute } from "#app/features/api/v1/route.server.ts";
import { toTime } from "#app/features/api/v1/schemas/common.server.ts";
import type { entrySchema, writtenEntrySchema } from "#app/features/api/v1/schemas/entries.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { findSuppressed } from "#app/server/db/suppressions.server.ts";
import { statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import { findEntry } from "#app/waitlist/entries/entries.server.ts";
import { type ListedEntry, listEntries } from "#app/waitlist/entries/entries-page.server.ts";
import { parseEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";

const orderQuery = {
  order: {
    schema: v.pipe(
      v.picklist(["newest", "oldest"]),
      v.description("By the time of joining. `newest` if it is left out."),
    ),
  },
};

export const listEntriesRoute = defineRoute({
  method: "get",
  path: "/entries",
  id: "listEntries",
  summary: "List entries",
  description: "The owner’s list, with its filters. Follow `next_cursor` until it is null.",
  scope: "entries:read",
  get query() {
    return { ...pagingQuery, ...orderQuery, ...filterQuery() };
  },
  responses: { 200: { description: "A page of the list.", schema: "EntryList" } },
  async handle({ app, query, search }) {
    const { limit = DEFAULT_LIMIT, order = "newest", cursor } = query;
    const { filter, problems } = parseEntryFilter(search);
    if (problems.length > 0) return invalidFilter(problems);
    const after = readCursor(order, cursor);
    if (after !== undefined && "problem" in after) return after;
    const timeZone = app.emailContext.ownerTimeZone;
    const page = await listEntries(app.db, { ...filter, order, afterCursor: after, limit, timeZone, now: app.now() });
    const last = page.entries.at(-1);
    const next = page.hasNext && last !== undefined ? writeCursor(order, last) : null;
    return { status: 200, body: { entries: page.entries.map(toEntryResponse), next_cursor: next } };
  },
});

export const getEntryRoute = defineRoute({
  method: "get",
  path: "/entries/{id}",
  id: "getEntry",
  summary: "Get an entry",
  scope: "entries:read",
  responses: { 200: { description: "The entry.", schema: "Entry" } },
  async handle({ app, id }) {
    const entry = await findListedEntry(app, id);
    return entry === null ? noEntry : { status: 200, body: toEntryResponse(entry) };
  },
});

export async function findListedEntry({ db, now }: Pick<AppContext, "db" | "now">, id: number) {
  const entry = await findEntry(db, id);
  if (entry === null) return null;
  const hash = entry.address_hash ?? "";
  const isSuppressed = (await findSuppressed(db, hash === "" ? [] : [hash], now())).has(hash);
  return { ...entry, isSuppressed };
}

export const noEntry: ApiProblem = {
  problem: "not-found",
  detail: "There is no entry with this id. It may have been erased.",
};

/** @param problems sentences that begin with the parameter's name */
function invalidFilter(problems: string[]): ApiProblem {
  const errors = problems.map((problem) => {
    const [, parameter = "", detail = problem] = /^(\w+) (.*)\.$/.exec(problem) ?? [];
    return { parameter, detail };
  });
  return { problem: "invalid-query", detail: `The parameter ${problems.join(" The parameter ")}`, errors };
}

export function toEntryResponse(entry: ListedEntry): v.InferOutput<typeof entrySchema> {
  return {
    id: entry.id,
    email: entry.email,
    status: statusOf(entry),
    source: entry.source,
    joined_at: toTime(entry.created_at),
    confirmed_at: toTime(entry.confirmed_at),
    address_changed_at: toTime(entry.address_changed_at),
    unsubscribed_at: toTime(entry.unsubscribed_at),
    unsubscribe_reason: entry.unsubscribe_reason,
    consent: { at: toTime(entry.consent_at), version: entry.consent_version, note: entry.consent_note },
    answers: entry.answers ?? {},
    note: entry.owner_note,
    utm_source: entry.utm_source,
    utm_medium: entry.utm_medium,
    utm_campaign: entry.utm_campaign,
    utm_term: entry.utm_term,
    utm_content: entry.utm_content,
    referrer_host: entry.referrer_host,
    imported: entry.import_id !== null,
    invited_at: toTime(entry.invited_at),
    disposable: entry.disposable,
  };
}

export function toWrittenResponse(entry: ListedEntry, key: ApiKey | null): v.InferOutput<typeof writtenEntrySchema> {
  if (key?.scopes.includes("entries:read")) return toEntryResponse(entry);
  return { id: entry.id, status: statusOf(entry) };
}
