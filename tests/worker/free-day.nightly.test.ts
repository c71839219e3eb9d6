import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { blogDeps, postsForPage } from "#app/features/blog/posts.server.ts";
import { startBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { sendWebhooks } from "#app/features/webhooks/deliver.server.ts";
import { addEndpoint, MAX_ENDPOINTS } from "#app/features/webhooks/endpoints.server.ts";
import { events } from "#app/features/webhooks/events.ts";
import { createBlockedCounter } from "#app/server/abuse/blocked-counter.server.ts";
import { HONEYPOT_FIELD } from "#app/server/abuse/honeypot.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import * as switches from "#app/switches.ts";
import { peopleCsv } from "#tests/features/import/import-files.ts";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { quotaD1 } from "#tests/support/pool/d1.ts";
import { mockFetch } from "#tests/support/pool/failures.ts";
import { locationLimits } from "#tests/support/pool/location-limits.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { db, execute, freshStorageForEachTest, needs, rows, seedEntries } from "#tests/support/pool/start.ts";
import { createApp } from "#worker/app.ts";
import { createAppContext } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";
import { runScheduled } from "#worker/scheduled.ts";

/*
 * The worst day that the free plan allows. Each request is a cold isolate, so that each visit is written by itself. D1 and KV
 * refuse what goes beyond the quotas; the cron job runs every minute, webhooks every two.
 */

needs("visits", "webhooks");
freshStorageForEachTest();

const MINUTES = 24 * 60;
/** The owner's day ends at 11:00 UTC: so a day has the visits of two. */
const ZONE = "Pacific/Auckland";
const VISITS = 24_000;
const SIGN_UPS = 500;
const BLOCKED = 1_000;
const IMPORTED = 2_000;
const ERASED = 3_000;
/** Emails that are old enough to be deleted. */
const OLD_EMAILS = 2_400;
const LOCATIONS = 10;
const OWNER = "owner@waitlist-site.example";

/** https://developers.cloudflare.com/d1/platform/pricing/ */
const QUOTA = { written: 100_000, read: 5_000_000, statements: 50 };

const DAY = MINUTES * 60_000;
/** A day that begins after the database's own clock, which says when events happened. */
const START = Math.ceil(Date.now() / DAY) * DAY;
beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** As the landing page, without rendering it. */
const app = createApp(async (c) => {
  if (switches.blog) await postsForPage(blogDeps(c.var.app));
  return new Response("a page");
});

function startSite() {
  const sent: string[] = [];
  const kv = playedKv(Date.now);
  const written: Record<string, number> = {};
  let part = "";
  const quota = quotaD1({
    ...QUOTA,
    note(_, { rows_written }) {
      written[part] = (written[part] ?? 0) + rows_written;
    },
  });
  const places = Array.from({ length: LOCATIONS }, () => ({ cache: kv.location(), limits: locationLimits(Date.now) }));
  let next = 0;

  /** The bindings of a new isolate, at each location in turn. */
  function coldIsolate(of: string) {
    part = of;
    next += 1;
    quota.nextInvocation();
    const { cache, limits } = places[next % LOCATIONS] as (typeof places)[number];
    const EMAIL = { send: async ({ to }: { to: string }) => void sent.push(to) };
    const ghost = { GHOST_URL: "https://ghost.example", GHOST_CONTENT_KEY: "a1" };
    const vars = { ...ghost, OWNER_EMAIL: OWNER, OWNER_TIME_ZONE: ZONE };
    return { ...env, ...limits, ...vars, DB: quota.d1, CACHE: cache(), EMAIL } as unknown as Env;
  }

  async function send(path: string, init: RequestInit): Promise<number> {
    const execution = createExecutionContext();
    const response = await app.fetch(new Request(env.SITE_URL + path, init), coldIsolate(path.slice(0, 12)), execution);
    await waitOnExecutionContext(execution);
    return response.status;
  }

  const arrival = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Site": "cross-site",
    Referer: "https://www.facebook.com/",
  };
  const post = (path: string, fields: object, network: string, n: number) => {
    const client = { "CF-Connecting-IP": `${network}.${n >> 8}.${n & 255}` };
    const headers = { "Content-Type": "application/json", Origin: env.SITE_URL, ...client };
    return send(path, { method: "POST", headers, body: JSON.stringify(fields) });
  };

  return {
    sent,
    kv,
    used: quota.used,
    visit: (n: number) => send(`/?utm_source=feed-${n % 150}&utm_campaign=spring-${n % 40}`, { headers: arrival }),
    async signUp(n: number) {
      const email = `person-${n}@example-${n}.com`;
      expect(await post("/api/signup", { email }, "10.0", n)).toBe(201);
      expect(await post("/api/send-welcome", { email }, "10.0", n)).toBe(200);
    },
    block: (n: number) => post("/api/signup", { email: "bot@example.com", [HONEYPOT_FIELD]: "x" }, "10.1", n),
    /** Blocked attempts for the other reasons. */
    async blockOthers() {
      coldIsolate("blocked");
      const execution = createExecutionContext();
      const counter = { db: openDb(quota.d1), now: Date.now(), waitUntil: execution.waitUntil.bind(execution) };
      for (const reason of ["body", "origin", "address", "rate-limited", "challenge-failed", "sign-in"] as const)
        createBlockedCounter(planLimits.free.blockedAttempts).count(counter, [[utcDay(Date.now()), reason]]);
      await waitOnExecutionContext(execution);
    },
    async run(trigger: typeof runScheduled) {
      const execution = createExecutionContext();
      await trigger(createAppContext(coldIsolate(trigger.name), execution, added));
      await waitOnExecutionContext(execution);
    },
    written,
  };
}

/** Spreads so many events evenly over the minutes of a day. */
function inMinute(total: number, minute: number): number[] {
  const until = (of: number) => Math.floor((total * of) / MINUTES);
  return Array.from({ length: until(minute + 1) - until(minute) }, (_, index) => until(minute) + index);
}

/** What an owner has begun: an import, and a change that erases entries with their welcome emails. */
async function beginEverything() {
  await execute(`INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('CRM', 'x', '["entries:read"]', 1)`);
  await seedEntries(ERASED + OLD_EMAILS, START - 90 * DAY);
  await env.DB.exec("UPDATE email_outbox SET done_at = created_at");
  await execute("UPDATE email_outbox SET done_at = ? WHERE entry_id <= ?", START - 1, ERASED);
  for (let n = 1; n <= MAX_ENDPOINTS; n += 1) {
    const endpoint = { url: `https://receiver${n}.example/`, events: [...events], has_personal_data: true };
    await addEndpoint(db, endpoint, START - 1);
  }
  const selection = {};
  const erasure = { kind: "erase", selection, newestEntryId: ERASED, expected: ERASED } as const;
  await startBulkAction(db, { ...erasure, now: START - 1 });
  const imports = importHarness();
  const { id } = await imports.check(peopleCsv(IMPORTED).replaceAll("person", "imported"), { welcome: true });
  await imports.confirm(id);
  await env.DB.exec(`UPDATE jobs SET next_attempt_at = ${START}`);
  // Changes and accepted events that are so old that they are deleted.
  await env.DB.exec("INSERT OR REPLACE INTO entry_changes SELECT id, id FROM waitlist_emails");
  await env.DB.exec(
    `INSERT INTO jobs (kind, subject, next_attempt_at, created_at, done_at) SELECT 'webhook', 1, 0, 0, 1 FROM waitlist_emails, webhook_endpoints`,
  );
}

test("on the worst day that is allowed, D1 and KV refuse nothing, and everyone who joins has an email", {
  timeout: 3_000_000,
}, async () => {
  mockFetch(async ({ url }) => {
    if (url.startsWith("https://receiver")) return new Response("");
    throw new Error("no network");
  });
  // To the runtime the day is one request, which may have 10,000 timers. Nothing that Ghost is asked takes any time.
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
  await beginEverything();
  const site = startSite();
  for (let minute = 0; minute < MINUTES; minute += 1) {
    vi.setSystemTime(START + minute * 60_000);
    await site.run(runScheduled);
    if (minute % 2 === 0) await site.run(sendWebhooks);
    for (const n of inMinute(VISITS, minute)) {
      expect(await site.visit(n)).toBe(200);
      vi.setSystemTime(Date.now() + 1_000);
    }
    for (const n of inMinute(SIGN_UPS, minute)) await site.signUp(n);
    for (const n of inMinute(BLOCKED, minute)) {
      await site.block(n);
      await site.blockOthers();
    }
  }
  const { used, kv, written } = site;
  const counted = (await rows<{ counts: string }>("page_visits")).map(({ counts }) => JSON.parse(counts).page["/"]);
  vi.restoreAllMocks();
  // What docs/workers-plans.md says.
  console.log(`D1 rows written ${used.written}, read ${used.read}; KV writes ${kv.writesToday()}`, written);
  expect(site.sent.filter((to) => to.startsWith("person-"))).toHaveLength(SIGN_UPS);
  expect(used.refused).toBe(0);
  expect(used.written).toBeLessThan(QUOTA.written);
  expect(used.read).toBeLessThan(QUOTA.read);
  expect(kv.refused()).toBe(0);
  expect(kv.writesToday()).toBeLessThan(200);
  expect(counted).toEqual([planLimits.free.visits, planLimits.free.visits]);
  const [done] = await rows("bulk_actions");
  const attempts = await rows<{ attempts_today: number }>("webhook_endpoints");
  expect([done?.["changed_today"], (await rows("imports"))[0]?.["imported_today"]]).toEqual([
    planLimits.free.changedRecordsADay,
    planLimits.free.importedADay,
  ]);
  expect(attempts.reduce((sum, { attempts_today }) => sum + attempts_today, 0)).toBe(
    planLimits.free.webhookAttemptsADay,
  );
});
