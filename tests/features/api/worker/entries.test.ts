import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { contractSite, newKey } from "#tests/features/api/pool/api-contract.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import {
  addEntries,
  db,
  freshStorageForEachTest,
  join,
  needs,
  refuseInserts,
  rows,
} from "#tests/support/pool/start.ts";
import { prototypeNames } from "#tests/support/prototype-names.ts";

needs("api");
const log = freshStorageForEachTest();
const { call } = contractSite(unlimitedRates);

const consent = { at: "2026-10-05T09:30:00Z", note: "Ticked the box at the autumn fair." };
const ada = { email: "ada@example.com", consent };

/** The ids of a list, page by page. `between` runs after each page. */
async function idsOf(key: string, query: string, between = async (_page: number[]) => {}): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await call("GET", `/entries?${query}${cursor && `&cursor=${cursor}`}`, { key });
    const page = body.entries.map(({ id }: { id: number }) => id);
    ids.push(...page);
    await between(page);
    cursor = body.next_cursor;
  }
  return ids;
}

test.each(prototypeNames)("%s is an unknown field, answer and parameter", async (name) => {
  const key = await newKey();
  for (const unknown of [{ [name]: "x" }, { consent: { ...consent, [name]: "x" } }, { answers: { [name]: "x" } }]) {
    const { status, body } = await call("POST", "/entries", { key, body: { ...ada, ...unknown } });
    expect([status, body.code]).toEqual([422, "invalid-body"]);
  }
  expect((await call("GET", `/entries?${name}=x`, { key })).body.code).toBe("invalid-query");
  const filtered = await call("GET", `/entries?answer_role=${name}&source=${name.toLowerCase()}`, { key });
  expect(filtered.status).toBeOneOf([200, 400]);
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("a change whose line in the log cannot be written stays, and is not reported as failed", async () => {
  const key = await newKey();
  const { body } = await call("POST", "/entries", { key, body: ada });
  await refuseInserts("owner_log");
  expect((await call("DELETE", `/entries/${body.id}`, { key })).status).toBe(204);
  expect(await rows("waitlist_emails")).toEqual([]);
  expect(log.join("\n")).toContain("api-change-not-logged");
});

describe("the list", () => {
  test.each(["newest", "oldest"])(
    "%s first, has every entry once and in order while others join and the entry at the cursor is erased",
    async (order) => {
      const key = await newKey(["entries:read"]);
      await addEntries(25, Date.now() - 60_000);
      const before = (await rows<{ id: number }>("waitlist_emails")).map(({ id }) => id);
      const joined: number[] = [];
      const ids = await idsOf(key, `order=${order}&limit=4`, async (page) => {
        joined.push(await join(`late${joined.length}@example.com`));
        // Already returned, and where the next page begins.
        await eraseEntry(db, page.at(-1) ?? 0, Date.now());
      });
      if (order === "newest") expect(ids).toEqual(before.toReversed());
      else expect(ids.slice(0, before.length)).toEqual(before);
      if (order === "oldest") expect(ids.slice(before.length)).toEqual(joined.slice(0, ids.length - before.length));
    },
  );

  test("has people who joined at the same moment once", async () => {
    const key = await newKey(["entries:read"]);
    await addEntries(9, Date.now());
    await env.DB.exec("UPDATE waitlist_emails SET created_at = 5");
    expect((await idsOf(key, "limit=2")).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("has the filters of the owner's list", async () => {
    const key = await newKey();
    const add = async (email: string, more: object) =>
      (await call("POST", "/entries", { key, body: { email, consent, ...more } })).body.id as number;
    const host = await add("host@example.com", { source: "fair", answers: { role: "host", town: "York" } });
    const other = await add("other@example.com", { answers: { role: "curious" } });
    await call("POST", `/entries/${other}/unsubscribe`, { key });
    for (const query of [
      "source=fair",
      "answer_role=host&answer_role=both",
      "answer_town=or",
      "status=active",
      "without=utm_source&without=answer_fairs&source=fair",
      "from=2026-01-01&from_time=00:00&status=active",
    ]) {
      expect(await idsOf(key, query), query).toEqual([host]);
    }
    for (const query of ["imported=yes", "email=unknown"]) expect(await idsOf(key, query), query).toEqual([]);
    expect(await idsOf(key, "status=unsubscribed")).toEqual([other]);
    await env.DB.exec(`UPDATE waitlist_emails SET import_id = 3, bulk_action_id = 1 WHERE id = ${other}`);
    for (const query of ["imported=yes", "imported=3", "unsubscribed_by=1"])
      expect(await idsOf(key, query), query).toEqual([other]);
    expect(await idsOf(key, "imported=4")).toEqual([]);
    await call("PATCH", `/entries/${host}`, { key, body: { note: "Wants two stalls." } });
    expect(await idsOf(key, "untouched=yes")).toEqual([other]);
  });

  test.each([
    ["status=happy", "status", "active"],
    ["from=2026-02-30", "from", ""],
    ["from=21.11.2026", "from", "2026-11-21"],
    ["until_time=10:00", "until_time", ""],
    ["until_time=9", "until_time", "such as 14:05"],
    ["source=a&source=b", "source", "once"],
    ["source=Fair", "source", "spring_fair"],
    ["status=", "status", "empty"],
    ["answer_shoe=9", "answer_shoe", "known"],
    ["limit=0", "limit", "1"],
    ["limit=101", "limit", "100"],
    ["limit=5.5", "limit", "whole"],
    ["cursor=x", "cursor", ""],
    ["order=address", "order", "newest"],
    ["email=dead.no-reason", "email", ""],
    ["email=gone", "email", "dead.complaint"],
    ["friends=some", "friends", "whole number from 1"],
    ["imported=0", "imported", "yes, no or the number"],
    ["untouched=no", "untouched", "yes"],
  ])("refuses %s: names %s and says what it takes, such as %j", async (query, parameter, word) => {
    const { body } = await call("GET", `/entries?${query}`, { key: await newKey() });
    const errors = [{ parameter, detail: expect.stringContaining(word) }];
    expect(body).toMatchObject({ status: 400, code: "invalid-query", errors });
  });

  test("refuses the cursor of a list in another order", async () => {
    const key = await newKey();
    await addEntries(3, Date.now());
    const { body } = await call("GET", "/entries?limit=1", { key });
    expect(body.next_cursor).toMatch(/^[\w-]+$/);
    expect((await call("GET", `/entries?order=oldest&cursor=${body.next_cursor}`, { key })).status).toBe(400);
    expect((await call("GET", `/letters?cursor=${body.next_cursor}`, { key })).status).toBeOneOf([400, 404]);
  });
});

describe("adding", () => {
  test("stores the person with the proof of consent, and sends email only if it is asked for", async () => {
    const { binding, accepted } = emailBinding();
    const site = contractSite({ ...unlimitedRates, EMAIL: binding });
    const key = await newKey(["entries:write"]);
    await site.call("POST", "/entries", { key, body: ada });
    expect(accepted).toEqual([]);
    await site.call("POST", "/entries", { key, body: { ...ada, email: "BOB@Example.com ", send_email: true } });
    expect(accepted).toEqual(["bob@example.com"]);
    expect(await rows("waitlist_emails")).toMatchObject([
      { email: "ada@example.com", source: "api", consent_at: Date.parse(consent.at), consent_note: consent.note },
      { email: "bob@example.com" },
    ]);
  });

  test("is idempotent by address: of ten requests at once, one adds and all get the same entry", async () => {
    const key = await newKey();
    const responses = await Promise.all(Array.from({ length: 10 }, () => call("POST", "/entries", { key, body: ada })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    expect(await rows("waitlist_emails")).toHaveLength(1);
    expect(await rows("owner_log")).toHaveLength(1);
  });

  test("shows someone who has left as they are, and does not put them back", async () => {
    const key = await newKey();
    const { body } = await call("POST", "/entries", { key, body: ada });
    await call("POST", `/entries/${body.id}/unsubscribe`, { key });
    const again = await call("POST", "/entries", { key, body: { ...ada, send_email: true } });
    expect(again).toMatchObject({ status: 200, body: { id: body.id, status: "unsubscribed" } });
    expect(await rows("email_outbox")).toEqual([]);
  });

  test("refuses someone who had left when a program erased them, whatever consent it claims", async () => {
    const key = await newKey();
    const { body } = await call("POST", "/entries", { key, body: ada });
    await unsubscribeEntry(db, body.id, Date.now());
    expect((await call("DELETE", `/entries/${body.id}`, { key })).status).toBe(204);
    const today = { ...consent, at: new Date().toISOString() };
    const again = await call("POST", "/entries", { key, body: { ...ada, consent: today } });
    const refused = { code: "address-refused", detail: expect.stringContaining("had left") };
    expect(again).toMatchObject({ status: 409, body: refused });
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test.each([
    [{ ...ada, email: "ada" }, "#/email"],
    [{ ...ada, email: 5 }, "#/email"],
    [{ consent }, "#/email"],
    [{ email: ada.email }, "#/consent"],
    [{ ...ada, consent: { note: "x" } }, "#/consent/at"],
    [{ ...ada, consent: { ...consent, at: "2026-10-05" } }, "#/consent/at"],
    [{ ...ada, consent: { ...consent, at: "2999-01-01T00:00:00Z" } }, "#/consent/at"],
    [{ ...ada, consent: { ...consent, at: "1930-01-01T00:00:00Z" } }, "#/consent/at"],
    [{ ...ada, consent: { ...consent, note: " " } }, "#/consent/note"],
    [{ ...ada, consent: { ...consent, note: "x".repeat(301) } }, "#/consent/note"],
    [{ ...ada, source: "Fair" }, "#/source"],
    [{ ...ada, answers: { role: "king" } }, "#/answers/role"],
    [{ ...ada, answers: { shoe: "9" } }, "#/answers/shoe"],
    [{ ...ada, answers: { town: "x".repeat(121) } }, "#/answers/town"],
    [{ ...ada, send_email: "yes" }, "#/send_email"],
    [{ ...ada, "a/b~c": 1 }, "#/a~1b~0c"],
  ])("refuses %j with the pointer %s", async (body, pointer) => {
    const refused = await call("POST", "/entries", { key: await newKey(), body });
    expect(refused.body).toMatchObject({ status: 422, code: "invalid-body", errors: [{ pointer }] });
    expect(await rows("waitlist_emails")).toEqual([]);
  });

  test("writes at most 7 rows with the line in the owners' log, and 16 with an email that is sent", async () => {
    const key = await newKey();
    await call("GET", "/key", { key });
    for (const [send_email, most] of [
      [false, 7],
      [true, 16],
    ]) {
      const meter = meteredD1();
      const site = contractSite({ ...unlimitedRates, DB: meter.d1, EMAIL: emailBinding().binding });
      const body = { ...ada, email: `ada${most}@example.com`, send_email };
      expect((await site.call("POST", "/entries", { key, body })).status).toBe(201);
      expect(meter.rowsWritten()).toBeGreaterThan(1);
      expect(meter.rowsWritten()).toBeLessThanOrEqual(Number(most));
    }
  });
});

test("a key that may only write is shown the id and the status of an entry, and nothing else of it", async () => {
  const key = await newKey(["entries:write"]);
  const id = await join("grace@example.com");
  const given = { email: "grace@example.com", consent };
  const active = { id, status: expect.stringMatching(/^(active|unconfirmed)$/) };
  expect((await call("POST", "/entries", { key, body: given })).body).toEqual(active);
  expect((await call("PATCH", `/entries/${id}`, { key, body: { note: "Two stalls" } })).body).toEqual(active);
  const unsubscribed = { id, status: "unsubscribed" };
  for (let time = 0; time < 2; time += 1)
    expect((await call("POST", `/entries/${id}/unsubscribe`, { key })).body).toEqual(unsubscribed);
  const added = await call("POST", "/entries", { key, body: ada });
  expect(added).toMatchObject({ status: 201, body: { id: id + 1 } });
  expect(Object.keys(added.body)).toEqual(["id", "status"]);
  expect((await call("GET", `/entries/${id}`, { key })).status).toBe(403);
});
