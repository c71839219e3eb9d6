import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { page } from "#app/owner/document.server.tsx";
import { type ListOrder, listEntries } from "#app/owner/entries.server.ts";
import { streamCsv } from "#app/owner/export.server.ts";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { readLargest } from "#app/owner/stats.server.ts";
import { localDate } from "#app/owner/time-zone-days.ts";
import { entriesView, type ListState, orders, PAGE_SIZE, statuses } from "#app/owner/views/entries.server.tsx";
import type { EntryStatus } from "#app/server/db/schema.server.ts";
import { readForm } from "#app/server/read-form.server.ts";

/**
 * What was searched for stays in the owner's browser, for an hour: no address gets into a URL that way, and nothing is
 * kept here that an erasure would have to find.
 */
const SEARCH_COOKIE = "owner-search";
const SEARCH_AGE = 3_600;
const cookieOptions = { prefix: "host", path: "/", secure: true, httpOnly: true, sameSite: "Strict" } as const;

/** As long as an address can be. */
const MAX_SEARCH = 254;

export async function showList(c: OwnerContext) {
  const { db, ownerTimeZone: timeZone } = c.env.app;
  const state = stateOf(c);
  const { after, before } = c.req.query();
  const place = { after: idIn(after), before: idIn(before) };
  const query = { ...state, source: state.source || undefined, status: state.status || undefined };
  const [found, sources] = await Promise.all([
    listEntries(db, { ...query, ...place, limit: PAGE_SIZE }),
    readLargest(db, "source"),
  ]);
  const done = c.req.query("done");
  return c.html(page(entriesView({ found, state, sources, timeZone, done })));
}

/** Takes the start of an address, or an empty one, which ends the search. */
export async function search(c: OwnerContext) {
  const typed = (await readForm(c.req.raw)).get("search");
  const start = (typeof typed === "string" ? typed : "").trim().toLowerCase().slice(0, MAX_SEARCH);
  if (start === "") clearSearch(c);
  else setCookie(c, SEARCH_COOKIE, start, { ...cookieOptions, maxAge: SEARCH_AGE });
  return c.redirect("/owner/entries", 303);
}

export function clearSearch(c: OwnerContext): void {
  deleteCookie(c, SEARCH_COOKIE, cookieOptions);
}

export function exportList(c: OwnerContext) {
  const { db, now, ownerTimeZone } = c.env.app;
  const name = `waitlist-${localDate(now(), ownerTimeZone)}.csv`;
  return c.body(streamCsv(db), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
  });
}

/** What the list's address and the search cookie ask for; what makes no sense is left out. */
function stateOf(c: OwnerContext): ListState {
  const { order, status, source = "" } = c.req.query();
  return {
    order: (Object.keys(orders) as ListOrder[]).find((known) => known === order) ?? "newest",
    status: (Object.keys(statuses) as EntryStatus[]).find((known) => known === status) ?? "",
    source: /^[a-z0-9_]{1,64}$/.test(source) ? source : "",
    search: getCookie(c, SEARCH_COOKIE, "host")?.slice(0, MAX_SEARCH) ?? "",
  };
}

function idIn(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
