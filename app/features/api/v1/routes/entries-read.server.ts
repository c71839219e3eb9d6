import * as v from "valibot";
import { DEFAULT_LIMIT, pagingQuery, readCursor, writeCursor } from "#app/features/api/v1/paging.server.ts";
import { type ApiProblem, invalidParameter } from "#app/features/api/v1/problem.server.ts";
import { type ApiResponse, defineRoute, type QueryParameter } from "#app/features/api/v1/route.server.ts";
import { formed, fromRow, member, toTime } from "#app/features/api/v1/schemas/common.server.ts";
import { emailSchema, entrySchema } from "#app/features/api/v1/schemas/entries.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { referrals as hasReferrals } from "#app/switches.ts";
import { statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import { findEntryId } from "#app/waitlist/entries/entries.server.ts";
import { type ListedEntry, listEntries, withSuppression } from "#app/waitlist/entries/entries-page.server.ts";
import { changesKeptSince, listChanged, startOfWalk } from "#app/waitlist/entries/entry-changes.server.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { personalLink } from "#app/waitlist/entries/personal-link.ts";
import { CHANGES_KEPT_DAYS } from "#app/waitlist/entries/retention.ts";
import { type EntryEmail, entryEmails } from "#app/waitlist/filter/entry-emails.ts";
import { parseEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import { type Filter, filters } from "#app/waitlist/filter/filters.server.ts";
import { entryWithEmails } from "#app/waitlist/filter/list-entries.server.ts";
import { countFriends } from "#app/waitlist/my-data/friends.server.ts";

const orderQuery = {
  order: {
    schema: v.pipe(
      v.picklist(["newest", "oldest", "changed"]),
      v.description(
        "`newest` and `oldest` by the time of joining; `newest` if it is left out. `changed` is for programs that keep a copy of the list: everyone once, and again whoever changes.",
      ),
    ),
  },
  changed_since: {
    schema: member.time(
      `Only who joined, changed or was erased since, with a time zone. At most ${CHANGES_KEPT_DAYS} days ago. Implies \`order=changed\`.`,
    ),
  },
};

const filterParameters = perSettings(() =>
  Object.fromEntries(
    filters()
      .filter(({ isOff }) => !isOff)
      .map(filterParameter),
  ),
);

function filterParameter({
  name,
  description,
  format,
  values,
  input,
  isList = false,
}: Filter): [string, QueryParameter] {
  if (format !== undefined) return [name, { schema: formed(format, description), isList }];
  const text = v.pipe(v.string(), v.minLength(1), v.maxLength(input?.maxLength ?? 0));
  const value = values === undefined ? text : v.picklist(Object.keys(values));
  return [name, { schema: v.pipe(value, v.description(description)), isList }];
}

export const listEntriesRoute = defineRoute({
  method: "get",
  path: "/entries",
  id: "listEntries",
  summary: "List entries",
  description:
    "The owner’s list, with its filters, but for `order=changed`, which has none. Follow `next_cursor` until it is null.",
  scope: "entries:read",
  get query() {
    return { ...pagingQuery, ...orderQuery, ...filterParameters() };
  },
  responses: { 200: { description: "A page of the list.", schema: "EntryList" } },
  problems: ["cursor-expired"],
  async handle({ app, query, search }) {
    const { limit = DEFAULT_LIMIT, changed_since: since, cursor } = query;
    const { order = since === undefined ? "newest" : "changed" } = query;
    const { filter, problems } = parseEntryFilter(search);
    if (problems.length > 0) return invalidFilter(problems);
    const [filtered] = Object.keys(filter);
    // Someone who no longer matches a filter would be left out of a copy of the list without a word.
    if (order === "changed" && filtered !== undefined)
      return invalidParameter(filtered, "cannot be combined with order=changed");
    if (order === "changed") return changedEntries(app, limit, since, cursor);
    if (since !== undefined) return invalidParameter("changed_since", "needs order=changed");
    const after = readCursor(order, cursor, 2);
    if (after !== undefined && "problem" in after) return after;
    const [created_at = 0, id = 0] = after ?? [];
    const afterCursor = after && { created_at, id };
    const timeZone = app.emailContext.ownerTimeZone;
    const page = await listEntries(app.db, { ...filter, order, afterCursor, limit, timeZone, now: app.now() });
    const last = page.entries.at(-1);
    const next = page.hasNext && last !== undefined ? writeCursor(order, last.created_at, last.id) : null;
    return { status: 200, body: { entries: await toEntries(app, page.entries), next_cursor: next } };
  },
});

/** @param since a time @param cursor of an earlier page */
async function changedEntries(app: AppContext, limit: number, since?: string, cursor?: string): Promise<ApiResponse> {
  const now = app.now();
  const after = readCursor("changed", cursor, 3);
  if (after !== undefined && "problem" in after) return after;
  const from = since === undefined ? null : Date.parse(since);
  const keptSince = (await changesKeptSince(app.db, now)) ?? now;
  if (after === undefined && from !== null && !(from >= keptSince))
    return invalidParameter(
      "changed_since",
      `must not be earlier than ${toTime(keptSince)}; leave it out for everyone`,
    );
  const [change = 0, id = 0, at = 0] = after ?? [];
  if (after !== undefined && at < keptSince) {
    const detail = `Changes are on record since ${toTime(keptSince)} only. Leave out the cursor, and drop from your copy who is not returned.`;
    return { problem: "cursor-expired", detail };
  }
  const start = after === undefined ? await startOfWalk(app.db, from, now) : { change, id, at };
  const page = await listChanged(app.db, start, { limit, now });
  const position = writeCursor("changed", page.cursor.change, page.cursor.id, page.cursor.at);
  return {
    status: 200,
    body: {
      entries: await toEntries(app, await withSuppression(app.db, page.entries, now)),
      erased: page.erased,
      next_cursor: page.hasNext ? position : null,
      sync_cursor: page.hasNext ? null : position,
    },
  };
}

export const getEntryRoute = defineRoute({
  method: "get",
  path: "/entries/{id}",
  id: "getEntry",
  summary: "Get an entry",
  scope: "entries:read",
  responses: { 200: { description: "The entry.", schema: "EntryDetails" } },
  handle: ({ app, id }) => respondDetails(app, id),
});

export const findEntryRoute = defineRoute({
  method: "post",
  path: "/entries/find",
  id: "findEntry",
  summary: "Find an entry by its address",
  description: "The address is in the body, because URLs are stored in logs. Changes nothing.",
  scope: "entries:read",
  body: { name: "EntrySearch", example: { email: "ada@example.com" } },
  responses: { 200: { description: "The entry.", schema: "EntryDetails" } },
  problems: ["not-found"],
  handle: async ({ app, body }) => respondDetails(app, await findEntryId(app.db, body.email)),
});

async function respondDetails(app: AppContext, id: number | null): Promise<ApiResponse> {
  const found = id === null ? null : await entryWithEmails(app.db, id);
  if (found === null) return noEntry;
  const [entry] = await toEntries(app, await withSuppression(app.db, [found.entry], app.now()));
  const isShown = ({ kind }: EntryEmail) => v.is(emailSchema.entries.kind, kind);
  const emails = entryEmails(found)
    .filter(isShown)
    .map((email) => fromRow(email, emailSchema));
  return { status: 200, body: { ...entry, emails } };
}

export const noEntry: ApiProblem = {
  problem: "not-found",
  detail: "There is no such entry. It may have been erased.",
};

/** @param problems sentences that begin with the parameter's name */
function invalidFilter(problems: string[]): ApiProblem {
  const errors = problems.map((problem) => {
    const [, parameter = "", detail = problem] = /^(\w+) (.*)\.$/.exec(problem) ?? [];
    return { parameter, detail };
  });
  return { problem: "invalid-query", detail: `The parameter ${problems.join(" The parameter ")}`, errors };
}

/** Entries as responses. What their rows do not have takes one statement for all of them. */
export async function toEntries({ db, config, hashKey }: AppContext, entries: ListedEntry[]) {
  const ids = hasReferrals ? entries.map(({ id }) => id) : [];
  const [friends, ...codes] = await Promise.all([countFriends(db, ids), ...ids.map((id) => encodeCode(id, hashKey))]);
  return entries.map(({ consent_at, consent_note, consent_version, ...entry }, index) => {
    const personal_link = personalLink(config.SITE_URL, codes[index] ?? "");
    return {
      ...fromRow({ ...entry, friends_counted: friends.get(entry.id) ?? 0, personal_link }, entrySchema),
      status: statusOf(entry),
      joined_at: toTime(entry.created_at),
      consent: { at: toTime(consent_at), version: consent_version, note: consent_note },
      answers: entry.answers ?? {},
      note: entry.owner_note,
      imported: entry.import_id !== null,
    };
  });
}
