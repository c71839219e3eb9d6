import { env } from "cloudflare:test";
import { createMiddleware } from "hono/factory";
import { beforeEach, describe, expect, test } from "vitest";
import { createOwnerPages } from "#app/owner/routes.server.ts";
import { ARM_PATH, SIGN_UPS_PATH } from "#app/waitlist/fair/protocol.ts";
import { withinOneMinute } from "#tests/support/minute.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { failingD1, failingRateLimit, unlimitedRates } from "#tests/support/pool/failures.ts";
import { armedDevice, inbox, newDevice, newTabletKey } from "#tests/support/pool/fair.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { refusingD1 } from "#tests/support/pool/quota-d1.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { createApp } from "#worker/app.ts";

needs("fair");
freshStorageForEachTest();
const log = captureLog();

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
  const stored = await read(
    await site.post(SIGN_UPS_PATH, { waiting: 1, hasEnded: false, signUps: [signUp] }, bearer(tablet.key)),
  );
  expect(stored).toEqual({ status: 200, body: { state: "open", now: expect.any(Number), stored: [signUp.id] } });
  expect(await inbox()).toMatchObject([{ id: signUp.id, typed_at: signUp.at, device_id: tablet.device }]);
  const asked = await read(await site.post(SIGN_UPS_PATH, nothing, bearer(key)));
  expect(asked.body).toEqual({ state: "open", now: expect.any(Number), stored: [] });
});

test("a code that was used is refused", async () => {
  const site = apiSite();
  const code = await newDevice();
  await site.post(ARM_PATH, { code, key: newTabletKey() });
  const refused = await read(await site.post(ARM_PATH, { code, key: newTabletKey() }));
  expect(refused).toMatchObject({ status: 403, body: { problem: "code-invalid", detail: expect.any(String) } });
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
  const other = await armedDevice();
  const statuses = new Map<string, number[]>();
  for (const { key } of [tablet, other]) {
    const responses = [];
    for (let n = 0; n < 121; n += 1) responses.push(await site.post(SIGN_UPS_PATH, nothing, bearer(key)));
    statuses.set(
      key,
      responses.map(({ status }) => status),
    );
    expect(responses.at(-1)?.headers.get("Retry-After")).toBe("60");
  }
  for (const list of statuses.values()) expect(list).toEqual([...Array(120).fill(200), 429]);
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
  expect(meter.executed).toEqual([]);
  expect((await site.post(ARM_PATH, { code: "x", key: newTabletKey() }, from)).status).toBe(429);
  expect(await ask(tablet.key)).toBe(200);
});

test("one who guesses keys from many IPv6 networks of a /48 is refused with all of it", async () => {
  const found = await withinOneMinute(async (run) => {
    const meter = meteredD1();
    const site = apiSite({ DB: meter.d1 });
    const guesses: number[] = [];
    while (guesses.length < 122) {
      const network = guesses.length.toString(16).padStart(2, "0");
      const headers = { "CF-Connecting-IP": `2001:db8:${run}9:${network}00::7`, ...bearer(newTabletKey()) };
      if (guesses.length === 121) meter.reset();
      guesses.push((await site.post(SIGN_UPS_PATH, nothing, headers)).status);
    }
    return { guesses, executed: meter.executed };
  });
  expect(found).toEqual({ guesses: [...Array(120).fill(401), 429, 429], executed: [] });
});

test("after the launch a tablet is told so, and what it still has is held", async () => {
  const site = apiSite({ LAUNCH_URL: "https://product.example" } as Partial<Env>);
  const signUp = await tablet.sealed("ada@example.com", { at: Date.now() - 1_000 });
  const sent = { waiting: 1, hasEnded: false, signUps: [signUp] };
  const { body } = await read(await site.post(SIGN_UPS_PATH, sent, bearer(tablet.key)));
  expect(body).toMatchObject({ state: "launched", stored: [signUp.id] });
});

test("without rate limits, tablets go on", async () => {
  const site = apiSite({ ...unlimitedRates, FAIR_LIMIT: failingRateLimit("failing") });
  expect((await site.post(SIGN_UPS_PATH, nothing, bearer(tablet.key))).status).toBe(200);
});

test("a failing database is 503, and nothing is acknowledged", async () => {
  const site = apiSite({ DB: failingD1("failing") });
  for (const [path, body] of [
    [SIGN_UPS_PATH, nothing],
    [ARM_PATH, { code: "x", key: tablet.key }],
  ] as const) {
    const failed = await read(await site.post(path, body, bearer(tablet.key)));
    expect(failed).toMatchObject({ status: 503, body: { problem: "unavailable" } });
    expect(failed.body).not.toHaveProperty("stored");
  }
});

test("once D1’s quota of the day is used up, the tablet is told when to try again", async () => {
  const response = await apiSite({ DB: refusingD1(() => true) }).post(SIGN_UPS_PATH, nothing, bearer(tablet.key));
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await read(response)).toMatchObject({ status: 503, body: { problem: "unavailable" } });
});

test("a request with a key that is not valid reads at most a row, and writes none", async () => {
  const meter = meteredD1();
  await apiSite({ DB: meter.d1 }).post(SIGN_UPS_PATH, nothing, bearer(newTabletKey()));
  expect([meter.rowsRead() <= 1, meter.rowsWritten()]).toEqual([true, 0]);
});

test("a tablet’s contact without sign-ups reads three rows and writes one, at most once a minute", async () => {
  const meter = meteredD1();
  await apiSite({ DB: meter.d1 }).post(SIGN_UPS_PATH, nothing, bearer(tablet.key));
  expect([meter.rowsRead(), meter.rowsWritten()]).toEqual([3, 1]);
  meter.reset();
  await apiSite({ DB: meter.d1 }).post(SIGN_UPS_PATH, nothing, bearer(tablet.key));
  expect([meter.rowsRead(), meter.rowsWritten()]).toEqual([3, 0]);
});

test("neither the key nor the code does anything on another route", async () => {
  const code = await newDevice();
  const others = await otherRoutes();
  expect(others.length).toBeGreaterThan(60);
  const before = await stored();
  for (const { method, path } of others) {
    const ask = (secret: string) => answer(method, path.replace(SECRET, secret), secret);
    const strangers = await ask("A".repeat(43));
    for (const secret of [tablet.key, code]) expect(await ask(secret), `${method} ${path}`).toEqual(strangers);
  }
  expect(await stored()).toEqual(before);
  // A code is no key, and a key is no code.
  expect((await apiSite().post(SIGN_UPS_PATH, nothing, bearer(code.slice(0, 43)))).status).toBe(401);
  expect((await apiSite().post(ARM_PATH, { code: tablet.key, key: tablet.key })).status).toBe(403);
});

/** In a path, where a token belongs. */
const SECRET = "SECRET";

/** Every route of the Worker but the tablet's own, the owner's and the API's included. */
async function otherRoutes(): Promise<{ method: string; path: string }[]> {
  const app = createApp(async () => new Response("a page"));
  const owner = createOwnerPages(
    createMiddleware(async (_, next) => next()),
    [],
  );
  const document = await (await apiSite().request("/api/v1/openapi.json")).json<{ paths?: Record<string, object> }>();
  const listed = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: `/api/v1${path}` })),
  );
  const found = [...app.routes, ...owner.routes, ...listed].flatMap(({ method, path }) => {
    // Parameters are `:id`, with the pattern of the owner's ids `:id{[0-9]{1,15}}`, and `{id}` in the document.
    const example = path.replaceAll(/:\w+(\{[^/]*\})?|\{\w+\}/g, "1").replace("*", SECRET);
    return (method === "ALL" ? ["GET", "POST"] : [method]).map((one) => ({ method: one, path: example }));
  });
  const unique = new Map(found.map((route) => [`${route.method} ${route.path}`, route]));
  return [...unique.values()].filter(({ path }) => !path.startsWith("/fair"));
}

/** The response to a request that gives a secret wherever one can be given. */
async function answer(method: string, path: string, secret: string) {
  const headers = {
    ...bearer(secret),
    Cookie: `owner=${secret}; owner-browser=${secret}`,
    Origin: env.SITE_URL,
    "Content-Type": path.startsWith("/api/") ? "application/json" : "application/x-www-form-urlencoded",
  };
  const body = path.startsWith("/api/")
    ? JSON.stringify({ token: secret, key: secret })
    : `token=${secret}&key=${secret}`;
  const owner = { OWNER_EMAIL: "owner@waitlist-site.example" };
  const site = apiSite({ ...unlimitedRates, ...owner });
  const response = await site.request(path, {
    method,
    headers,
    redirect: "manual",
    ...(method === "GET" ? {} : { body }),
  });
  const text = (await response.text()).replaceAll(secret, "");
  return { status: response.status, text, cookie: response.headers.get("Set-Cookie") };
}

/** What a request could have changed. */
async function stored() {
  return { devices: await rows("fair_devices"), inbox: await inbox(), entries: await rows("waitlist_emails") };
}

test("the log has no address, key or code", async () => {
  const site = apiSite();
  const code = await newDevice();
  const key = newTabletKey();
  await site.post(ARM_PATH, { code, key });
  const signUps = [await tablet.sealed("ada@example.com")];
  await site.post(SIGN_UPS_PATH, { waiting: 1, hasEnded: false, signUps }, bearer(tablet.key));
  await apiSite({ DB: failingD1("failing") }).post(
    SIGN_UPS_PATH,
    { waiting: 1, hasEnded: false, signUps },
    bearer(tablet.key),
  );
  expect(log.join("\n")).toContain("fair-");
  for (const secret of ["@example", code, key, tablet.key, signUps[0]?.sealed ?? ""])
    expect(log.join("\n")).not.toContain(secret);
  expect(await rows("waitlist_emails")).toEqual([]);
});
