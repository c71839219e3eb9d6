import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { loggedActions, signedInBrowser } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("api");
const log = freshStorageForEachTest();
const browser = signedInBrowser();

const key = /swk_[\w-]{43}/;

/** Makes a key, as the form does. */
async function make(name: string, ...scopes: string[]) {
  const body = new URLSearchParams([["name", name], ...scopes.map((scope) => ["scopes", scope])]);
  const init = { method: "POST", headers: { Origin: "http://localhost:8787" }, body };
  const { status, body: page, headers } = await browser.request("/owner/api-keys", init);
  return { status, page, headers, key: key.exec(page)?.[0] ?? "no key" };
}

/** A request of a program. */
async function callApi(path: string, made: string) {
  return (await browser.request(`/api/v1${path}`, { headers: { Authorization: `Bearer ${made}`, Cookie: "" } })).status;
}

test("a key is shown once, in the response to the form, and works at once", async () => {
  const made = await make("CRM", "entries:read", "stats:read");
  expect(made.status).toBe(200);
  expect(made.key).toMatch(key);
  expect(made.headers.get("Location")).toBeNull();
  expect(made.headers.get("Cache-Control")).toBe("no-store");
  const list = async () => (await browser.request("/owner/api-keys")).body;
  expect(await list()).toContain("Never");
  expect(await callApi("/entries", made.key)).toBe(200);
  expect(await list()).not.toContain("Never");
  expect(await callApi("/letters", made.key)).toBe(403);
  for (const path of ["/owner/api-keys", "/owner/log"]) {
    const { body } = await browser.request(path);
    expect(body).toContain("CRM");
    expect(body).not.toMatch(key);
  }
  expect(JSON.stringify([await rows("api_keys"), await rows("owner_log"), log])).not.toMatch(/swk_/);
});

test("a scope that the site no longer has is not shown", async () => {
  await execute(
    "INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('CRM', 'x', ?, 0)",
    '["stats:read","votes:read"]',
  );
  const { body } = await browser.request("/owner/api-keys");
  expect(body).toContain("<div>Read the stats on the overview</div>");
  expect(body).not.toContain("<div></div>");
});

test("a revoked key is refused by the next request, its name is free, and making and revoking are in the log", async () => {
  const made = await make("CRM", "stats:read");
  expect(await callApi("/stats/days", made.key)).toBe(200);
  const { status, headers } = await browser.post("/owner/api-keys/1", { intent: "revoke" });
  expect([status, headers.get("Location")]).toEqual([303, "/owner/api-keys?done=key-revoked"]);
  expect(await callApi("/stats/days", made.key)).toBe(401);
  expect((await browser.post("/owner/api-keys/1", { intent: "revoke" })).headers.get("Location")).toContain(
    "unchanged",
  );
  expect(await loggedActions()).toEqual([
    ["create-api-key", { key: "1", name: "CRM", scopes: "stats:read" }],
    ["revoke-api-key", expect.any(Object)],
  ]);
  const { body } = await browser.request("/owner/api-keys?done=key-revoked");
  expect((await make("CRM", "stats:read")).status).toBe(200);
  expect(body).toMatch(/Revoked keys.*CRM/s);
});

test.each([
  ["", ["stats:read"], "name"],
  ["   ", ["stats:read"], "name"],
  ["x".repeat(51), ["stats:read"], "name"],
  ["ada@example.com", ["stats:read"], "name"],
  ["taken", ["stats:read"], "name"],
  ["CRM", [], "scopes"],
  ["CRM", ["everything"], "scopes"],
])("refuses the name %j with %j beside the field", async (name, scopes, field) => {
  await make("Taken", "stats:read");
  const { status, page } = await make(name, ...scopes);
  expect(status).toBe(422);
  expect(page).toContain(`id="${field}-problem"`);
  expect(await rows("api_keys")).toHaveLength(1);
});

test("50 keys can work at a time: another is refused until one is revoked", async () => {
  await env.DB.exec(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 49)
    INSERT INTO api_keys (name, hash, scopes, created_at) SELECT 'Key ' || n, n, '["stats:read"]', 0 FROM numbers`.replaceAll(
      "\n",
      " ",
    ),
  );
  expect((await make("The 50th", "stats:read")).status).toBe(200);
  const refused = await make("The 51st", "stats:read");
  expect([refused.status, refused.key]).toEqual([422, "no key"]);
  expect(await rows("api_keys")).toHaveLength(50);
  await browser.post("/owner/api-keys/1", { intent: "revoke" });
  expect((await make("The 51st", "stats:read")).status).toBe(200);
});

test("the readable page of the API is public, and needs no script", async () => {
  const { status, headers, body } = await browser.request("/api/v1", { headers: { Cookie: "" } });
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toContain("text/html");
  expect(headers.get("Content-Security-Policy")).not.toContain("script-src");
  expect(headers.get("X-Robots-Tag")).toBe("noindex");
  expect(body).not.toContain("<script");
  expect(body).toMatch(/id="WrittenEntry".*Without the scope <code>entries:read<\/code>, it has only/s);
});

test("the type of every problem leads to a part of the readable page", async () => {
  const { body } = await browser.request("/api/v1");
  for (const path of ["/nothing", "/entries", `/key?a=swk_${"x".repeat(43)}`]) {
    const { type } = JSON.parse((await browser.request(`/api/v1${path}`)).body);
    expect(body).toContain(`id="${new URL(type).hash.slice(1)}"`);
  }
});
