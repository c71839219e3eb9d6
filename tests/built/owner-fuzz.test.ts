import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { builtWorker } from "#tests/support/pool/built.ts";
import { BATCH_SIZE, batchOf, fuzzCases, fuzzSeed, requestArbitrary, toRequest } from "#tests/support/pool/fuzz.ts";
import { OWNER, ownerBrowser } from "#tests/support/pool/owner.ts";
import { db, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();
const seed = fuzzSeed();

const CASES = fuzzCases(600, BATCH_SIZE);

const types = ["application/x-www-form-urlencoded"];
const anyPost = requestArbitrary((fields) => new URLSearchParams(Object.entries(fields)).toString(), types);

const anyPath = fc.oneof(
  fc.constantFrom(
    "/owner",
    "/owner?days=90",
    "/owner/entries",
    "/owner/entries/1",
    "/owner/entries/erase?source=a",
    "/owner/export.csv",
    "/owner/outbox/retry",
    "/owner/stats?days=90",
  ),
  fc.constantFrom("/owner/sign-out", "/owner/sign-in", "/owner/sign-in/", "/owner/entries/1?done=erased", "/owner/%"),
  fc.stringMatching(/^[0-9a-z-]{1,36}\.[\w-]{43}$/).map((token) => `/owner/sign-in/${token}`),
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => `/owner/${encodeURIComponent(text.toWellFormed())}`),
);

test(`${CASES} arbitrary requests without a session get identical responses and change nothing`, {
  timeout: 120_000,
}, async () => {
  await addEntry(db, { email: "ada@example.com", source: "a", columns: {}, now: 0 });
  const tables = ["waitlist_emails", "email_outbox", "stats", "erased_totals", "owner_sign_in_tokens"] as const;
  const database = () => Promise.all(tables.map((table) => rows(table)));
  const before = await database();
  const refusal = (await ownerBrowser().request("/owner")).body;
  const linkRequested = (await ownerBrowser().post("/owner/sign-in", { email: "eve@example.com" })).body;
  const execution = createExecutionContext();

  await fc.assert(
    fc.asyncProperty(batchOf(fc.tuple(anyPath, anyPost)), async (crowd) => {
      await Promise.all(crowd.map(([path, request]) => send(path, request)));
    }),
    { seed, numRuns: CASES / BATCH_SIZE },
  );
  await waitOnExecutionContext(execution);
  expect(await database()).toEqual(before);
  expect(await rows("owner_sign_in_tokens")).toEqual([]);
  expect(log.filter((line) => line.includes("owner-page-failed"))).toEqual([]);

  async function send(path: string, request: Parameters<typeof toRequest>[1]) {
    // A new isolate, which writes its first counts at once and not seconds later.
    const isolate = { ...env, OWNER_EMAIL: OWNER };
    const response = await builtWorker.fetch(toRequest(env.SITE_URL + path, request), isolate, execution);
    const body = await response.text();
    expect(response.headers.getSetCookie()).toEqual([]);
    // Trailing slashes redirect to the canonical URL.
    if (response.status === 301) return;
    if (request.method === "HEAD") expect(response.status).toBe(403);
    else expect([`403 ${refusal}`, `200 ${linkRequested}`]).toContain(`${response.status} ${body}`);
    if (response.status === 200) expect([request.method.toUpperCase(), path]).toEqual(["POST", "/owner/sign-in"]);
  }
});
