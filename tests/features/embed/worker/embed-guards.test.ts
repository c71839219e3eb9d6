import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";

needs("embed");
freshStorageForEachTest();

const LISTED = "https://shop.example";

beforeEach(async () => {
  await env.DB.exec(`INSERT INTO embed_origins VALUES ('${LISTED}', 0), ('http://localhost:4321', 0)`);
});

/** Posts a form to a Worker whose pages are one line. @returns the status and who responded */
async function post(origin: string | null, init: RequestInit = {}, overrides: Partial<Env> = {}) {
  const { request } = apiSite(overrides);
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    ...(origin === null ? {} : { Origin: origin }),
  };
  const response = await request("/api/embed", { method: "POST", headers, body: "email=ada@example.com", ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

test.each([LISTED, "http://localhost:4321", env.SITE_URL])("a post passes from %s", async (origin) => {
  expect(await post(origin)).toMatchObject({ status: 200, text: "a page" });
});

test.each([
  ["no site that it names", null],
  ["a site that hides", "null"],
  ["a site that is not listed", "https://other.example"],
  ["a name that begins with that of a listed one", `${LISTED}.evil.example`],
  ["a name that ends with that of a listed one", "https://my-shop.example"],
  ["a subdomain", "https://www.shop.example"],
  ["another scheme", "http://shop.example"],
  ["another port", `${LISTED}:8443`],
  ["a path", `${LISTED}/`],
  ["capital letters, which no browser sends", "https://Shop.example"],
  ["two sites", `${LISTED} https://other.example`],
  ["a pattern", "https://%.example"],
  ["a quote", `${LISTED}' OR '1'='1`],
  ["a name without end", `https://${"a".repeat(5_000)}.example`],
  ["nothing", ""],
])("a post is refused, and counted, from %s", async (_, origin) => {
  const { status, text } = await post(origin);
  expect(status).toBe(403);
  expect(text).toContain("hasn’t allowed forms");
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "origin", count: 1 }]);
});

test("a site that was removed is refused from then on", async () => {
  await env.DB.exec("DELETE FROM embed_origins");
  expect((await post(LISTED)).status).toBe(403);
});

test("a client's flood of made-up sites costs a look-up for each post within its limit, and none after", async () => {
  const { d1: DB, matching } = meteredD1();
  const statuses: number[] = [];
  for (let n = 0; n < 35; n += 1) statuses.push((await post(`https://s${n}.example`, {}, { DB })).status);
  expect(statuses).toEqual([...Array(30).fill(403), ...Array(5).fill(429)]);
  expect(matching(/from "embed_origins"/)).toHaveLength(30);
  const refused = await post(LISTED, {}, { DB });
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
  for (const origin of [env.SITE_URL, "null", null]) expect((await post(origin, {}, { DB })).status).not.toBe(429);
  expect(await rows("blocked_attempts")).toContainEqual(expect.objectContaining({ reason: "rate-limited" }));
});

test("a form that is too large is refused before its site is looked up, with or without its length", async () => {
  const large = `email=ada@example.com&pad=${"x".repeat(5_000)}`;
  for (const body of [large, new Blob([large]).stream()]) {
    expect((await post("https://other.example", { body })).status).toBe(413);
  }
  expect(await rows("blocked_attempts")).toMatchObject([{ reason: "body" }]);
});

test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])(
  "%s is not allowed, nor is a script's request for permission",
  async (method) => {
    const { status, headers } = await post(LISTED, { method });
    expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  },
);

test("it is not one of the API's paths with other endings", async () => {
  for (const path of ["/api/embed/", "/api/embed.data", "/api/embed/x", "/api/Embed"]) {
    const response = await apiSite().request(path, { method: "POST", headers: { Origin: LISTED } });
    expect([path, response.status]).toEqual([path, 404]);
  }
});
