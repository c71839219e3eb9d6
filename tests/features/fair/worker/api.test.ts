import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { ARM_PATH, SIGN_UPS_PATH } from "#app/features/fair/protocol.ts";
import { armedDevice, inbox, newDevice, newTabletKey } from "#tests/features/fair/pool/fair.ts";
import { meteredD1, refusingD1 } from "#tests/support/pool/d1.ts";
import { failingD1, failingRateLimit } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("fair");
const log = freshStorageForEachTest();

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const nothing = { waiting: 0, hasEnded: false, signUps: [] };

let tablet: Awaited<ReturnType<typeof armedDevice>>;
beforeEach(async () => {
  tablet = await armedDevice({ now: Date.now() - 60_000 });
});

/** The parts of a response that tests look at. */
async function read(response: Response) {
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("a tablet exchanges its code for its key, then sends, and asks for the state", async () => {
  const site = apiSite();
  const key = newTabletKey();
  const code = await newDevice({ event: "Winter Fair" });
  const armed = await read(await site.post(ARM_PATH, { code, key }));
  expect(armed).toMatchObject({ status: 200, body: { event: "Winter Fair", device: expect.any(Number) } });
  const signUp = await tablet.sealed("ada@example.com", { at: Date.now() - 1_000 });
  const sent = { waiting: 1, hasEnded: false, signUps: [signUp] };
  const stored = await read(await site.post(SIGN_UPS_PATH, sent, bearer(tablet.key)));
  expect(stored).toEqual({ status: 200, body: { state: "open", now: expect.any(Number), stored: [signUp.id] } });
  expect(await inbox()).toMatchObject([{ id: signUp.id, typed_at: signUp.at, device_id: tablet.device }]);
  const asked = await read(await site.post(SIGN_UPS_PATH, nothing, bearer(key)));
  expect(asked.body).toEqual({ state: "open", now: expect.any(Number), stored: [] });
});

describe.each([ARM_PATH, SIGN_UPS_PATH])("%s refuses", (path) => {
  const valid = JSON.stringify(nothing);
  const headers = { "Content-Type": "application/json", Origin: env.SITE_URL };
  const cases: [string, RequestInit, number][] = [
    ["GET", {}, 405],
    ["PUT", { method: "PUT", body: valid, headers }, 405],
    ["a form", { method: "POST", body: "a=1", headers: { ...headers, "Content-Type": "text/plain" } }, 415],
    ["what is no JSON", { method: "POST", body: "{", headers }, 400],
    ["a list", { method: "POST", body: "[]", headers }, 400],
    ["a body that is too large", { method: "POST", body: `"${"a".repeat(300_000)}"`, headers }, 413],
    ["another site", { method: "POST", body: valid, headers: { ...headers, Origin: "https://evil.example" } }, 403],
    ["unknown fields", { method: "POST", body: '{"x":1}', headers: { ...headers, ...bearer("") } }, 422],
  ];

  test.each(cases)("%s", async (_name, init, status) => {
    const given = status === 422 ? { ...init, headers: { ...headers, ...bearer(tablet.key) } } : init;
    const response = await apiSite().request(path, given);
    expect(response.headers.get("Allow")).toBe(status === 405 ? "POST" : null);
    expect(await read(response)).toEqual({ status, body: { problem: "malformed", detail: expect.any(String) } });
  });
});

describe("a request is refused with", () => {
  const valid = { id: "0b7f2a4e-3c1d-4e5f-8a9b-0c1d2e3f4a5b", at: 1, consent: "2026-11", sealed: "AAAA" };
  const request = (...signUps: unknown[]) => ({ waiting: 1, hasEnded: false, signUps });
  const refused: [string, object][] = [
    ["no list", { waiting: 1, hasEnded: false }],
    ["51 sign-ups", request(...Array(51).fill(valid))],
    ["a waiting count below zero", { ...request(), waiting: -1 }],
    ["no word on its form", { waiting: 1, signUps: [] }],
    ["an id that is no UUID", request({ ...valid, id: "1" })],
    ["an id in capitals", request({ ...valid, id: valid.id.toUpperCase() })],
    ["a time with a fraction", request({ ...valid, at: 0.5 })],
    ["a time beyond safe numbers", request({ ...valid, at: 1e300 })],
    ["a version that is too long", request({ ...valid, consent: "a".repeat(65) })],
    ["sealed text that is not base64url", request({ ...valid, sealed: "ada@example.com" })],
    ["sealed text that is too long", request({ ...valid, sealed: "A".repeat(4_001) })],
    ["one that has more fields", request({ ...valid, email: "ada@example.com" })],
  ];
  const statusOf = async (body: object) => (await apiSite().post(SIGN_UPS_PATH, body, bearer(tablet.key))).status;

  test.each(refused)("%s", async (_name, body) => {
    expect(await statusOf(body)).toBe(422);
    expect(await statusOf(request({ ...valid, sealed: "A".repeat(4_000) }))).toBe(200);
  });
});

test.each(["", "Bearer", "Bearer short", `Bearer ${"A".repeat(43)}`, `Basic ${"A".repeat(43)}`])(
  "Authorization: %j gets 401",
  async (Authorization) => {
    const response = await apiSite().post(SIGN_UPS_PATH, nothing, Authorization === "" ? {} : { Authorization });
    expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
    expect(await read(response)).toMatchObject({ status: 401, body: { problem: "key-invalid" } });
  },
);

test("tablets behind one address do not share a limit, and one that sends too often waits a minute", async () => {
  const site = apiSite();
  for (const { key } of [tablet, await armedDevice()]) {
    const ask = () => site.post(SIGN_UPS_PATH, nothing, bearer(key));
    for (let n = 0; n < 120; n += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
  }
});

test("a client that guesses keys or codes is refused after 30 attempts", async () => {
  const meter = meteredD1();
  const site = apiSite({ DB: meter.d1 });
  // Blocked clients are remembered in memory, which tests share.
  const from = { "CF-Connecting-IP": "203.0.113.9" };
  const ask = async (key: string) =>
    (await site.post(SIGN_UPS_PATH, nothing, { ...from, Authorization: `Bearer ${key}` })).status;
  expect(await ask(tablet.key)).toBe(200);
  for (let n = 0; n < 30; n += 1) expect(await ask(newTabletKey())).toBe(401);
  expect(await ask(newTabletKey())).toBe(429);
  // From now on such keys are not even looked up.
  meter.reset();
  for (let n = 0; n < 5; n += 1) expect(await ask(newTabletKey())).toBe(429);
  // But for the settings, which every isolate reads first.
  expect(meter.executed.filter(({ sql }) => !sql.includes('from "settings"'))).toEqual([]);
  expect((await site.post(ARM_PATH, { code: "x", key: newTabletKey() }, from)).status).toBe(429);
  expect(await ask(tablet.key)).toBe(200);
});

test("after the launch a tablet is told so, and what it still has is held", async () => {
  const site = apiSite({ LAUNCH_URL: "https://product.example" } as Partial<Env>);
  const signUp = await tablet.sealed("ada@example.com", { at: Date.now() - 1_000 });
  const sent = { waiting: 1, hasEnded: false, signUps: [signUp] };
  const { body } = await read(await site.post(SIGN_UPS_PATH, sent, bearer(tablet.key)));
  expect(body).toMatchObject({ state: "launched", stored: [signUp.id] });
});

test("while the rate limits fail, tablets go on", async () => {
  const site = apiSite({ FAIR_LIMIT: failingRateLimit("failing") });
  expect((await site.post(SIGN_UPS_PATH, nothing, bearer(tablet.key))).status).toBe(200);
});

test.each([
  [SIGN_UPS_PATH, nothing],
  [ARM_PATH, { code: "x", key: "A".repeat(43) }],
])("while the database fails, %s responds with 503 and acknowledges nothing", async (path, body) => {
  const failed = await read(await apiSite({ DB: failingD1("failing") }).post(path, body, bearer(tablet.key)));
  expect(failed).toMatchObject({ status: 503, body: { problem: "unavailable" } });
  expect(failed.body).not.toHaveProperty("stored");
});

test("once D1’s quota of the day is used up, the tablet is told when to try again", async () => {
  const response = await apiSite({ DB: refusingD1(() => true) }).post(SIGN_UPS_PATH, nothing, bearer(tablet.key));
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await read(response)).toMatchObject({ status: 503, body: { problem: "unavailable" } });
});

test("a wrong key reads at most a row; a tablet’s contact three, and writes one at most once a minute", async () => {
  const rowsOf = async (key: string) => {
    const meter = meteredD1();
    await apiSite({ DB: meter.d1 }).post(SIGN_UPS_PATH, nothing, bearer(key));
    return [meter.rowsRead(), meter.rowsWritten()];
  };
  // And one of the settings, which every isolate reads first.
  expect(await rowsOf(newTabletKey())).toEqual([expect.toBeOneOf([1, 2]), 0]);
  expect([await rowsOf(tablet.key), await rowsOf(tablet.key)]).toEqual([
    [4, 1],
    [4, 0],
  ]);
});

test.each([
  ["GET", "/api/v1/entries"],
  ["POST", "/api/v1/entries"],
  ["GET", "/owner"],
  ["POST", "/owner/export"],
  ["GET", "/owner/sign-in/SECRET"],
  ["POST", "/owner/sign-in/SECRET"],
  ["POST", "/your-data/SECRET"],
  ["POST", "/unsubscribe/SECRET/one-click"],
  ["POST", "/confirm/SECRET"],
  ["POST", "/api/answers"],
  ["POST", "/api/webhooks/resend"],
])("neither the key nor the code does anything for %s %s", async (method, path) => {
  const site = apiSite({ OWNER_EMAIL: "owner@waitlist-site.example", RESEND_WEBHOOK_SECRET: "" } as Partial<Env>);
  const changed = async () => [await rows("fair_devices"), await inbox(), await rows("waitlist_emails")];
  const code = await newDevice();
  const before = await changed();
  const ask = async (secret: string) => {
    const headers = { ...bearer(secret), Cookie: `owner=${secret}; owner-browser=${secret}`, Origin: env.SITE_URL };
    const body = JSON.stringify({ token: secret, key: secret, answerToken: secret, answers: { role: "host" } });
    const type = path.startsWith("/api/") ? "application/json" : "application/x-www-form-urlencoded";
    const init = method === "GET" ? { headers } : { method, headers: { ...headers, "Content-Type": type }, body };
    const response = await site.request(path.replace("SECRET", secret), { ...init, redirect: "manual" });
    const text = (await response.text()).replaceAll(secret, "");
    return { status: response.status, text, cookie: response.headers.get("Set-Cookie") };
  };
  const strangers = await ask("A".repeat(43));
  for (const secret of [tablet.key, code]) expect(await ask(secret)).toEqual(strangers);
  expect(await changed()).toEqual(before);
});

test("a code is no key, and a key is no code", async () => {
  const code = await newDevice();
  expect((await apiSite().post(SIGN_UPS_PATH, nothing, bearer(code.slice(0, 43)))).status).toBe(401);
  const refused = await read(await apiSite().post(ARM_PATH, { code: tablet.key, key: tablet.key }));
  expect(refused).toMatchObject({ status: 403, body: { problem: "code-invalid", detail: expect.any(String) } });
});

test("the log has no address, key or code", async () => {
  const site = apiSite();
  const code = await newDevice();
  const key = newTabletKey();
  await site.post(ARM_PATH, { code, key });
  const signUps = [await tablet.sealed("ada@example.com")];
  await site.post(SIGN_UPS_PATH, { waiting: 1, hasEnded: false, signUps }, bearer(tablet.key));
  const failing = apiSite({ DB: failingD1("failing") });
  await failing.post(SIGN_UPS_PATH, { waiting: 1, hasEnded: false, signUps }, bearer(tablet.key));
  expect(log.join("\n")).toContain("fair-");
  for (const secret of ["@example", code, key, tablet.key, signUps[0]?.sealed ?? ""])
    expect(log.join("\n")).not.toContain(secret);
  expect(await rows("waitlist_emails")).toEqual([]);
});
