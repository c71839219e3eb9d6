import { env } from "cloudflare:test";
import { describe, expect, onTestFinished, test } from "vitest";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseOwnEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { contractSite, newKey } from "#tests/features/api/pool/api-contract.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { db, execute, freshStorageForEachTest, join, needs, refuseInserts, rows } from "#tests/support/pool/start.ts";

needs("api");
const log = freshStorageForEachTest();
const { call } = contractSite(unlimitedRates);

const OLD = "ada@exmaple.com";
const NEW = "ada@example.com";

const hashOf = (email: string) => keyedHash("address:v1", email, env.HASH_KEY);

const loggedActions = async () => (await rows<{ action: string }>("owner_log")).map(({ action }) => action);

test.each([
  [{}, "#"],
  [{ answers: {} }, "#"],
  [{ note: "x".repeat(2_001) }, "#/note"],
  [{ note: 5 }, "#/note"],
  [{ email: "x" }, "#/email"],
  [{ email: null }, "#/email"],
  [{ email: "x", note: "Two stalls", answers: { role: "host" } }, "#/email"],
  [{ email: NEW, note: "Two stalls", answers: { role: "king" } }, "#/answers/role"],
])("a change %j is refused at %s, and changes nothing", async (body, pointer) => {
  const id = await join(OLD);
  const before = await rows("waitlist_emails");
  const refused = await call("PATCH", `/entries/${id}`, { key: await newKey(), body });
  expect(refused.body).toMatchObject({ status: 422, errors: [{ pointer }] });
  expect(await rows("waitlist_emails")).toEqual(before);
});

test.each([null, "", " \n "])("a change of the note to %j removes it", async (note) => {
  const path = `/entries/${await join(OLD)}`;
  const key = await newKey();
  expect((await call("PATCH", path, { key, body: { note: " Two\r\nstalls " } })).body.note).toBe("Two\nstalls");
  expect((await call("PATCH", path, { key, body: { answers: {}, note } })).body.note).toBeNull();
});

describe("a new address", () => {
  test("is changed together with answers and the note, sends no email, and can be repeated", async () => {
    const { binding, accepted } = emailBinding();
    const site = contractSite({ ...unlimitedRates, EMAIL: binding });
    const key = await newKey();
    const id = await join(OLD);
    await execute("DELETE FROM email_outbox");
    const body = { email: " Ada@Example.com", answers: { role: "host" }, note: "Two stalls" };
    const changed = await site.call("PATCH", `/entries/${id}`, { key, body });
    expect(changed.body).toMatchObject({
      ...{ id, email: NEW, status: "active", answers: { role: "host" }, note: "Two stalls" },
      address_changed_at: expect.any(String),
    });
    expect((await site.call("PATCH", `/entries/${id}`, { key, body })).body).toEqual(changed.body);
    expect(await loggedActions()).toEqual(["change-address", "change-entry", "note"]);
    expect(accepted).toEqual([]);
    expect(log.join()).not.toMatch(/ada@/);
    expect(JSON.stringify(await rows("owner_log"))).not.toMatch(/ada@/);
  });

  test("has to be confirmed where addresses are: the email is sent once, to it", async () => {
    const { binding, accepted } = emailBinding();
    const variables = { CONFIRM_ADDRESSES: "on" } as Partial<Env>;
    const site = contractSite({ ...unlimitedRates, ...variables, EMAIL: binding });
    const key = await newKey();
    const id = await join(OLD, { mustConfirm: true });
    await env.DB.exec("UPDATE waitlist_emails SET confirmed_at = 1");
    await execute("DELETE FROM email_outbox");
    for (let time = 0; time < 2; time += 1) {
      const { body } = await site.call("PATCH", `/entries/${id}`, { key, body: { email: NEW } });
      expect(body).toMatchObject({ email: NEW, status: "unconfirmed", confirmed_at: null });
    }
    expect(accepted).toEqual([NEW]);
    const { body } = await site.call("GET", `/entries/${id}`, { key });
    expect(body.emails).toMatchObject([{ kind: "confirm", state: "sent" }]);
  });

  test("stays if its line in the log cannot be written", async () => {
    const key = await newKey();
    const id = await join(OLD);
    await refuseInserts("owner_log");
    expect((await call("PATCH", `/entries/${id}`, { key, body: { email: NEW } })).body).toMatchObject({ email: NEW });
    expect(log.join("\n")).toContain("api-change-not-logged");
  });

  const refusals: [name: string, prepare: (id: number) => Promise<unknown>, words: RegExp][] = [
    ["another entry has", () => join(NEW), /^Entry 2 has this address\.$/],
    [
      "someone who has left has",
      async () => unsubscribeEntry(db, await join(NEW), Date.now()),
      /^Entry 2 has this address\.$/,
    ],
    [
      "gets no email",
      async () => suppress(db, { hashes: [await hashOf(NEW)], reason: "complaint", until: null }, Date.now()),
      /^Email to this address is blocked\./,
    ],
    [
      "had its entry erased by its person",
      async () => eraseOwnEntry(db, await join(NEW), await hashOf(NEW), Date.now()),
      /erased their entry/,
    ],
    ["an unsubscribed person asks for", async (id) => unsubscribeEntry(db, id, Date.now()), /has left/],
    [
      "is for someone who reported spam",
      async () => suppress(db, { hashes: [await hashOf(OLD)], reason: "complaint", until: null }, Date.now()),
      /^Email to the person of this entry is blocked/,
    ],
    [
      "is for someone who never wants email",
      async () => suppress(db, { hashes: [await hashOf(OLD)], reason: "never", until: null }, Date.now()),
      /^Email to the person of this entry is blocked/,
    ],
  ];

  test.each(refusals)("that %s is refused, with the answers and the note", async (_, prepare, words) => {
    const id = await join(OLD);
    await prepare(id);
    const before = [await rows("waitlist_emails"), await rows("email_outbox")];
    const body = { email: NEW, answers: { role: "host" }, note: "Two stalls" };
    const keys = [await newKey(["entries:write"], "writes"), await newKey(undefined, "reads, too")];
    const refused = await Promise.all(keys.map((key) => call("PATCH", `/entries/${id}`, { key, body })));
    for (const one of refused) {
      expect(one).toMatchObject({
        status: 409,
        body: { code: "address-refused", detail: expect.stringMatching(words) },
      });
      // Why an address gets no email is for the owner only, and no address is repeated.
      expect(JSON.stringify(one.body)).not.toMatch(/ada|spam|complain|bounce|never/i);
    }
    expect([await rows("waitlist_emails"), await rows("email_outbox")]).toEqual(before);
    expect(await loggedActions()).toEqual([]);
    const others = { answers: { role: "host" }, note: "Two stalls" };
    expect((await call("PATCH", `/entries/${id}`, { key: keys[0], body: others })).status).toBe(200);
  });

  test("is no way for a key that may only write to see more than the id and the status", async () => {
    const key = await newKey(["entries:write"]);
    const id = await join(OLD);
    const { body } = await call("PATCH", `/entries/${id}`, { key, body: { email: NEW, note: "Two stalls" } });
    expect(body).toEqual({ id, status: "active" });
  });
});

describe("a change while others change the entry", () => {
  /** The API of a site where the entry is changed right before each of the first so many updates by others. */
  const disturbed = (times: number) => {
    let left = times;
    const { d1 } = meteredD1(async (sql) => {
      if (!sql.startsWith('update "waitlist_emails"') || left === 0) return;
      left -= 1;
      await execute(
        'UPDATE waitlist_emails SET changed_at = coalesce(changed_at, 0) + 1, answers = \'{"town":"York"}\'',
      );
    });
    return contractSite({ ...unlimitedRates, DB: d1 });
  };

  test("is made to what they left", async () => {
    const id = await join(OLD);
    const body = { email: NEW, answers: { role: "host" }, note: "Two stalls" };
    const changed = await disturbed(3).call("PATCH", `/entries/${id}`, { key: await newKey(), body });
    expect(changed.body).toMatchObject({ email: NEW, answers: { role: "host", town: "York" }, note: "Two stalls" });
    expect(await loggedActions()).toEqual(["change-address", "change-entry", "note"]);
  });

  test("is given up in the end, with nothing changed", async () => {
    const id = await join(OLD);
    const body = { email: NEW, note: "Two stalls" };
    const site = disturbed(Number.POSITIVE_INFINITY);
    const given = await site.call("PATCH", `/entries/${id}`, { key: await newKey(), body });
    expect(given).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(await rows("waitlist_emails")).toMatchObject([{ email: OLD, owner_note: null }]);
    expect(await loggedActions()).toEqual([]);
  });

  test("of ten at once is made by each", async () => {
    const key = await newKey();
    const id = await join(OLD);
    const answers = [{ role: "host" }, { town: "York" }];
    const changes = Array.from({ length: 6 }, (_, index) => ({ answers: answers[index % 2] }));
    const made = await Promise.all(changes.map((body) => call("PATCH", `/entries/${id}`, { key, body })));
    expect(made.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await call("GET", `/entries/${id}`, { key })).body.answers).toEqual({ role: "host", town: "York" });
  });

  test("finds it erased", async () => {
    const id = await join(OLD);
    await env.DB.exec("CREATE TRIGGER erased AFTER INSERT ON owner_log BEGIN DELETE FROM waitlist_emails; END");
    onTestFinished(async () => void (await env.DB.exec("DROP TRIGGER IF EXISTS erased")));
    const { status } = await call("PATCH", `/entries/${id}`, { key: await newKey(), body: { email: NEW } });
    expect(status).toBe(404);
  });
});
