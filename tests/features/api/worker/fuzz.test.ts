import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkResponse, contractSite, newKey, readDocument } from "#tests/features/api/pool/api-contract.ts";
import { type ApiRequest, apiRequests } from "#tests/features/api/pool/api-fuzz.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { BATCH_SIZE, batchOf, fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { addEntries, freshStorageForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { createApp } from "#worker/app.ts";

needs("api");
const log = freshStorageForEachTest();
const seed = fuzzSeed();

const CASES = fuzzCases(10_000, BATCH_SIZE);

test(`${CASES} random requests from the OpenAPI document: documented responses, problem details, no failure`, {
  timeout: 600_000,
}, async () => {
  await addEntries(60, Date.now() - 60_000);
  const key = await newKey();
  const weak = await newKey(["stats:read"], "Weak");
  const document = await readDocument();
  const app = createApp(async () => new Response("a page"));
  const bindings = { ...env, ...unlimitedRates, EMAIL: emailBinding().binding };
  const execution = createExecutionContext();
  const statuses = new Map<number, number>();
  const keys = [key, weak, "swk_wrong", `swk_${"A".repeat(43)}`, ""];
  const requests = apiRequests(document, keys, await someCursors(key));
  await fc.assert(
    fc.asyncProperty(batchOf(requests), async (batch) => {
      await Promise.all(batch.map(send));
    }),
    { seed, numRuns: CASES / BATCH_SIZE, endOnFailure: true },
  );
  await waitOnExecutionContext(execution);
  // The requests reached the routes, not only their guards. Rarer statuses are missing from a short run now and then.
  const rare = CASES < 10_000 ? [] : [201, 204, 403, 409, 410, 413, 415];
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 422, ...rare]));
  expect((statuses.get(200) ?? 0) / CASES).toBeGreaterThan(0.1);
  expect((await rows("waitlist_emails")).length).toBeGreaterThan(0);
  expect(log.filter((line) => line.includes("@") || line.includes("swk_") || line.includes("api-failed"))).toEqual([]);

  async function send({ method, path, headers, body }: ApiRequest) {
    const init = { method, headers, ...(["GET", "HEAD"].includes(method) || body === undefined ? {} : { body }) };
    const request = new Request(`${env.SITE_URL}/api/v1${path}`, init);
    const response = await app.fetch(request, bindings, execution);
    const text = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    expect(response.status, `${method} ${path} ${text}`).toBeLessThan(500);
    checkResponse(document, method, path, response, text);
    if (response.ok || method === "HEAD") return;
    expect(response.headers.get("Content-Type")).toBe("application/problem+json");
    expect(JSON.parse(text).status).toBe(response.status);
    expect(text).not.toMatch(/\n\s+at \S+ \(|D1_ERROR|SQLITE/);
  }
});

/** Cursors of all lists in the middle and at the end, and one that is too old. */
async function someCursors(key: string): Promise<string[]> {
  const { call } = contractSite(unlimitedRates);
  const lists = ["/entries?order=newest", "/entries?order=oldest", "/entries?order=changed"];
  const cursors = [];
  for (const list of lists) {
    const { body } = await call("GET", `${list}&limit=40`, { key });
    cursors.push(body.next_cursor);
    const last = await call("GET", `${list}&limit=40&cursor=${body.next_cursor}`, { key });
    if (last.body.sync_cursor) cursors.push(last.body.sync_cursor);
  }
  return [...cursors, btoa("changed 1 30 1"), btoa("letters 0 5")].map((cursor) => cursor.replaceAll("=", ""));
}
