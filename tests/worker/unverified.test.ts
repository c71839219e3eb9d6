import { expect, test } from "vitest";
import { emailBinding, scheduledApp } from "#tests/support/pool/emails.ts";
import { mockFetch, passedVerdict, turnstileKeys, unlimitedRates } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshStorageForEachTest();

const VISITOR = { email: "grace@example.com", "cf-turnstile-response": "token" };

/** A site with Turnstile, which verifies every token. */
function turnstileSite(overrides: Partial<Env>) {
  mockFetch(async () => Response.json(passedVerdict));
  return apiSite({ ...turnstileKeys, ...overrides });
}

test("behind 300 accepted fake sign-ups, a verified visitor's email is sent by the next sweep", async () => {
  const { binding, accepted } = emailBinding();
  const site = turnstileSite(unlimitedRates);
  for (let first = 0; first < 300; first += 20) {
    const fakes = Array.from({ length: 20 }, (_, n) => ({ email: `fake${first + n}@example.com` }));
    const responses = await Promise.all(fakes.map((fake) => site.post("/api/signup", fake)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  }
  expect((await site.post("/api/signup", VISITOR)).status).toBe(201);
  const entries = await rows<{ email: string; verified: number }>("waitlist_emails");
  expect(entries.filter(({ verified }) => verified === 1).map(({ email }) => email)).toEqual([VISITOR.email]);

  await runScheduled(scheduledApp(Date.now(), { binding, vars: { WORKERS_PLAN: "free", ...turnstileKeys } }));
  expect(accepted).toContain(VISITOR.email);
  expect(accepted.length).toBeLessThan(30);
});

test("sign-ups that Turnstile has not verified share one allowance, which verified visitors do not need", async () => {
  const used: string[] = [];
  const UNVERIFIED_LIMIT = {
    limit: async ({ key }: RateLimitOptions) => {
      used.push(key);
      return { success: used.length <= 2 };
    },
  };
  const site = turnstileSite({ UNVERIFIED_LIMIT });
  const signUp = async (n: number, fields = {}) => {
    const client = { "CF-Connecting-IP": `198.18.${n}.7` };
    return (await site.post("/api/signup", { email: `ada${n}@example.com`, ...fields }, client)).status;
  };
  expect([await signUp(1), await signUp(2), await signUp(3)]).toEqual([201, 201, 429]);
  expect(await signUp(4, { "cf-turnstile-response": "token" })).toBe(201);
  expect(new Set(used).size).toBe(1);
  expect(used).toHaveLength(3);
});

test("a client that has reached its own limit uses up nothing of those it shares", async () => {
  const counted: string[] = [];
  const recording = (name: string, success = true) => ({
    limit: async () => {
      counted.push(name);
      return { success };
    },
  });
  const limits = {
    CLIENT_LIMIT: recording("client"),
    NETWORK_56_LIMIT: recording("/56"),
    NETWORK_48_LIMIT: recording("/48"),
    ADDRESS_LIMIT: recording("mailbox"),
  };
  const client = { "CF-Connecting-IP": "2001:db8::7" };
  const attempt = async (overrides: Partial<Env>) => {
    counted.length = 0;
    await apiSite({ ...limits, ...overrides }).post("/api/signup", { email: "ada@example.com" }, client);
    return [...counted];
  };
  expect(await attempt({})).toEqual(["client", "/56", "/48", "mailbox"]);
  expect(await attempt({ CLIENT_LIMIT: recording("client", false) })).toEqual(["client"]);
  expect(await attempt({ NETWORK_56_LIMIT: recording("/56", false) })).toEqual(["client", "/56"]);
});

test("without Turnstile, a flood from one /48 is accepted, and delays its own emails only", async () => {
  const { binding, accepted } = emailBinding();
  const vars = { MAIL_PER_HOUR: "20" };
  const site = apiSite({ ...unlimitedRates, ...vars, EMAIL: binding });
  const signUp = async (email: string, ip: string) => {
    const client = { "CF-Connecting-IP": ip };
    expect((await site.post("/api/signup", { email }, client)).status).toBe(201);
    await site.post("/api/send-welcome", { email }, client);
  };
  for (let n = 0; n < 40; n += 1) await signUp(`fake${n}@example.com`, `2001:db8:7:${n.toString(16)}::1`);
  expect(accepted).toHaveLength(10);
  await signUp("grace@example.com", "198.51.100.7");
  await signUp("heidi@example.com", "198.51.100.9");
  const networks = (await rows<{ network: number | null }>("email_outbox")).map(({ network }) => network);
  expect(networks.slice(0, 10)).toEqual(Array(10).fill(null));
  expect(new Set(networks.slice(10)).size).toBe(2);

  await runScheduled(scheduledApp(Date.now(), { binding, vars }));
  // Two of one network, of which each sweep takes one.
  expect(accepted.slice(10)).toEqual(["grace@example.com"]);
  await runScheduled(scheduledApp(Date.now(), { binding, vars }));
  expect(accepted.slice(10)).toEqual(["grace@example.com", "heidi@example.com"]);
});
