import { env } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { hashKey } from "#app/features/api/keys/keys.server.ts";
import type { ApiScope } from "#app/server/db/schema/api-keys.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { letters, referrals } from "#app/switches.ts";
import {
  accepts,
  type CallOptions,
  contractSite,
  newKey,
  operationsOf,
  readDocument,
} from "#tests/features/api/pool/api-contract.ts";
import { brokenD1, meteredD1, quotaD1 } from "#tests/support/pool/d1.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { rateLimits } from "#tests/support/pool/location-limits.ts";
import { db, freshStorageForEachTest, needs, stopClock } from "#tests/support/pool/start.ts";

/* Every response is checked against the OpenAPI document by `contractSite`. */

needs("api");
freshStorageForEachTest();

const site = contractSite(unlimitedRates, { keepsMemory: true });
const { call } = site;

/** Every route, the scope that a key needs (null: any key will do), and the statuses of its documented responses. */
const table: [method: string, path: string, scope: ApiScope | null | "public", statuses: string][] = [
  ["GET", "/entries", "entries:read", "200 400 401 403 410 429 503"],
  ["POST", "/entries", "entries:write", "200 201 400 401 403 404 409 413 415 422 429 503"],
  ["GET", "/entries/{id}", "entries:read", "200 400 401 403 404 429 503"],
  ["POST", "/entries/find", "entries:read", "200 400 401 403 404 413 415 422 429 503"],
  ["PATCH", "/entries/{id}", "entries:write", "200 400 401 403 404 409 413 415 422 429 503"],
  ["DELETE", "/entries/{id}", "entries:write", "204 400 401 403 404 429 503"],
  ["POST", "/entries/{id}/unsubscribe", "entries:write", "200 400 401 403 404 429 503"],
  ["GET", "/stats/days", "stats:read", "200 400 401 403 429 503"],
  ["GET", "/stats/groups", "stats:read", "200 400 401 403 429 503"],
  ["GET", "/letters", "letters:read", "200 400 401 403 429 503"],
  ["GET", "/letters/{id}", "letters:read", "200 400 401 403 404 429 503"],
  ["GET", "/key", null, "200 400 401 429 503"],
  ["GET", "/openapi.json", "public", "200 400"],
];

/** The routes of this site, each with an example of its path and its body. */
async function everyRoute() {
  const { paths } = await readDocument();
  return table
    .filter(([, path]) => letters || !path.startsWith("/letters"))
    .map(([method, path, scope]) => ({
      method,
      path,
      at: path.replace("{id}", "1"),
      scope,
      body: paths[path]?.[method.toLowerCase()]?.requestBody?.content["application/json"].example,
    }));
}

const everyRouteWithKey = async () => (await everyRoute()).filter(({ scope }) => scope !== "public");

const newEntry = { email: "ada@example.com", consent: { at: "2026-10-05T09:30:00Z", note: "At the autumn fair." } };

test("the document has the routes and statuses of the table, and no others", async () => {
  const documented = operationsOf(await readDocument()).map(
    ({ method, path, operation }) => `${method} ${path}: ${Object.keys(operation.responses).toSorted().join(" ")}`,
  );
  const expected = table.filter(([, path]) => letters || !path.startsWith("/letters"));
  expect(documented.toSorted()).toEqual(
    expected.map(([method, path, , all]) => `${method} ${path}: ${all}`).toSorted(),
  );
});

test("every route needs a key with the scope in the table", async () => {
  for (const { method, path, at, scope } of await everyRoute()) {
    const missing = await call(method, at);
    if (scope === "public") expect(missing.status).toBe(200);
    if (scope === "public") continue;
    expect(missing.body, at).toMatchObject({ status: 401, code: "no-key" });
    expect(missing.headers.get("WWW-Authenticate")).toBe('Bearer realm="api"');
    if (scope === null) continue;
    const others = (["entries:read", "entries:write", "stats:read", "letters:read"] as const).filter(
      (other) => other !== scope,
    );
    const refused = await call(method, at, { key: await newKey(others, `without ${method} ${path}`) });
    expect(refused.body, at).toMatchObject({ status: 403, code: "wrong-scope" });
    expect(refused.headers.get("WWW-Authenticate")).toContain(`scope="${scope}"`);
    const allowed = await call(method, at, { key: await newKey([scope], `for ${method} ${path}`) });
    expect(allowed.status, `${method} ${path}`).toBeOneOf([200, 404, 415]);
  }
});

test("every route responds as documented when all is well", async () => {
  const key = await newKey();
  const added = await call("POST", "/entries", {
    key,
    body: { ...newEntry, answers: { role: "host" }, send_email: true },
  });
  expect(added.status).toBe(201);
  const { id } = added.body;
  const campaign = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };
  expect(added.body).toEqual({
    ...{ id: expect.any(Number), email: "ada@example.com", status: "active", source: "api", ...campaign },
    ...{
      joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      confirmed_at: null,
      address_changed_at: null,
      ...(letters ? { invited_at: null } : {}),
    },
    ...{ unsubscribed_at: null, unsubscribe_reason: null, answers: { role: "host" }, note: null },
    consent: { at: "2026-10-05T09:30:00.000Z", version: null, note: "At the autumn fair." },
    ...{ referrer_host: null, imported: false, import_id: null, disposable: false },
    ...(referrals
      ? { friends_counted: 0, personal_link: expect.stringMatching(new RegExp(`^${env.SITE_URL}/\\?via=\\w{8}$`)) }
      : {}),
  });
  expect(added.headers.get("Location")).toBe(`${env.SITE_URL}/api/v1/entries/${id}`);
  expect((await call("POST", "/entries", { key, body: newEntry })).status).toBe(200);
  expect((await call("GET", "/entries", { key })).body.entries).toEqual([added.body]);
  const emails = [expect.objectContaining({ kind: "welcome", state: "sent", reason: null })];
  expect((await call("GET", `/entries/${id}`, { key })).body).toEqual({ ...added.body, emails });
  const found = await call("POST", "/entries/find", { key, body: { email: newEntry.email } });
  expect(found.body).toEqual({ ...added.body, emails });
  const changed = await call("PATCH", `/entries/${id}`, {
    key,
    body: { note: "Two stalls", answers: { town: "York", role: null } },
  });
  expect(changed.body).toEqual({ ...added.body, note: "Two stalls", answers: { town: "York" } });
  expect((await call("POST", `/entries/${id}/unsubscribe`, { key })).body).toMatchObject({
    status: "unsubscribed",
    unsubscribe_reason: "owner",
  });
  expect((await call("GET", "/stats/days", { key })).body).toMatchObject({
    totals: { joined: 1, can_get_email: 0, unconfirmed: 0, suppressed: 0, unsubscribed: 1, erased: 0 },
  });
  expect((await call("GET", "/stats/groups?days=90", { key })).body.groups.source).toMatchObject([
    { name: "api", people: 1 },
  ]);
  expect((await call("DELETE", `/entries/${id}`, { key })).status).toBe(204);
  expect((await call("GET", `/entries/${id}`, { key })).status).toBe(404);
  expect((await call("GET", "/key", { key })).body).toMatchObject({ name: "CRM" });
  expect((await call("GET", "/openapi.json")).body.openapi).toBe("3.1.0");
});

test("letters are as documented, drafts and those that were sent, without follow-ups", async ({ skip }) => {
  skip(!letters, "The site has no letters.");
  const key = await newKey();
  const columns =
    "id, key, state, subject, preview_line, body, audience, is_public, created_at, updated_at, started_at, expected, queued, queued_at";
  await env.DB.exec(
    `INSERT INTO letters (${columns}) VALUES (1, 'k', 'finished', 'News', '', 'Hello', '{"filter":{}}', 1, 5, 5, 9, 2, 2, 9)`,
  );
  await env.DB.exec(
    `INSERT INTO letters (${columns}) VALUES (2, 'l', 'draft', 'More', '', 'Hello', '{"filter":{}}', 1, 6, 6, NULL, 0, 0, NULL)`,
  );
  await env.DB.exec(
    "INSERT INTO letter_recipients (letter_id, position, state, done_at, bounced_at) VALUES (1, 0, 'sent', 9, 10), (1, 1, 'sent', 9, NULL)",
  );
  await env.DB.exec(
    `INSERT INTO letters (${columns}, step_id) VALUES (3, 's', 'sending', 'Step', '', 'Hello', '{"filter":{}}', 0, 7, 7, 7, 0, 0, NULL, 1)`,
  );
  expect((await call("GET", "/letters/3", { key })).status).toBe(404);
  const first = await call("GET", "/letters?limit=1", { key });
  expect(first.body.letters).toMatchObject([{ id: 2, url: null, state: "draft" }]);
  const second = await call("GET", `/letters?limit=1&cursor=${first.body.next_cursor}`, { key });
  expect(second.body).toMatchObject({ letters: [{ id: 1, url: `${env.SITE_URL}/letters/1` }], next_cursor: null });
  expect((await call("GET", "/letters/1", { key })).body.stats).toMatchObject({ sent: 2, bounced: 1, expected: 2 });
  expect((await call("GET", "/letters/2", { key })).body.stats).toBeNull();
});

test("an address that gets no email, or that its person erased, may not be added", async () => {
  const key = await newKey();
  const hash = await keyedHash("address:v1", newEntry.email, env.HASH_KEY);
  await suppress(db, { hashes: [hash], reason: "complaint", until: null }, Date.now());
  expect((await call("POST", "/entries", { key, body: newEntry })).body).toMatchObject({
    status: 409,
    code: "address-refused",
  });
});

test("an entry that is erased while it is being added is not found", async () => {
  await env.DB.exec("CREATE TRIGGER erased AFTER INSERT ON owner_log BEGIN DELETE FROM waitlist_emails; END");
  onTestFinished(async () => void (await env.DB.exec("DROP TRIGGER IF EXISTS erased")));
  expect((await call("POST", "/entries", { key: await newKey(), body: newEntry })).body).toMatchObject({
    status: 404,
    code: "not-found",
  });
});

test("every parameter is refused if it is empty, and the document says so", async () => {
  const key = await newKey();
  const document = await readDocument();
  for (const { method, path, operation } of operationsOf(document)) {
    for (const { name, in: place, schema } of operation.parameters) {
      if (place !== "query") continue;
      const { status, body } = await call(method, `${path.replace("{id}", "1")}?${name}=`, { key });
      expect([status, body.errors], name).toEqual([400, [{ parameter: name, detail: "must not be empty" }]]);
      const isAllowed = accepts(document, (schema.items as typeof schema | undefined) ?? schema, "");
      expect(isAllowed, `${name} in the document`).toBe(false);
    }
  }
});

test("every route refuses what it does not know, with the names of what is wrong", async () => {
  const key = await newKey();
  for (const { method, path, at, body } of await everyRoute()) {
    const unknown = await call(method, `${at}?colour=red`, { key, body });
    expect(unknown.body).toMatchObject({ code: "invalid-query", errors: [{ parameter: "colour" }] });
    expect((await call(method, `${at}?cursor=${key}`, { key, body })).body).toMatchObject({ code: "key-in-url" });
    expect((await call(method, `${at}?key=${key}`)).body).toMatchObject({ code: "key-in-url" });
    if (path !== at) expect((await call(method, path.replace("{id}", "999"), { key, body })).status).toBe(404);
    if (!["POST /entries", "PATCH /entries/1", "POST /entries/find"].includes(`${method} ${at}`)) continue;
    const members = await call(method, at, { key, body: { ...(body as object), colour: "red" } });
    expect(members.body).toMatchObject({
      code: "invalid-body",
      errors: [{ pointer: "#/colour", detail: "is not a known field" }],
    });
    expect((await call(method, at, { key, body, headers: { "Content-Type": "text/plain" } })).status).toBe(415);
    expect((await call(method, at, { key, body: "[1]" })).body).toMatchObject({ code: "malformed-json" });
    expect((await call(method, at, { key, body: `"${"x".repeat(40_000)}"` })).status).toBe(413);
  }
});

test.each<[string, () => D1Database, (path: string) => number]>([
  ["a failing database", () => brokenD1, () => 503],
  [
    "a database that fails after the look-up of the key",
    () =>
      meteredD1((sql) => {
        if (!sql.includes("api_keys")) throw new Error("D1_ERROR: ada@example.com");
      }).d1,
    (path) => (path === "/key" ? 200 : 503),
  ],
  ["a used-up quota", () => quotaD1({ read: 0 }).d1, () => 503],
])("every route responds to %s with 503", async (fault, openD1, expected) => {
  const key = await newKey();
  const faulty = contractSite({ ...unlimitedRates, DB: openD1() });
  for (const { method, at, body } of await everyRouteWithKey()) {
    const response = await faulty.call(method, at, { key, body });
    expect(response.status, `${method} ${at}`).toBe(expected(at));
    expect(JSON.stringify(response.body)).not.toContain("ada@");
    if (fault === "a failing database") expect(response.body.detail).toMatch(/[0-9A-Z]{4}-[0-9A-Z]{4}/);
    if (fault === "a used-up quota") expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  }
});

test("every route responds to a key that makes too many requests with 429", async () => {
  const key = await newKey();
  const name = `key:${(await hashKey(key)).slice(0, 32)}`;
  const API_LIMIT = { limit: async (of: RateLimitOptions) => ({ success: of.key !== name }) };
  const limited = contractSite({ ...unlimitedRates, API_LIMIT });
  for (const { method, at } of await everyRouteWithKey()) {
    const response = await limited.call(method, at, { key });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(response.headers.get("RateLimit"), at).toBe('"key";r=0;t=60');
  }
});

test("a key is told its quota of wrangler.toml, and how much of it is left in this minute at most", async () => {
  stopClock(Date.parse("2026-10-05T09:30:18.500Z"));
  const metered = contractSite({}, { keepsMemory: true });
  const [key, other] = [await newKey(), await newKey(["stats:read"], "Other")];
  const quotaOf = async (path: string, options: CallOptions = { key }, method = "GET") => {
    const { headers } = await metered.call(method, path, options);
    return [headers.get("RateLimit-Policy"), headers.get("RateLimit")];
  };
  const { limit, period } = rateLimits.get("API_LIMIT") ?? {};
  const policy = `"key";q=${limit};w=${period}`;
  expect(await quotaOf("/key")).toEqual([policy, '"key";r=119;t=42']);
  expect(await quotaOf("/entries", { key }, "HEAD")).toEqual([policy, '"key";r=118;t=42']);
  // Refused after it was counted.
  expect(await quotaOf("/entries?colour=red")).toEqual([policy, '"key";r=117;t=42']);
  expect(await quotaOf("/entries/9")).toEqual([policy, '"key";r=116;t=42']);
  expect(await quotaOf("/entries", { key: other })).toEqual([policy, '"key";r=119;t=42']);
  for (const [path, options] of [
    ["/key", {}],
    ["/key", { key: `swk_${"A".repeat(43)}` }],
    [`/key?key=${key}`, { key }],
    ["/nothing", { key }],
    ["/openapi.json", { key }],
  ] as [string, CallOptions][])
    expect(await quotaOf(path, options), path).toEqual([null, null]);
  await Promise.all(Array.from({ length: 116 }, () => quotaOf("/key")));
  expect(await quotaOf("/key")).toEqual([policy, '"key";r=0;t=60']);
  vi.setSystemTime(Date.parse("2026-10-05T09:31:00Z"));
  expect(await quotaOf("/key", { key: other })).toEqual([policy, '"key";r=119;t=60']);
});

test("pages of other sites may read the document, and nothing else", async () => {
  const key = await newKey();
  const headers = { Origin: "https://editor.example" };
  const cors = async (method: string, path: string, more: object = {}) => {
    const { status, headers: response } = await call(method, path, { headers: { ...headers, ...more } });
    return [status, response.get("Access-Control-Allow-Origin")];
  };
  expect(await cors("GET", "/openapi.json")).toEqual([200, "*"]);
  expect(await cors("HEAD", "/openapi.json")).toEqual([200, "*"]);
  expect(await cors("GET", "/openapi.json?colour=red")).toEqual([400, null]);
  for (const { method, at } of await everyRoute()) {
    const preflight = { "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization" };
    expect(await cors("OPTIONS", at, preflight)).toEqual([405, null]);
    const Authorization = `Bearer ${key}`;
    if (at !== "/openapi.json") expect((await cors(method, at, { Authorization }))[1], at).toBeNull();
  }
});

test.each(["", "/"])("/api/v1%s is the page", async (slash) => {
  const responses = await Promise.all(
    ["GET", "HEAD", "POST"].map((method) => site.request(`/api/v1${slash}`, { method })),
  );
  const [page, head, refused] = responses;
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 405]);
  expect(await page?.text()).toContain("/api/v1/openapi.json");
  expect(head?.headers.get("Content-Type")).toBe(page?.headers.get("Content-Type"));
  expect([await head?.text(), refused?.headers.get("Allow")]).toEqual(["", "GET, HEAD"]);
  expect((await site.request("/api/v1/entries/")).status).toBe(404);
});

test("HEAD gets what GET does, without a body", async () => {
  const key = await newKey();
  await call("POST", "/entries", { key, body: newEntry });
  for (const { method, at } of await everyRoute()) {
    if (method !== "GET") continue;
    for (const query of ["", "?colour=red"]) {
      const [get, head] = [await call("GET", at + query, { key }), await call("HEAD", at + query, { key })];
      const namesOf = ({ headers }: typeof get) => [...headers].map(([name]) => name);
      expect([head.status, head.body, namesOf(head)], at).toEqual([get.status, null, namesOf(get)]);
    }
  }
});

test("a cursor is for its own list, as long as changes are on record, and for no other", async () => {
  const key = await newKey();
  for (const name of ["ada", "grace"])
    await call("POST", "/entries", { key, body: { ...newEntry, email: `${name}@example.com` } });
  const lists = ["/entries?order=newest", "/entries?order=oldest", "/entries?order=changed"];
  if (letters) {
    await env.DB.exec(
      `INSERT INTO letters (id, key, state, subject, preview_line, body, audience, is_public, created_at, updated_at)
      VALUES (1, 'a', 'draft', 'A', '', 'A', '{}', 0, 5, 5), (2, 'b', 'draft', 'B', '', 'B', '{}', 0, 6, 6)`.replaceAll(
        "\n",
        " ",
      ),
    );
    lists.push("/letters?");
  }
  const cursors: [list: string, cursor: string][] = [];
  for (const list of lists) cursors.push([list, (await call("GET", `${list}&limit=1`, { key })).body.next_cursor]);
  const { sync_cursor } = (await call("GET", `/entries?order=changed&limit=100`, { key })).body;
  cursors.push(["/entries?order=changed", sync_cursor]);
  for (const [own, cursor] of cursors) {
    for (const list of lists) {
      const { status, body } = await call("GET", `${list}&cursor=${cursor}`, { key });
      if (list === own) expect(status, `${cursor} in ${list}`).toBe(200);
      else expect(body, `${cursor} in ${list}`).toMatchObject({ status: 400, errors: [{ parameter: "cursor" }] });
    }
  }
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31 * 24 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const late = await call("GET", `/entries?order=changed&cursor=${sync_cursor}`, { key });
  expect(late.body).toMatchObject({ status: 410, code: "cursor-expired" });
});

test("an entry is not given the address of another one", async () => {
  const key = await newKey();
  const { id } = (await call("POST", "/entries", { key, body: newEntry })).body;
  await call("POST", "/entries", { key, body: { ...newEntry, email: "grace@example.com" } });
  const { body } = await call("PATCH", `/entries/${id}`, { key, body: { email: "grace@example.com" } });
  expect(body).toMatchObject({ status: 409, code: "address-refused" });
});

test("unknown paths and methods get problem details, and methods with those that are allowed", async () => {
  const key = await newKey();
  for (const path of ["/nothing", "/entries/x", "/entries/1/erase", "/entries/1234567890123456", "/%ff"]) {
    expect((await call("PUT", path, { key })).body).toMatchObject({ code: expect.any(String) });
  }
  expect((await call("GET", "/nothing")).body.detail).toContain("/api/v1");
  const put = await call("PUT", "/entries", { key });
  expect(put.status).toBe(405);
  expect(put.headers.get("Allow")).toBe("GET, HEAD, POST");
  expect((await call("OPTIONS", "/entries/1")).headers.get("Allow")).toBe("GET, HEAD, PATCH, DELETE");
  expect((await call("POST", "")).headers.get("Allow")).toBe("GET, HEAD");
  expect((await call("HEAD", "/entries", { key })).status).toBe(200);
});

test("every route refuses plain http, also with a key", async () => {
  const encrypted = contractSite({ ...unlimitedRates, SITE_URL: env.SITE_URL.replace("http:", "https:") });
  const key = await newKey();
  for (const { method, at } of await everyRoute()) {
    const refused = await encrypted.call(method, at, { key });
    expect([refused.status, refused.body.code]).toEqual([400, "not-https"]);
  }
});

test("the document is served where the site is, and has no gaps", async () => {
  const document = await readDocument();
  expect(document.servers).toEqual([{ url: `${env.SITE_URL}/api/v1` }]);
  expect(JSON.stringify(document)).not.toContain("undefined");
});
