import { expect, onTestFinished, test, vi } from "vitest";
import { createKey, revokeKey } from "#app/features/api/keys/keys.server.ts";
import { contractSite, newKey } from "#tests/features/api/pool/api-contract.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { db, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

needs("api");
const log = freshStorageForEachTest();
/** Requests with keys that are not valid, of a client in a minute. */
const CLIENT_LIMIT = 30;

/** A site whose statements are counted, with the limits of Wrangler's configuration. */
function meteredSite(overrides: Partial<Env> = {}) {
  const meter = meteredD1();
  return {
    ...contractSite({ DB: meter.d1, ...overrides }),
    meter,
    lookUps: () => meter.matching(/from "api_keys"/).length,
  };
}

/** Of no key that any site has made. */
const wrongKey = (number = 0) => `swk_${String(number).padStart(43, "A")}`;

test.each([
  ["", "no-key"],
  ["Bearer", "no-key"],
  ["Basic b3duZXI6c3drXw==", "no-key"],
  ["Bearer no-key", "invalid-key"],
  [`Bearer ${wrongKey()}`, "invalid-key"],
  [`Bearer ${wrongKey()}x`, "invalid-key"],
])("Authorization: %j gets 401", async (Authorization, code) => {
  const site = meteredSite();
  await newKey();
  const refused = await site.call("GET", "/key", { headers: Authorization === "" ? {} : { Authorization } });
  expect(refused.body).toMatchObject({ status: 401, code });
  expect(refused.headers.get("WWW-Authenticate")).toMatch(/^Bearer realm="api"/);
  expect(site.lookUps()).toBe(Authorization === `Bearer ${wrongKey()}` ? 1 : 0);
});

test("a key in a URL is refused, whatever else the request has, and never looked up", async () => {
  const site = meteredSite();
  const key = await newKey();
  for (const path of [
    `/key?key=${key}`,
    `/entries?${key}`,
    `/nothing?a=%20${key}`,
    `/openapi.json?access_token=${key}`,
    `/key?header=Bearer%20${key}`,
    `/entries?source=x${key.replace("_", "%5F")}`,
    `/entries/${key}`,
    `/entries/${key.replace("swk_", "%73wk%5f")}/unsubscribe`,
    `/%ff/${key.slice(0, -4)}`,
  ]) {
    const refused = await site.call("GET", path, { key });
    expect(refused.body, path).toMatchObject({ status: 400, code: "key-in-url" });
    expect(JSON.stringify(refused.body)).not.toContain(key);
  }
  expect(site.lookUps()).toBe(0);
});

test.each(["waitlist-site.example", "www.waitlist-site.example", "api.waitlist-site.workers.dev", "localhost:8787"])(
  "over plain http on %s a request is refused, whatever it asks for, and its key is not looked up",
  async (host) => {
    const site = meteredSite({ SITE_URL: "https://waitlist-site.example" });
    const headers = { Authorization: `Bearer ${await newKey()}` };
    for (const path of ["/key", "/entries", "/openapi.json", "", "/nothing"]) {
      const refused = await site.request(`http://${host}/api/v1${path}`, { headers });
      expect([refused.status, await refused.json()], path).toMatchObject([400, { code: "not-https" }]);
    }
    expect(site.lookUps()).toBe(0);
    expect((await site.request(`https://${host}/api/v1/key`, { headers })).status).toBe(200);
  },
);

test("a word that begins as a key does is none", async () => {
  const key = await newKey();
  expect((await meteredSite().call("GET", "/entries?source=swk_fair", { key })).status).toBe(200);
});

test("a request looks up its key once, and notes the day of the first use", async () => {
  const site = meteredSite();
  const key = await newKey();
  expect((await site.call("GET", "/key", { key })).status).toBe(200);
  expect(site.lookUps()).toBe(1);
  expect(await rows("api_keys")).toMatchObject([{ last_used_day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]);
  site.meter.reset();
  for (const path of ["/key", "/entries", "/stats/days", "/entries/1"]) await site.call("GET", path, { key });
  expect(site.lookUps()).toBe(4);
  expect(site.meter.matching(/update "api_keys"/)).toEqual([]);
});

test("a key makes as many requests a minute as its limit allows, and others are not affected", async () => {
  const site = meteredSite();
  const [key, other] = [await newKey(), await newKey(["stats:read"], "Other")];
  for (let made = 0; made < 120; made += 1) expect((await site.call("GET", "/key", { key })).status).toBe(200);
  const lookUps = site.lookUps();
  const refused = await site.call("GET", "/key", { key });
  expect(refused.body).toMatchObject({ status: 429, code: "too-many-requests" });
  expect(refused.headers.get("Retry-After")).toBe("60");
  expect(site.lookUps()).toBe(lookUps);
  expect((await site.call("GET", "/key", { key: other })).status).toBe(200);
});

test("a client that guesses keys is refused before they are looked up, and others are not affected", async () => {
  const site = meteredSite();
  const headers = { "CF-Connecting-IP": "203.0.113.7" };
  const guess = async (n = 99) => (await site.call("GET", "/key", { key: wrongKey(n), headers })).status;
  for (let n = 0; n <= CLIENT_LIMIT; n += 1) expect(await guess(n)).toBe(401);
  for (let n = 0; n < 5; n += 1) expect(await guess()).toBe(429);
  expect(site.lookUps()).toBe(CLIENT_LIMIT + 1);
  expect((await site.call("GET", "/key", { key: await newKey() })).status).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await guess()).toBe(401);
});

const hex = (number: number) => number.toString(16).padStart(2, "0");

test.each([
  ["/56", 60, (n: number) => `2001:db8:1:01${hex(n)}::7`, "2001:db8:1:0200::7"],
  ["/48", 120, (n: number) => `2001:db8:2:${hex(n)}00::7`, "2001:db8:3::7"],
])(
  "one who guesses keys from many IPv6 networks of a %s is refused with all of it",
  async (_, most, network, other) => {
    const site = meteredSite();
    const guess = async (client: string, number: number) => {
      const headers = { "CF-Connecting-IP": client };
      return (await site.call("GET", "/key", { key: wrongKey(number), headers })).status;
    };
    for (let guesses = 0; guesses <= most; guesses += 1) expect(await guess(network(guesses), guesses)).toBe(401);
    expect(await guess(network(most + 1), most + 1)).toBe(429);
    expect(site.lookUps()).toBe(most + 1);
    expect(await guess(other, 0)).toBe(401);
  },
);

test("a key that worked lately works behind an address that is blocked, until it is revoked", async () => {
  const site = meteredSite();
  const headers = { "CF-Connecting-IP": "203.0.113.8" };
  const made = await createKey(db, { name: "Zapier", scopes: ["stats:read"] }, Date.now());
  if (made.kind !== "created") throw new Error(made.kind);
  const use = async (key: string) => (await site.call("GET", "/key", { key, headers })).status;
  expect(await use(made.key)).toBe(200);
  for (let guesses = 0; guesses <= CLIENT_LIMIT; guesses += 1) expect(await use(wrongKey(guesses))).toBe(401);
  expect(await use(wrongKey(CLIENT_LIMIT + 1))).toBe(429);
  const lookUps = site.lookUps();
  expect(await use(made.key)).toBe(200);
  expect(site.lookUps()).toBe(lookUps + 1);
  await revokeKey(db, made.id, Date.now());
  expect(await use(made.key)).toBe(401);
  expect(await use(made.key)).toBe(429);
});

test("neither the log nor the owners' log holds a key or an address", async () => {
  const site = contractSite(unlimitedRates);
  const key = await newKey();
  const id = await join("ada@example.com");
  const consent = { at: "2026-10-05T09:30:00Z", note: "At the autumn fair." };
  await site.call("POST", "/entries", { key, body: { email: "bob@example.com", consent, send_email: true } });
  await site.call("POST", "/entries", { key, body: { email: "bob@", consent } });
  await site.call("PATCH", `/entries/${id}`, { key, body: { note: "Ask ada@example.com", answers: { town: "York" } } });
  await site.call("POST", `/entries/${id}/unsubscribe`, { key });
  await site.call("DELETE", `/entries/${id}`, { key });
  await site.call("GET", `/entries?key=${key}`, { key: wrongKey() });
  await site.call("GET", "/entries?ada@example.com=1", { key });
  await site.call("GET", "/key", { key: wrongKey() });
  const logged = await rows<{ actor: string; action: string; details: string }>("owner_log");
  expect(logged.map(({ actor, action }) => [actor, action])).toEqual(
    ["add-entry", "change-entry", "note", "unsubscribe", "erase"].map((action) => ["API key: CRM", action]),
  );
  expect(logged[1]?.details).toBe(JSON.stringify({ entryId: id }));
  const everything = [...log, JSON.stringify(logged)].join("\n");
  expect(log.length).toBeGreaterThan(2);
  expect(everything).not.toMatch(/@|swk_|AAAAAAA/);
  expect(everything).not.toContain(key.slice(4));
});

test("a change that changes nothing is not in the owners' log", async () => {
  const site = contractSite(unlimitedRates);
  const key = await newKey();
  const id = await join("ada@example.com");
  await site.call("PATCH", `/entries/${id}`, { key, body: { note: null, answers: { town: null } } });
  await site.call("DELETE", "/entries/999", { key });
  expect(await rows("owner_log")).toEqual([]);
});
