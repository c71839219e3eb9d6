import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { blogDeps } from "#app/pages/blog/blog-deps.server.ts";
import { postsForPage } from "#app/pages/blog/posts.server.ts";
import { planLimits } from "#app/server/plan-limits.ts";
import * as switches from "#app/switches.ts";
import { HONEYPOT_FIELD } from "#app/waitlist/abuse/honeypot.ts";
import { quotaD1 } from "#tests/support/pool/d1.ts";
import { mockFetch } from "#tests/support/pool/failures.ts";
import { locationLimits } from "#tests/support/pool/location-limits.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { createApp } from "#worker/app.ts";
import { createAppContext } from "#worker/app-context.ts";
import { runScheduled } from "#worker/scheduled.ts";

/*
 * A day on the free plan. Each request is a cold isolate, so that each visit is written by itself. D1 and KV refuse what
 * goes beyond the quotas; the cron job runs every minute.
 */

needs("visits");
freshStorageForEachTest();

const MINUTES = 24 * 60;
const VISITS = 12_000;
const SIGN_UPS = 500;
const BLOCKED = 1_000;
const LOCATIONS = 10;
const OWNER = "owner@waitlist-site.example";

/** https://developers.cloudflare.com/d1/platform/pricing/ */
const QUOTA = { written: 100_000, read: 5_000_000, statements: 50 };

const START = Date.UTC(2026, 10, 21);
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
  const quota = quotaD1(QUOTA);
  const places = Array.from({ length: LOCATIONS }, () => ({ cache: kv.location(), limits: locationLimits(Date.now) }));
  let next = 0;

  /** The bindings of a new isolate, at each location in turn. */
  function coldIsolate() {
    next += 1;
    quota.nextInvocation();
    const { cache, limits } = places[next % LOCATIONS] as (typeof places)[number];
    const EMAIL = { send: async ({ to }: { to: string }) => void sent.push(to) };
    const vars = { GHOST_URL: "https://ghost.example", GHOST_CONTENT_KEY: "a1", OWNER_EMAIL: OWNER };
    return { ...env, ...limits, ...vars, DB: quota.d1, CACHE: cache(), EMAIL } as unknown as Env;
  }

  async function send(path: string, init: RequestInit): Promise<number> {
    const execution = createExecutionContext();
    const response = await app.fetch(new Request(env.SITE_URL + path, init), coldIsolate(), execution);
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
    async runCron() {
      const execution = createExecutionContext();
      await runScheduled(createAppContext(coldIsolate(), execution));
      await waitOnExecutionContext(execution);
    },
  };
}

/** Spreads so many events evenly over the minutes of a day. */
function inMinute(total: number, minute: number): number[] {
  const until = (of: number) => Math.floor((total * of) / MINUTES);
  return Array.from({ length: until(minute + 1) - until(minute) }, (_, index) => until(minute) + index);
}

test("a day of 12,000 visits, 500 sign-ups and a dead Ghost: D1 and KV refuse nothing, and everyone who joined has an email", {
  timeout: 1_500_000,
}, async () => {
  mockFetch(() => Promise.reject(new Error("no network")));
  // To the runtime the day is one request, which may have 10,000 timers. Nothing that Ghost is asked takes any time.
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
  const site = startSite();
  for (let minute = 0; minute < MINUTES; minute += 1) {
    vi.setSystemTime(START + minute * 60_000);
    await site.runCron();
    for (const n of inMinute(VISITS, minute)) {
      expect(await site.visit(n)).toBe(200);
      vi.setSystemTime(Date.now() + 1_000);
    }
    for (const n of inMinute(SIGN_UPS, minute)) await site.signUp(n);
    for (const n of inMinute(BLOCKED, minute)) await site.block(n);
  }
  const { used, kv } = site;
  const counted = (await rows<{ counts: string }>("page_visits")).map(({ counts }) => JSON.parse(counts).page["/"]);
  vi.restoreAllMocks();
  // What docs/workers-plans.md says.
  console.log(`D1 rows written ${used.written}, read ${used.read}; KV writes ${kv.writesToday()}`);
  expect(await rows("waitlist_emails")).toHaveLength(SIGN_UPS);
  expect(site.sent.filter((to) => to !== OWNER)).toHaveLength(SIGN_UPS);
  expect(used.refused).toBe(0);
  expect(used.written).toBeLessThan(QUOTA.written);
  expect(used.read).toBeLessThan(QUOTA.read);
  expect(kv.refused()).toBe(0);
  expect(kv.writesToday()).toBeLessThan(200);
  expect(counted).toEqual([planLimits.free.visits]);
});
