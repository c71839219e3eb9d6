import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { builtWorker } from "#tests/support/pool/built-site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { confirmToken, dataToken, unsubscribeToken } from "#tests/support/pool/email-links.ts";
import {
  BATCH_SIZE,
  batchOf,
  type FuzzRequest,
  fuzzCases,
  fuzzSeed,
  requestArbitrary,
  toRequest,
} from "#tests/support/pool/fuzz.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshStorageForEachTest();
const seed = fuzzSeed();
const log = captureLog();

const CASES = fuzzCases(600, BATCH_SIZE);

const formTypes = ["application/x-www-form-urlencoded", "application/x-www-form-urlencoded;charset=UTF-8"];
const anyPost = requestArbitrary((fields) => new URLSearchParams(Object.entries(fields)).toString(), formTypes);

interface Entry {
  id: number;
  email: string;
  status: string;
}

test(`${CASES} fuzzed requests to the landing page: documented statuses, and a consistent database`, {
  timeout: 120_000,
}, async () => {
  let joined = 0;
  const path = fc.constantFrom("/", "/?utm_source=a", "/?index", "/_root.data", "/?email=eve@example.com");
  await fuzz(path, async (request, status, text) => {
    expect([200, 201, 403, 404, 405, 409, 413, 422, 429]).toContain(status);
    if ([200, 201, 409, 422].includes(status) && request.method !== "HEAD") expect(text.length).toBeGreaterThan(0);
    if ([201, 409].includes(status)) expect(request.body.length).toBeLessThanOrEqual(4_096);
    if (status === 201) joined += 1;
  });

  const entries = await rows<Entry>("waitlist_emails");
  // One in 50 of the cases may be too few for a valid one.
  expect(entries.length).toBeGreaterThanOrEqual(Math.floor(CASES / 600));
  // A filled honeypot also gets a 201.
  expect(entries.length).toBeLessThanOrEqual(joined);
  expect(new Set(entries.map(({ email }) => email.toLowerCase())).size).toBe(entries.length);
  expect(entries.filter(({ email }) => email !== email.toLowerCase())).toEqual([]);
  expect(entries.filter(({ email }) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))).toEqual([]);
  const emails = await rows<{ entry_id: number; kind: string }>("email_outbox");
  expect(emails.map(({ entry_id }) => entry_id).toSorted()).toEqual(entries.map(({ id }) => id).toSorted());
  expect(emails.filter(({ kind }) => kind !== "welcome")).toEqual([]);
});

test(`${CASES} fuzzed requests to invalid links: documented statuses, and nothing changed`, {
  timeout: 120_000,
}, async () => {
  const added = await addEntry(openDb(env.DB), {
    email: "ada@example.com",
    source: "a",
    columns: {},
    now: 0,
    mustConfirm: true,
  });
  const id = added.kind === "new" ? added.id : 0;
  const before = [await rows("waitlist_emails"), await rows("email_outbox")];
  const invalid = (token: string, ofTheOther: string) =>
    fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 60 }).map((text) => encodeURIComponent(text.toWellFormed())),
      fc.nat(token.length - 1).map((at) => token.slice(0, at) || "1"),
      fc.stringMatching(/^[0-9a-z]{1,11}\.[\w-]{43}$/),
      fc.constantFrom(`${token}%`, `%${token}`, `${token}%E9`, `${token}.`, `${token}%00`, ofTheOther),
      fc.constantFrom("%", "%ZZ", "%00", "%C3%A9", "%0D%0ASet-Cookie:%20a=b", "1.", ".1", "__proto__"),
    );
  const [data, unsubscribe, confirm] = [await dataToken(id), await unsubscribeToken(id), await confirmToken(id)];
  const folder = fc.oneof(
    invalid(data, unsubscribe).map((token) => `/your-data/${token}`),
    invalid(unsubscribe, data).map((token) => `/unsubscribe/${token}`),
    invalid(confirm, data).map((token) => `/confirm/${token}`),
  );
  const path = fc.tuple(folder, fc.constantFrom("", "/one-click", "/export", ".data")).map((parts) => parts.join(""));
  await fuzz(path, async (_request, status) => {
    expect([200, 202, 303, 400, 403, 404, 405, 413]).toContain(status);
  });
  expect([await rows("waitlist_emails"), await rows("email_outbox")]).toEqual(before);
  expect(log.filter((line) => [data, unsubscribe, confirm].some((token) => line.includes(token)))).toEqual([]);
});

test(`${CASES} fuzzed consent choices: documented statuses, and no rows`, {
  timeout: 120_000,
}, async () => {
  const path = fc.constantFrom(
    "/cookie-policy",
    "/cookie-policy?cookies=settings",
    "/cookie-policy.data",
    "/%cookie-policy",
  );
  await fuzz(path, async (_request, status) => {
    expect([200, 202, 303, 400, 403, 404, 405, 413]).toContain(status);
  });
  expect([await rows("waitlist_emails"), await rows("email_outbox")]).toEqual([[], []]);
});

/** Sends every case, checks the rules common to all responses, and passes each to `check`. */
async function fuzz(
  anyPath: fc.Arbitrary<string>,
  check: (request: FuzzRequest, status: number, text: string) => Promise<void>,
): Promise<void> {
  const bindings = { ...env };
  const execution = createExecutionContext();
  await fc.assert(
    fc.asyncProperty(anyPath, batchOf(anyPost), async (path, batch) => {
      await Promise.all(batch.map((request) => send(path, request)));
    }),
    // No shrinking: every page leaves timers running for seconds, and 10,000 is the limit.
    { seed, numRuns: CASES / BATCH_SIZE, endOnFailure: true },
  );
  await waitOnExecutionContext(execution);
  expect(log.filter((line) => line.includes("@") || line.includes("page-failed"))).toEqual([]);

  async function send(path: string, request: FuzzRequest) {
    const response = await builtWorker.fetch(toRequest(env.SITE_URL + path, request), bindings, execution);
    const text = await response.text();
    expect(response.headers.get("Location") ?? "").toMatch(/^[!-~]*$/);
    expect(text).not.toMatch(/\n\s+at \S+ \(|D1_ERROR|SQLITE/);
    await check(request, response.status, text);
  }
}
