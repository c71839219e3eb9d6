import { createMiddleware } from "hono/factory";
import { pages } from "#app/layout/pages.ts";
import { type Db, openDb } from "#app/server/db/client.server.ts";
import { localDate } from "#app/server/time-zone-days.ts";
import { isVisit, visitNames } from "#app/waitlist/visit.server.ts";
import { createVisitCounter, type VisitCounter } from "#app/waitlist/visit-counter.server.ts";
import { getConfigIfValid } from "#worker/middleware/config.ts";
import type { AppBindings } from "#worker/types.ts";

/** Counts visits to public pages. Outside the page cache, because cached pages run no other middleware. */
export const countVisits = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  if (c.res.status !== 200 || !isVisit(c.req.raw)) return;
  const config = getConfigIfValid(c.env);
  if (config === null || !isPage(c.req.raw.url, config.SITE_URL)) return;
  const { counter, db } = counterOf(c.env);
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const day = today(config.OWNER_TIME_ZONE ?? "UTC");
  counter.count({ db, now: Date.now, waitUntil }, day, visitNames(c.req.raw, config.SITE_URL));
});

const publicPaths = new Set<string>(pages.map(({ path }) => path));

function isPage(url: string, siteUrl: string): boolean {
  if (!url.startsWith(`${siteUrl}/`)) return false;
  const search = url.indexOf("?");
  return publicPaths.has(url.slice(siteUrl.length, search === -1 ? undefined : search));
}

/** One counter per isolate, whose requests share `env`. */
const countersByEnv = new WeakMap<Env, { counter: VisitCounter; db: Db }>();

function counterOf(env: Env): { counter: VisitCounter; db: Db } {
  const found = countersByEnv.get(env) ?? { counter: createVisitCounter(), db: openDb(env.DB) };
  countersByEnv.set(env, found);
  return found;
}

/** Days of every time zone start on a quarter of an hour, and formatting a date takes longer than all the rest. */
const QUARTER_HOUR = 900_000;
let dateOfQuarter = { quarter: -1, timeZone: "", date: "" };

function today(timeZone: string): string {
  const now = Date.now();
  const quarter = Math.floor(now / QUARTER_HOUR);
  if (dateOfQuarter.quarter !== quarter || dateOfQuarter.timeZone !== timeZone) {
    dateOfQuarter = { quarter, timeZone, date: localDate(now, timeZone) };
  }
  return dateOfQuarter.date;
}
