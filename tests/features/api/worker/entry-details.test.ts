import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { letters as hasLetters, referrals } from "#app/switches.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { contractSite, newKey } from "#tests/features/api/pool/api-contract.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import {
  addEntries,
  db,
  execute,
  freshStorageForEachTest,
  join,
  needs,
  rows,
  wholeDatabase,
} from "#tests/support/pool/start.ts";

needs("api");
const log = freshStorageForEachTest();
const { call } = contractSite(unlimitedRates);

const find = async (email: unknown, key?: string) =>
  call("POST", "/entries/find", { key: key ?? (await newKey(["entries:read"])), body: { email } });

describe("finding by address", () => {
  test.each([
    ["ada@example.com", "ada@example.com"],
    ["ada@example.com", " ADA@Example.COM\n"],
    ["ada@example.com", "\u200bada@example.com\u00a0"],
    ["o'neill@example.com", "O’Neill@example.com"],
    ["ada@xn--bcher-kva.example", "Ada@Bücher.example."],
    ["zo\u00eb@example.com", "zoe\u0308@example.com"],
  ])("%s is found by %j", async (stored, typed) => {
    await join("other@example.com");
    const id = await join(stored);
    expect(await find(typed)).toMatchObject({
      status: 200,
      body: { id, email: stored, emails: [{ kind: "welcome" }] },
    });
  });

  test("returns what the entry itself has, and records nothing", async () => {
    const key = await newKey(["entries:read"]);
    const id = await join("ada@example.com");
    const { body } = await call("GET", `/entries/${id}`, { key });
    const before = await wholeDatabase();
    expect((await find("ada@example.com", key)).body).toEqual(body);
    expect((await find("grace@example.com", key)).status).toBe(404);
    expect(await wholeDatabase()).toBe(before);
    expect(log.join()).not.toContain("@example.com");
  });

  test("finds no one who was erased, and says the same as of an address that it never had", async () => {
    const key = await newKey();
    await eraseEntry(db, await join("ada@example.com"), Date.now());
    const erased = await find("ada@example.com", key);
    expect(erased).toMatchObject({ status: 404, body: { code: "not-found" } });
    expect(erased.body).toEqual((await find("never@example.com", key)).body);
    expect(JSON.stringify(erased.body)).not.toContain("ada");
  });

  test.each(["ada", "", 5, null, "ada@localhost", "x<ada@example.com>", `${"a".repeat(400)}@example.com`])(
    "refuses %j, and does not repeat it",
    async (email) => {
      const { status, body } = await find(email);
      expect([status, body.errors]).toEqual([422, [{ pointer: "#/email", detail: expect.any(String) }]]);
      expect(JSON.stringify(body)).not.toMatch(/ada|aaa/);
    },
  );

  test("reads one row more than the entry by its id", async () => {
    const key = await newKey();
    await addEntries(50);
    await call("GET", "/key", { key });
    const meter = meteredD1();
    const site = contractSite({ ...unlimitedRates, DB: meter.d1 });
    await site.call("GET", "/entries/7", { key });
    const byId = meter.rowsRead();
    meter.reset();
    await site.call("POST", "/entries/find", { key, body: { email: "ada7@example.com" } });
    expect(meter.rowsRead()).toBe(byId + 1);
    expect(byId).toBeLessThanOrEqual(9);
  });
});

/** A letter that has started, without its recipients. */
async function storeLetter({
  id,
  state = "finished",
  step = null,
}: {
  id: number;
  state?: string;
  step?: number | null;
}) {
  const columns = "id, key, state, subject, preview_line, body, audience, created_at, updated_at, started_at, step_id";
  await execute(
    `INSERT INTO letters (${columns}) VALUES (?, 'key' || ?, ?, 'News', '', 'Hello', '{"filter":{}}', 1, 1, 1, ?)`,
    ...[id, id, state, step],
  );
}

const at = (milliseconds: number) => new Date(milliseconds).toISOString();

/** An email as the API returns it, but for what is given. */
const email = (given: object) => ({
  ...{ reason: null, queued_at: null, done_at: null, next_attempt_at: null, bounced_at: null, bounced_softly: false },
  ...(hasLetters ? { letter_id: null, complained_at: null, unsubscribed_at: null } : {}),
  ...given,
});

describe("the emails of an entry", () => {
  const emailsOf = async (id: number) =>
    (await call("GET", `/entries/${id}`, { key: await newKey(["entries:read"]) })).body.emails;

  const queue = async (entry: number, kind: string, more: Record<string, unknown>) => {
    const row = {
      ...{ id: crypto.randomUUID(), entry_id: entry, kind, dedupe_key: `${kind}:${entry}`, priority: 1 },
      ...{ next_attempt_at: 5, created_at: 2, ...more },
    };
    const names = Object.keys(row);
    const marks = names.map(() => "?").join(", ");
    await execute(`INSERT INTO email_outbox (${names.join(", ")}) VALUES (${marks})`, ...Object.values(row));
  };

  test("each with its state, the reason and times", async () => {
    const id = await join("ada@example.com");
    await execute("DELETE FROM email_outbox");
    await execute("UPDATE waitlist_emails SET welcomed_at = 1");
    await queue(id, "confirm", { created_at: 2, done_at: 3, reason: "timed-out" });
    await queue(id, "confirm-reminder", { created_at: 3, done_at: 4, soft_bounced_at: 6 });
    await queue(id, "rejoin", { created_at: 4, next_attempt_at: 9, reason: "send-limit" });
    await queue(id, "milestone", { created_at: 5, dead_at: 7, reason: "outcome-unknown" });
    // As a permanent bounce leaves it.
    await queue(id, "my-data-link", { created_at: 6, dead_at: 8, reason: "address-refused" });
    await queue(id, "welcome", { created_at: 7, next_attempt_at: 7 });
    expect(await emailsOf(id)).toEqual([
      email({ kind: "welcome", state: "sent", done_at: at(1) }),
      email({ kind: "confirm", state: "sent", queued_at: at(2), done_at: at(3) }),
      email({
        ...{ kind: "confirm-reminder", state: "sent", queued_at: at(3), done_at: at(4) },
        ...{ bounced_at: at(6), bounced_softly: true },
      }),
      email({ kind: "rejoin", state: "waiting", reason: "send-limit", queued_at: at(4), next_attempt_at: at(9) }),
      email({ kind: "milestone", state: "unknown", reason: "outcome-unknown", queued_at: at(5), done_at: at(7) }),
      email({ kind: "my-data-link", state: "failed", reason: "address-refused", queued_at: at(6), done_at: at(8) }),
      email({ kind: "welcome", state: "waiting", queued_at: at(7), next_attempt_at: at(7) }),
    ]);
  });

  test("letters, follow-ups and a letter that was sent again among them, if the site has letters", async () => {
    const id = await join("ada@example.com");
    const other = await join("grace@example.com");
    await execute("DELETE FROM email_outbox");
    for (const letter of [1, 2, 3, 4, 5]) await storeLetter({ id: letter });
    await storeLetter({ id: 6, state: "stopped" });
    await storeLetter({ id: 7, state: "sending" });
    await storeLetter({ id: 8, state: "sending", step: 1 });
    const recipients = [
      `(1, 0, ${id}, 'sent', NULL, 11, 12, 0, 13, 14)`,
      `(2, 0, ${id}, 'sent', NULL, 21, 22, 1, NULL, NULL)`,
      `(3, 0, ${id}, 'skipped', 'unsubscribed', 31, NULL, 0, NULL, NULL)`,
      `(4, 0, ${id}, 'failed', 'rejected', 41, NULL, 0, NULL, NULL)`,
      `(5, 0, ${id}, 'unknown', 'never-confirmed', 51, NULL, 0, NULL, NULL)`,
      `(6, 0, ${id}, 'pending', NULL, NULL, NULL, 0, NULL, NULL)`,
      `(7, 0, ${id}, 'pending', NULL, NULL, NULL, 0, NULL, NULL)`,
      `(8, 0, ${id}, 'sent', NULL, 81, NULL, 0, NULL, NULL)`,
      `(8, 1, ${other}, 'sent', NULL, 82, NULL, 0, NULL, NULL)`,
    ];
    const columns = "letter_id, position, entry_id, state, reason, done_at, bounced_at, bounced_softly";
    await execute(
      `INSERT INTO letter_recipients (${columns}, complained_at, unsubscribed_at) VALUES ${recipients.join(", ")}`,
    );
    await queue(id, "letter", { data: '{"letter":2}', dedupe_key: "letter:2:1", created_at: 90, done_at: 91 });
    const expected = [
      email({ kind: "repeated-letter", letter_id: 2, state: "sent", queued_at: at(90), done_at: at(91) }),
      email({
        ...{ kind: "letter", letter_id: 1, state: "sent", done_at: at(11) },
        ...{ bounced_at: at(12), complained_at: at(13), unsubscribed_at: at(14) },
      }),
      email({ kind: "letter", letter_id: 2, state: "sent", done_at: at(21), bounced_at: at(22), bounced_softly: true }),
      email({ kind: "letter", letter_id: 3, state: "skipped", reason: "unsubscribed", done_at: at(31) }),
      email({ kind: "letter", letter_id: 4, state: "failed", reason: "rejected", done_at: at(41) }),
      email({ kind: "letter", letter_id: 5, state: "unknown", reason: "never-confirmed", done_at: at(51) }),
      email({ kind: "letter", letter_id: 6, state: "skipped", reason: "stopped" }),
      email({ kind: "letter", letter_id: 7, state: "waiting" }),
      email({ kind: "follow-up", letter_id: 8, state: "sent", done_at: at(81) }),
    ];
    expect(await emailsOf(id)).toEqual(hasLetters ? expected : []);
  });

  test("are in neither the list nor the response to a change", async () => {
    const key = await newKey();
    const id = await join("ada@example.com");
    const changed = await call("PATCH", `/entries/${id}`, { key, body: { note: "Two stalls" } });
    const { body } = await call("GET", "/entries", { key });
    for (const entry of [changed.body, body.entries[0]]) expect(entry).not.toHaveProperty("emails");
  });
});

test("an entry names the import that added it, as the filter does", async () => {
  const key = await newKey();
  await addEntries(3);
  await env.DB.exec("UPDATE waitlist_emails SET import_id = id WHERE id > 1");
  const { body } = await call("GET", "/entries?imported=2", { key });
  expect(body.entries).toMatchObject([{ id: 2, imported: true, import_id: 2 }]);
  expect((await call("GET", "/entries/1", { key })).body).toMatchObject({ imported: false, import_id: null });
});

describe("friends", () => {
  needs("referrals");

  test("join through the personal link of an entry, and only those who count are counted", async () => {
    const key = await newKey();
    const ada = await join("ada@example.com");
    const eve = await join("eve@example.com");
    const { body } = await call("GET", `/entries/${ada}`, { key });
    expect(body.friends_counted).toBe(0);
    const link = new URL(body.personal_link);
    expect(link.origin + link.pathname).toBe(`${env.SITE_URL}/`);
    for (const name of ["grace", "mary", "joan"])
      await apiSite(unlimitedRates).post("/api/signup", {
        email: `${name}@example.com`,
        via: link.searchParams.get("via"),
      });
    expect(await rows("referrals")).toMatchObject([{ referrer_id: ada }, { referrer_id: ada }, { referrer_id: ada }]);
    // As a decision leaves them: two count, one does not.
    await env.DB.exec("UPDATE referrals SET ruling = iif(entry_id = 5, 'throwaway', 'counted'), decided_at = 1");
    await execute("INSERT INTO referrers (entry_id, counted) VALUES (?, 2)", ada);
    const counts = { [ada]: 2, [eve]: 0 };
    for (const id of [ada, eve]) {
      const shown = { id, friends_counted: counts[id] };
      expect((await call("GET", `/entries/${id}`, { key })).body).toMatchObject(shown);
      expect((await call("PATCH", `/entries/${id}`, { key, body: { note: "x" } })).body).toMatchObject(shown);
    }
    const list = (await call("GET", "/entries?order=oldest", { key })).body.entries;
    expect(list.map((entry: { friends_counted: number }) => entry.friends_counted)).toEqual([2, 0, 0, 0, 0]);
    expect(new Set(list.map((entry: { personal_link: string }) => entry.personal_link)).size).toBe(5);
    expect(list[0].personal_link).toBe(body.personal_link);
  });
});

test("a page of 100 entries reads at most two rows more for the friends of each, in one statement", async () => {
  const key = await newKey();
  await addEntries(300);
  await env.DB.exec("UPDATE waitlist_emails SET address_hash = 'hash' || id");
  await env.DB.exec("INSERT INTO referrers (entry_id, counted) SELECT id, id FROM waitlist_emails");
  await env.DB.exec(
    "INSERT INTO suppressions (address_hash, reason, created_at) SELECT address_hash, 'never', 1 FROM waitlist_emails",
  );
  await call("GET", "/key", { key });
  const meter = meteredD1();
  const site = contractSite({ ...unlimitedRates, DB: meter.d1 });
  const { body } = await site.call("GET", "/entries?limit=100", { key });
  expect(body.entries).toHaveLength(100);
  const rowsOf = (table: string) =>
    meter.executed.filter(({ sql }) => sql.includes(`from "${table}"`)).map(({ rowsRead }) => rowsRead);
  expect(rowsOf("referrers")).toEqual(referrals ? [200] : []);
  expect(rowsOf("waitlist_emails")).toEqual([101]);
  // Two for each hash that is asked for, and one for each address that gets no email.
  expect(rowsOf("suppressions")).toEqual([300]);
  expect(meter.executed.length).toBeLessThanOrEqual(5);
});
