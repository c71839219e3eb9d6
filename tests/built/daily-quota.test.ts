import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as switches from "#app/switches.ts";
import {
  builtWorker,
  confirmToken,
  createEntry,
  dataToken,
  messageOf,
  typedEmail,
  unsubscribeToken,
} from "#tests/support/pool/built.ts";
import { quotaD1 } from "#tests/support/pool/d1.ts";
import { exhaustedSite } from "#tests/support/pool/exhausted-site.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/*
 * What visitors, the owner and the log see once D1 refuses queries until midnight UTC. What programs see:
 * tests/worker/api/daily-quota.property.test.ts.
 */

const log = freshStorageForEachTest();

const NOW = Date.UTC(2026, 10, 21, 18, 30);
const UNTIL_MIDNIGHT = 5.5 * 3_600;
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";

const wording = "after midnight UTC, in about 6 hours";

const refused = { status: 503, retryAfter: String(UNTIL_MIDNIGHT) };
const logged = () => log.map((line) => JSON.parse(line));
const quotaLines = () => log.filter((line) => line.includes("daily row"));

describe.each(["everything", "writes"] as const)("D1 refuses %s", (refuses) => {
  const exhausted = (replaced?: object) => exhaustedSite(replaced, { written: 0, refuses });

  test("the form without JavaScript: 503, when sign-up works again, and the typed address", async () => {
    const { body, ...response } = await exhausted().postForm("/", { email: "ada@example.com" });
    expect(response).toEqual(refused);
    expect(messageOf(body)).toEqual({
      status: "error",
      text: `Our database takes no more requests today. Nothing has changed, and nothing is lost. Please try again ${wording}.`,
    });
    expect(typedEmail(body)).toBe("ada@example.com");
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test("buttons behind links in emails: 503, and a page that says when they work again; nothing changes", async () => {
    const id = await createEntry("unconfirmed", "ada@example.com");
    const [data, unsubscribe, confirm] = [await dataToken(id), await unsubscribeToken(id), await confirmToken(id)];
    const before = await rows("waitlist_emails");
    const site = exhausted();
    for (const [path, fields] of [
      [`/your-data/${data}`, { intent: "unsubscribe" }],
      [`/your-data/${data}`, { intent: "erase" }],
      [`/unsubscribe/${unsubscribe}`, {}],
      [`/confirm/${confirm}`, {}],
      // By a mail provider, which then tries again.
      [`/unsubscribe/${unsubscribe}/one-click`, {}],
    ] as const) {
      const { body, ...response } = await site.postForm(path, fields);
      expect(response, path).toEqual(refused);
      if (!path.endsWith("/one-click")) expect(body).toContain(wording);
    }
    expect(await rows("waitlist_emails")).toEqual(before);
  });

  test("pages: served, also when their visit cannot be counted, which is logged", async () => {
    const arrival = { "User-Agent": FIREFOX, "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none" };
    const { status } = await exhausted().get("/", arrival);
    expect(status).toBe(200);
    expect(quotaLines()).toHaveLength(switches.visits ? 1 : 0);
  });

  test("/healthcheck: 503 and a check that says so, until midnight", async () => {
    const site = exhausted();
    await site.postJson("/api/signup", { email: "ada@example.com" });
    const { status, body } = await site.get("/healthcheck");
    expect(status).toBe(503);
    expect(JSON.parse(body)).toMatchObject({ ok: false, checks: { kv: "ok", d1DailyQuota: "failed" } });
    vi.setSystemTime(NOW + UNTIL_MIDNIGHT * 1_000);
    expect((await exhaustedSite({ CACHE: site.bindings.CACHE }, {}).get("/healthcheck")).status).toBe(200);
  });

  test("the cron job: a failed run in the log, no email sent, none lost", async () => {
    await createEntry("active", "ada@example.com");
    const site = exhausted();
    await expect(site.runCron()).rejects.toThrow("scheduled-failed");
    expect(site.emails.map(({ to }) => to)).toEqual([OWNER]);
    expect(await rows("email_outbox")).toMatchObject([{ sent_at: null, attempts: 0 }]);
    expect(quotaLines()).toHaveLength(1);
  });
});

test("the owner is told once by email, whatever comes in, however many isolates notice", async () => {
  const site = exhaustedSite();
  for (let isolate = 0; isolate < 5; isolate += 1) {
    const other = exhaustedSite({ CACHE: site.bindings.CACHE, EMAIL: site.bindings.EMAIL });
    await Promise.all([1, 2, 3].map((n) => other.postJson("/api/signup", { email: `ada-${n}@example.com` })));
  }
  expect(site.emails).toMatchObject([{ to: OWNER, subject: expect.stringContaining("daily quota") }]);
  expect(site.kv.writesOf("d1-daily-quota")).toBe(1);
  vi.setSystemTime(NOW + 24 * 3_600_000);
  await exhaustedSite({ CACHE: site.bindings.CACHE, EMAIL: site.bindings.EMAIL }).postForm("/", {
    email: "a@b.example",
  });
  expect(site.emails).toHaveLength(2);
});

test("an email to the owner that fails is logged without the address, and not sent again that day", async () => {
  let attempts = 0;
  const EMAIL = {
    send() {
      attempts += 1;
      return Promise.reject(new Error(`no route to ${OWNER}`));
    },
  };
  const site = exhaustedSite({ EMAIL });
  for (let n = 0; n < 3; n += 1) await site.postJson("/api/signup", { email: `ada-${n}@example.com` });
  expect(attempts).toBe(1);
  expect(logged().filter(({ event }) => event === "quota-alert-failed")).toHaveLength(1);
  expect(log.join()).not.toContain(OWNER);
  expect((await site.get("/healthcheck")).status).toBe(503);
});

test("the visitor does not wait for the email to the owner", async () => {
  const held = Promise.withResolvers<void>();
  const { bindings } = exhaustedSite({ EMAIL: { send: () => held.promise } });
  const execution = createExecutionContext();
  const body = new URLSearchParams({ email: "ada@example.com" });
  const request = new Request(env.SITE_URL, { method: "POST", headers: { Origin: env.SITE_URL }, body });
  expect((await builtWorker.fetch(request, bindings, execution)).status).toBe(503);
  held.resolve();
  await waitOnExecutionContext(execution);
});

test("when KV refuses writes too: the visitor is told the same, and no isolate emails the owner", async () => {
  const CACHE = playedKv(() => Date.now(), { writes: 0 }).location()();
  const site = exhaustedSite({ CACHE });
  const { body: _, ...response } = await site.postForm("/", { email: "ada@example.com" });
  expect(response).toEqual(refused);
  expect(site.emails).toEqual([]);
  expect(logged().map(({ event }) => event)).toContain("quota-not-flagged");
});

test("in the last minute of the day, the flag ends with the day although KV keeps it longer", async () => {
  vi.setSystemTime(Date.UTC(2026, 10, 21, 23, 59, 45));
  const site = exhaustedSite();
  const { body, retryAfter } = await site.postForm("/", { email: "ada@example.com" });
  expect(retryAfter).toBe("15");
  expect(messageOf(body).text).toContain("in about 1 minute");
  expect((await site.get("/healthcheck")).status).toBe(503);
  vi.setSystemTime(Date.UTC(2026, 10, 22));
  expect(site.kv.stored.size).toBe(1);
  expect((await exhaustedSite({ CACHE: site.bindings.CACHE }, {}).get("/healthcheck")).status).toBe(200);
});

test("once the owner has changed to the paid plan, the flag of the free one counts no more", async () => {
  const site = exhaustedSite();
  await site.postForm("/", { email: "ada@example.com" });
  const paid = exhaustedSite({ CACHE: site.bindings.CACHE, WORKERS_PLAN: "paid" }, {});
  expect((await paid.get("/healthcheck")).status).toBe(200);
});

test("the owner's pages say why they fail, with and without a session", async () => {
  const browser = ownerBrowser();
  await browser.signIn();
  const quota = quotaD1({ read: 0 });
  const locked = ownerBrowser({ DB: quota.d1, CACHE: playedKv(() => Date.now()).location()() });
  for (const [name, value] of browser.cookies) locked.cookies.set(name, value);
  const overview = await locked.request("/owner");
  expect(overview.status).toBe(503);
  expect(overview.headers.get("Retry-After")).toBe(String(UNTIL_MIDNIGHT));
  expect(overview.body).toContain(wording);
  locked.cookies.clear();
  const signIn = await locked.post("/owner/sign-in", { email: OWNER });
  expect(signIn.status).toBe(503);
  expect(signIn.body).not.toContain("on its way");
});

test("the owner's overview says that D1 has refused queries, where it still answers", async () => {
  const CACHE = playedKv(() => Date.now()).location()();
  const browser = ownerBrowser({ CACHE });
  await browser.signIn();
  await createEntry("active", "ada@example.com");
  expect((await browser.request("/owner")).body).not.toContain("What the database may do in a day is used up");
  await exhaustedSite({ CACHE }).postForm("/", { email: "bob@example.com" });
  expect((await browser.request("/owner")).body).toContain("What the database may do in a day is used up");
});
