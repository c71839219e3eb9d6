import { env } from "cloudflare:test";
import { expect, onTestFinished, test } from "vitest";
import { hashKey } from "#app/owner/api-keys/keys.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { letters } from "#app/switches.ts";
import { contractSite, type Document, newKey, operationsOf } from "#tests/support/pool/api-contract.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { meteredD1 } from "#tests/support/pool/metered-d1.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { quotaD1 } from "#tests/support/pool/quota-d1.ts";
import { openApi } from "#worker/api/v1/openapi.ts";
import { apiPage } from "#worker/api/v1/page/api-page.tsx";
import { routes } from "#worker/api/v1/routes/index.ts";

/* Every response is checked against the OpenAPI document by `contractSite`. */

needs("api");
freshStorageForEachTest();
captureLog();

const site = contractSite(unlimitedRates);
const { call } = site;

/** Responses of sites with faults, which count too. */
const others: Set<string>[] = [];

const newEntry = { email: "ada@example.com", consent: { at: "2026-10-05T09:30:00Z", note: "At the autumn fair." } };

test("every route responds as documented when all is well", async () => {
  const key = await newKey();
  const added = await call("POST", "/entries", {
    key,
    body: { ...newEntry, answers: { role: "host" }, send_email: true },
  });
  expect(added.status).toBe(201);
  const { id } = added.body;
  expect(added.headers.get("Location")).toBe(`${env.SITE_URL}/api/v1/entries/${id}`);
  expect((await call("POST", "/entries", { key, body: newEntry })).status).toBe(200);
  expect((await call("GET", "/entries", { key })).body.entries).toEqual([added.body]);
  expect((await call("GET", `/entries/${id}`, { key })).body).toEqual(added.body);
  const changed = await call("PATCH", `/entries/${id}`, {
    key,
    body: { note: "Two stalls", answers: { town: "York", role: null } },
  });
  expect(changed.body).toEqual({ ...added.body, note: "Two stalls", answers: { town: "York" } });
  expect((await call("POST", `/entries/${id}/unsubscribe`, { key })).body).toMatchObject({
    status: "unsubscribed",
    unsubscribe_reason: "owner",
  });
  expect((await call("GET", "/stats/days", { key })).body).toMatchObject({ totals: { joined: 1, unsubscribed: 1 } });
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
  await suppress(openDb(env.DB), { hashes: [hash], reason: "complaint", until: null }, Date.now());
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

test("every route refuses what it does not know, with the names of what is wrong", async () => {
  const key = await newKey();
  for (const { method, path, operation } of operationsOf(await site.document())) {
    const at = path.replace("{id}", "1");
    const body = operation.requestBody?.content["application/json"].example;
    const unknown = await call(method, `${at}?colour=red`, { key, body });
    expect(unknown.body).toMatchObject({ code: "invalid-query", errors: [{ parameter: "colour" }] });
    expect((await call(method, `${at}?cursor=${key}`, { key, body })).body).toMatchObject({ code: "key-in-url" });
    expect((await call(method, `${at}?key=${key}`)).body).toMatchObject({ code: "key-in-url" });
    if (path.includes("{id}"))
      expect((await call(method, path.replace("{id}", "999"), { key, body })).status).toBe(404);
    if (body === undefined) continue;
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

test("every route needs a key with its scope", async () => {
  for (const { method, path, operation } of operationsOf(await site.document())) {
    const [scope] = operation.security.flatMap(({ key }) => key);
    if (operation.security.length === 0) continue;
    const at = path.replace("{id}", "1");
    const missing = await call(method, at);
    expect(missing.body).toMatchObject({ code: "no-key" });
    expect(missing.headers.get("WWW-Authenticate")).toBe('Bearer realm="api"');
    if (scope === undefined) continue;
    const weak = await newKey([scope === "stats:read" ? "letters:read" : "stats:read"], `without ${method} ${path}`);
    const refused = await call(method, at, { key: weak });
    expect(refused.body).toMatchObject({ status: 403, code: "wrong-scope" });
    expect(refused.headers.get("WWW-Authenticate")).toContain(`scope="${scope}"`);
  }
});

test("every route responds to a failing database with 503, and a used-up quota with the time to try again", async () => {
  const key = await newKey();
  const failing = meteredD1((sql) => {
    if (!sql.includes("api_keys")) throw new Error("D1_ERROR: ada@example.com");
  });
  const faults: [D1Database, (path: string) => number][] = [
    [brokenD1, () => 503],
    [failing.d1, (path) => (path === "/key" ? 200 : 503)],
    [quotaD1({ read: 0 }).d1, () => 503],
  ];
  for (const [DB, expected] of faults) {
    const faulty = contractSite({ ...unlimitedRates, DB });
    others.push(faulty.met);
    for (const { method, path, operation } of operationsOf(await site.document())) {
      if (operation.security.length === 0) continue;
      const body = operation.requestBody?.content["application/json"].example;
      const response = await faulty.call(method, path.replace("{id}", "1"), { key, body });
      expect(response.status, `${method} ${path}`).toBe(expected(path));
      if (response.status !== 503) continue;
      expect(JSON.stringify(response.body)).not.toContain("ada@");
      if (DB === brokenD1) expect(response.body.detail).toMatch(/[0-9A-Z]{4}-[0-9A-Z]{4}/);
      if (DB !== brokenD1 && DB !== failing.d1) expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
  }
});

test("every route responds to a key that makes too many requests with 429", async () => {
  const key = await newKey();
  const name = `key:${(await hashKey(key)).slice(0, 32)}`;
  const API_LIMIT = { limit: async (of: RateLimitOptions) => ({ success: of.key !== name }) };
  const limited = contractSite({ ...unlimitedRates, API_LIMIT });
  others.push(limited.met);
  for (const { method, path, operation } of operationsOf(await site.document())) {
    if (operation.security.length === 0) continue;
    const response = await limited.call(method, path.replace("{id}", "1"), { key });
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("60");
  }
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
  others.push(encrypted.met);
  const key = await newKey();
  for (const { method, path } of operationsOf(await site.document())) {
    const refused = await encrypted.call(method, path.replace("{id}", "1"), { key });
    expect([refused.status, refused.body.code]).toEqual([400, "not-https"]);
  }
});

test("every documented status of every route was among these responses", async () => {
  const document: Document = await site.document();
  const met = new Set([site.met, ...others].flatMap((responses) => [...responses]));
  const documented = operationsOf(document).flatMap(({ operation }) =>
    Object.keys(operation.responses).map((status) => `${operation.operationId} ${status}`),
  );
  expect(documented.filter((response) => !met.has(response))).toEqual([]);
  expect(documented.length).toBeGreaterThan(60);
});

test("the document and the readable page are made once, however often they are asked for", async () => {
  let reads = 0;
  const config = {
    get SITE_URL() {
      reads += 1;
      return "https://example.com";
    },
  };
  const [documents, page] = [openApi(routes), apiPage(routes)];
  const made = [documents(config), page(config)];
  expect(reads).toBe(2);
  expect([openApi(routes)(config), apiPage(routes)(config)]).toEqual(made);
  expect(reads).toBe(2);
  expect(JSON.parse(made[0] ?? "").servers).toEqual([{ url: "https://example.com/api/v1" }]);
});

test("the document is served where the site is, and has no gaps", async () => {
  const document = await site.document();
  expect(document.servers).toEqual([{ url: `${env.SITE_URL}/api/v1` }]);
  expect(JSON.stringify(document)).not.toContain("undefined");
});
