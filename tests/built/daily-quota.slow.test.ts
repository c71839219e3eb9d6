import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { quotaMessage } from "#app/server/db/daily-quota.server.ts";
import { builtWorker, confirmToken, createEntry, dataToken, unsubscribeToken } from "#tests/support/pool/built.ts";
import { entryPoints, fillIn } from "#tests/support/pool/entry-points.ts";
import { exhaustedSite } from "#tests/support/pool/exhausted-site.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/*
 * What visitors, the owner and the log see once D1 refuses queries until midnight UTC. That each sign-up is stored or its
 * visitor told: tests/worker/api/daily-quota.test.ts.
 */

const log = freshStorageForEachTest();

const NOW = Date.UTC(2026, 10, 21, 18, 30);
const MIDNIGHT = Date.UTC(2026, 10, 22);
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const ADA = { email: "ada@example.com" };
const events = () => log.map((line) => JSON.parse(line).event);

/** They leave out what they cannot read. A welcome email waits for the cron job. */
const partial = ["/", "/roadmap", "/privacy", "/api/embed", "/sitemap.xml", "/api/send-welcome"];
/** For programs, and a page with words of its own. */
const ownWords = ["/healthcheck", "/letters"];

test.each(["everything", "writes"] as const)(
  "D1 refuses %s: every URL says so with 503, when to try again, and one log line without addresses or tokens",
  async (refuses) => {
    const id = await createEntry("unconfirmed", ADA.email);
    const tokens: Record<string, string> = { unsubscribe: await unsubscribeToken(id), confirm: await confirmToken(id) };
    const browser = ownerBrowser();
    await browser.signIn();
    const own = { Cookie: Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ") };
    const stored = await rows("waitlist_emails");
    let refused = 0;
    expect(entryPoints.owner).toContain("/owner/sign-in");

    for (const path of ["/", ...entryPoints.pages, ...entryPoints.api, ...entryPoints.owner]) {
      const token = tokens[path.split("/")[1] ?? ""] ?? (await dataToken(id));
      for (const ask of ["get", "postForm", "postJson"] as const) {
        const site = exhaustedSite({}, { written: 0, refuses }, path.startsWith("/owner") ? own : {});
        const fields: Record<string, string> = ask === "get" ? {} : { email: "eve@example.com", intent: "erase" };
        log.length = 0;
        const { status, retryAfter, body } = await site[ask](fillIn(path, { token, id: "1", name: "none" }), fields);
        const said = `${refuses}: ${ask} ${path}: ${status}`;
        if (status >= 500) {
          expect([status, retryAfter], said).toEqual([503, "19800"]);
          if (!ownWords.includes(path)) expect(body, said).toContain(quotaMessage(NOW));
          refused += 1;
          // A page can do without the settings, which every isolate reads first.
        } else if (site.quota.used.refused > (refuses === "everything" ? 1 : 0) && !partial.includes(path))
          expect(status, said).toBeGreaterThanOrEqual(400);
        expect(log.filter((line) => line.includes("daily row")).length, said).toBeLessThanOrEqual(1);
        expect(log.join(), said).not.toMatch(new RegExp(`(ada|eve)@example.com|${token}`));
      }
    }
    expect(refused).toBeGreaterThan(20);
    expect(await rows("waitlist_emails")).toEqual(stored);
  },
);

test("once it is known, what would happen after the response is refused instead of promised", async () => {
  const site = exhaustedSite();
  await site.postForm("/", ADA);
  for (const response of [
    await site.postForm("/owner/sign-in", { email: OWNER }),
    await site.postJson("/api/send-welcome", ADA),
  ])
    expect(response).toMatchObject({
      status: 503,
      retryAfter: "19800",
      body: expect.stringContaining(quotaMessage(NOW)),
    });
});

test("the cron job: a failed run in the log, no email sent, none lost", async () => {
  await createEntry("active", ADA.email);
  const site = exhaustedSite();
  await expect(site.runCron()).rejects.toThrow("scheduled-failed");
  expect(site.emails.map(({ to }) => to)).toEqual([OWNER]);
  expect(await rows("email_outbox")).toMatchObject([{ done_at: null, attempts: 0 }]);
  expect(log.filter((line) => line.includes("daily row"))).toHaveLength(1);
});

test("the owner is told once a day by email, whatever comes in, however many isolates notice", async () => {
  const { kv, emails, bindings } = exhaustedSite();
  const { CACHE, EMAIL } = bindings;
  for (let isolate = 0; isolate < 3; isolate += 1) {
    // KV takes one write of a key a second.
    vi.setSystemTime(NOW + isolate * 2_000);
    const other = exhaustedSite({ CACHE, EMAIL });
    await Promise.all([other.postJson("/api/signup", ADA), other.postForm("/", ADA)]);
  }
  expect(emails).toMatchObject([{ to: OWNER, subject: expect.stringContaining("daily quota") }]);
  expect(kv.writesOf("d1-daily-quota")).toBe(1);
  vi.setSystemTime(NOW + 24 * 3_600_000);
  await exhaustedSite({ CACHE, EMAIL }).postForm("/", ADA);
  expect(emails).toHaveLength(2);
});

test("that email keeps no visitor waiting; if it fails, it is logged without the address and not sent again", async () => {
  const sending = Promise.withResolvers<void>();
  const send = vi.fn(async () => {
    await sending.promise;
    throw new Error(`no route to ${OWNER}`);
  });
  const { bindings, postForm } = exhaustedSite({ EMAIL: { send } });
  const execution = createExecutionContext();
  const request = { method: "POST", headers: { Origin: env.SITE_URL }, body: new URLSearchParams(ADA) };
  expect((await builtWorker.fetch(new Request(env.SITE_URL, request), bindings, execution)).status).toBe(503);
  sending.resolve();
  await waitOnExecutionContext(execution);
  await postForm("/", ADA);
  expect(send).toHaveBeenCalledTimes(1);
  expect(events().filter((event) => event === "quota-alert-failed")).toHaveLength(1);
  expect(log.join()).not.toContain(OWNER);
});

test("when KV refuses writes too, no isolate emails the owner", async () => {
  const site = exhaustedSite({ CACHE: playedKv(() => Date.now(), { writes: 0 }).location()() });
  expect(await site.postForm("/", ADA)).toMatchObject({ status: 503, retryAfter: "19800" });
  expect(site.emails).toEqual([]);
  expect(events()).toContain("quota-not-flagged");
});

test("/healthcheck fails until midnight, or until the owner has changed to the paid plan", async () => {
  vi.setSystemTime(MIDNIGHT - 15_000);
  const site = exhaustedSite({}, { written: 0, refuses: "writes" });
  expect(await site.postForm("/", ADA)).toMatchObject({
    retryAfter: "15",
    body: expect.stringContaining("in about 1 minute."),
  });
  const { status, body } = await site.get("/healthcheck");
  expect(status).toBe(503);
  expect(JSON.parse(body)).toMatchObject({ ok: false, checks: { d1: "ok", kv: "ok", d1DailyQuota: "failed" } });
  const { CACHE } = site.bindings;
  expect((await exhaustedSite({ CACHE, WORKERS_PLAN: "paid" }, {}).get("/healthcheck")).status).toBe(200);
  vi.setSystemTime(MIDNIGHT);
  expect(site.kv.stored.size).toBe(1);
  expect((await exhaustedSite({ CACHE }, {}).get("/healthcheck")).status).toBe(200);
});

test("the owner's overview says that D1 has refused queries, where it still answers", async () => {
  const CACHE = playedKv(() => Date.now()).location()();
  const browser = ownerBrowser({ CACHE });
  await browser.signIn();
  await createEntry("active", ADA.email);
  const notice = "What the database may do in a day is used up";
  expect((await browser.request("/owner")).body).not.toContain(notice);
  await exhaustedSite({ CACHE }).postForm("/", ADA);
  expect((await browser.request("/owner")).body).toContain(notice);
});
