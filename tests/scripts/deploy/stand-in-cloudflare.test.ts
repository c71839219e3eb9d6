import { beforeAll, expect, test } from "vitest";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";

/*
 * The stand-in for Cloudflare's API, held to the answers that the real one gives. One that is kinder hides a failure.
 * https://developers.cloudflare.com/fundamentals/api/reference/ and the codes that Wrangler knows.
 */

let cloudflare: Awaited<ReturnType<typeof startFakeCloudflare>>;
beforeAll(async () => {
  cloudflare = await startFakeCloudflare();
  await call("POST", "/d1/database", { name: "taken" });
  await call("POST", "/storage/kv/namespaces", { title: "taken" });
  const { result } = await call("POST", "/queues", { queue_name: "taken" });
  await call("POST", `/queues/${result.queue_id}/consumers`, consumer);
  return cloudflare.stop;
});

const consumer = { type: "worker", script_name: "waitlist-site", settings: {} };
const ofZone = (zone_id: string) => ({ type: "email.sending", zone_id, domain: "market.test" });

async function call(method: string, path: string, body?: object, token = "a-token") {
  const url = `${cloudflare.url}/accounts/${cloudflare.env.CLOUDFLARE_ACCOUNT_ID}${path}`;
  const init = { method, headers: { Authorization: `Bearer ${token}` }, body: body && JSON.stringify(body) };
  const response = await fetch(url, init as RequestInit);
  return { status: response.status, ...(await response.json()) };
}

const queueId = () => cloudflare.queues[0]?.queue_id ?? "";

test.each<[status: number, code: number, method: string, path: () => string, body?: () => object, token?: string]>([
  [403, 10000, "GET", () => "/queues", undefined, "another-token"],
  [404, 7003, "GET", () => "/nothing"],
  [400, 7502, "POST", () => "/d1/database", () => ({ name: "taken" })],
  [404, 7404, "GET", () => "/d1/database/missing"],
  [400, 7500, "POST", () => "/d1/database/taken/query", () => ({ sql: "SELECT nothing" })],
  [400, 10014, "POST", () => "/storage/kv/namespaces", () => ({ title: "taken" })],
  [404, 10007, "GET", () => "/workers/scripts/waitlist-site/secrets"],
  [400, 11003, "POST", () => "/queues", () => ({ queue_name: "Not A Name" })],
  [409, 11009, "POST", () => "/queues", () => ({ queue_name: "taken" })],
  [404, 11000, "POST", () => "/queues/missing/consumers", () => consumer],
  [400, 11004, "POST", () => `/queues/${queueId()}/consumers`, () => consumer],
  [
    400,
    11500,
    "POST",
    () => "/event_subscriptions/subscriptions",
    () => ({ source: ofZone("another"), destination: { type: "queues.queue", queue_id: queueId() } }),
  ],
])("responds with %d and code %d", async (status, code, method, path, body, token) => {
  expect(await call(method, path(), body?.(), token)).toEqual({
    status,
    success: false,
    errors: [{ code, message: expect.any(String) }],
    messages: [],
    result: null,
  });
});

test("undoes all statements of a request to D1 of which one fails", async () => {
  const batch = [{ sql: "CREATE TABLE a (b)" }, { sql: "SELECT nothing" }];
  expect((await call("POST", "/d1/database/taken/query", { batch })).status).toBe(400);
  expect((await call("POST", "/d1/database/taken/query", { sql: "SELECT * FROM a" })).status).toBe(400);
});
