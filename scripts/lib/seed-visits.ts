import type { DatabaseSync } from "node:sqlite";
import type { VisitCounts, VisitKind } from "#app/server/db/schema/statistics.server.ts";

/** Visits for each sign-up of the same name, so that sources convert differently. */
const VISITS_PER_SIGN_UP = [9, 14, 31, 6, 22];

/** As many names of a kind as the site stores for a day. */
const MAX_NAMES = 100;

/** Adds visits on each day that has entries, in proportion to them. Days that have visits stay as they are. */
export function seedVisits(database: DatabaseSync): void {
  const days = new Map<string, VisitCounts>();
  for (const kind of ["utm_source", "utm_campaign", "referrer_host"] as const) addKind(database, days, kind);
  const insert = database.prepare("INSERT INTO page_visits (day, counts) VALUES (?, ?) ON CONFLICT DO NOTHING");
  for (const [day, counts] of days) insert.run(day, JSON.stringify(counts));
}

interface Row {
  day: string;
  name: string | null;
  entries: number;
}

function addKind(database: DatabaseSync, days: Map<string, VisitCounts>, kind: Exclude<VisitKind, "page">): void {
  const query = `
    SELECT date(created_at / 1000, 'unixepoch') AS day, ${kind} AS name, count(*) AS entries
    FROM waitlist_emails GROUP BY 1, 2 ORDER BY 1, 3 DESC`;
  for (const { day, name, entries } of database.prepare(query).iterate() as unknown as Iterable<Row>) {
    const counts = days.get(day) ?? { page: {} };
    days.set(day, counts);
    const visits = entries * (VISITS_PER_SIGN_UP[(name ?? "").length % VISITS_PER_SIGN_UP.length] ?? 1);
    if (kind === "utm_source") add(counts, "page", entries % 7 === 0 ? "/roadmap" : "/", visits);
    const names = Object.keys(counts[kind] ?? {}).length;
    if (name !== null) add(counts, kind, names < MAX_NAMES ? name : "(other)", visits);
  }
}

function add(counts: VisitCounts, kind: VisitKind, name: string, visits: number): void {
  const names = counts[kind] ?? {};
  names[name] = (names[name] ?? 0) + visits;
  counts[kind] = names;
}
