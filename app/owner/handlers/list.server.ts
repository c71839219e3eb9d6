import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { renderDocument } from "#app/owner/document.server.tsx";
import { parseEmailFilter } from "#app/owner/email-filter.ts";
import { type ListOrder, listEntries } from "#app/owner/entries.server.ts";
import { streamCsv } from "#app/owner/export.server.ts";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { recordAction } from "#app/owner/log.server.ts";
import { hasSecureCookies } from "#app/owner/secure-cookies.ts";
import { readSources } from "#app/owner/stats.server.ts";
import { localDate } from "#app/owner/time-zone-days.ts";
import { entriesView, type ListState, orders, PAGE_SIZE, statuses } from "#app/owner/views/entries.server.tsx";
import { PERIODS } from "#app/owner/views/overview.server.tsx";
import type { EntryStatus } from "#app/server/db/schema.server.ts";
import { readForm } from "#app/server/read-form.server.ts";
import { type Confirmation, confirmations } from "#app/waitlist/confirmation.ts";

/**
 * The search is stored in a cookie for an hour. This keeps addresses out of URLs, and leaves nothing on the server that
 * an erasure would have to find.
 */
const SEARCH_COOKIE = "owner-search";
const SEARCH_MAX_AGE = 3_600;

/** The maximum length of an address. */
const MAX_SEARCH_LENGTH = 254;

export async function showList(c: OwnerContext) {
  const { db, emailContext } = c.env.app;
  const timeZone = emailContext.ownerTimeZone;
  const state = readListState(c);
  const { after, before } = c.req.query();
  const cursor = { after: parseId(after), before: parseId(before) };
  const query = {
    ...state,
    source: state.source || undefined,
    status: state.status || undefined,
    confirmation: state.confirmation || undefined,
    email: parseEmailFilter(state.email),
    disposable: state.disposable === "" ? undefined : state.disposable === "yes",
  };
  const [found, sources] = await Promise.all([
    listEntries(db, { ...query, ...cursor, limit: PAGE_SIZE }),
    readSources(db, { days: PERIODS[0], timeZone }),
  ]);
  const done = c.req.query("done");
  return c.html(renderDocument(entriesView({ found, state, sources, timeZone, done })));
}

/** Starts a search in addresses; an empty one ends it. */
export async function search(c: OwnerContext) {
  const typed = (await readForm(c.req.raw)).get("search");
  const part = (typeof typed === "string" ? typed : "").trim().toLowerCase().slice(0, MAX_SEARCH_LENGTH);
  if (part === "") clearSearch(c);
  else setCookie(c, SEARCH_COOKIE, part, { ...cookieOptions(c), maxAge: SEARCH_MAX_AGE });
  return c.redirect("/owner/entries", 303);
}

export function clearSearch(c: OwnerContext): void {
  deleteCookie(c, SEARCH_COOKIE, cookieOptions(c));
}

function cookieOptions(c: OwnerContext) {
  const secure = hasSecureCookies(c.env.app.config.SITE_URL);
  return { prefix: secure ? "host" : undefined, secure, path: "/", httpOnly: true, sameSite: "Strict" } as const;
}

export async function exportList(c: OwnerContext) {
  const { db, now, emailContext } = c.env.app;
  const name = `waitlist-${localDate(now(), emailContext.ownerTimeZone)}.csv`;
  // Recorded at the start, because an export that is broken off has revealed entries, too.
  if (c.req.method === "GET") await recordAction(c.env.app, { by: c.var.owner.email, action: "export" });
  return c.body(streamCsv(db), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}"`,
  });
}

/** Reads the list's filters from the query string and the search cookie, ignoring invalid values. */
function readListState(c: OwnerContext): ListState {
  const { order, status, confirmation, source = "", email = "", disposable } = c.req.query();
  return {
    order: (Object.keys(orders) as ListOrder[]).find((known) => known === order) ?? "newest",
    status: (Object.keys(statuses) as EntryStatus[]).find((known) => known === status) ?? "",
    confirmation: (Object.keys(confirmations) as Confirmation[]).find((known) => known === confirmation) ?? "",
    source: /^[a-z0-9_]{1,64}$/.test(source) ? source : "",
    email: parseEmailFilter(email) === undefined ? "" : email,
    disposable: (["yes", "no"] as const).find((known) => known === disposable) ?? "",
    search: getCookie(c, SEARCH_COOKIE, cookieOptions(c).prefix)?.slice(0, MAX_SEARCH_LENGTH) ?? "",
  };
}

function parseId(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
