import { env } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { describe, expect, test, vi } from "vitest";
import { sendTestEvent } from "#app/features/webhooks/deliver.server.ts";
import { changeEndpoint, replaceSecret, turnEndpoint } from "#app/features/webhooks/endpoints.server.ts";
import { testBody } from "#app/features/webhooks/payload.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { addPeople, letterHarness } from "#tests/features/letters/pool/letter-harness.ts";
import { addBacklog, allEvents, HOUR, MINUTE, webhookHarness } from "#tests/features/webhooks/pool/webhook-harness.ts";
import type { ReceivedEvent } from "#tests/features/webhooks/webhook-receiver.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { db, execute, freshDatabaseForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import webhooksDocs from "../../../../docs/webhooks.md?raw";

needs("webhooks");
const log = freshDatabaseForEachTest();

/** Verifies with the reference implementation of Standard Webhooks; the site signs with WebCrypto. @throws if it refuses */
function verify({ headers, body }: ReceivedEvent, secret: string, at = Date.now()) {
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    vi.useRealTimers();
  }
}

test("an event is sent once, signed so that an independent verifier accepts it", async () => {
  const hooks = await webhookHarness();
  const id = await join("ada@example.com");
  for (let runs = 0; runs < 2; runs += 1) await hooks.run();
  const { received } = await hooks.receiver.state();
  expect(received).toHaveLength(1);
  const [event] = received as [ReceivedEvent];
  const secret = await hooks.secret();
  expect(verify(event, secret)).toEqual({
    type: "entry.joined",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: { entry_id: id, source: "landing_page", status: "active", joined_at: expect.any(String), confirmed_at: null },
  });
  const headers = { "content-type": "application/json", "user-agent": expect.stringMatching(/\/1\.0$/) };
  expect(event.headers).toMatchObject(headers);
  expect(event.headers["webhook-timestamp"]).toBe(String(Math.floor(hooks.clock.now / 1_000)));
  expect(() => verify({ ...event, body: `${event.body} ` }, secret)).toThrow("No matching signature");
  expect(await hooks.deliveries()).toMatchObject([{ attempts: 1, done_at: hooks.clock.now, last_status: 200 }]);
});

test("for a day both secrets sign, then only the new one, and none is stored", async () => {
  const hooks = await webhookHarness();
  const old = await hooks.secret();
  // A button that is pressed twice.
  for (const isReplaced of [true, false])
    expect(await replaceSecret(db, hooks.endpointId, 1, hooks.clock.now)).toBe(isReplaced);
  const current = await hooks.secret();
  await join("ada@example.com");
  await hooks.run();
  hooks.clock.now += 24 * HOUR;
  await join("bob@example.com");
  await hooks.run();
  const [during, after] = (await hooks.receiver.state()).received as [ReceivedEvent, ReceivedEvent];
  for (const secret of [old, current]) expect(verify(during, secret)).toMatchObject({ type: "entry.joined" });
  expect(verify(after, current, hooks.clock.now)).toMatchObject({ type: "entry.joined" });
  expect(() => verify(after, old, hooks.clock.now)).toThrow("No matching signature");
  const secrets = new Set([old, current, await (await webhookHarness()).secret()]);
  expect(secrets.size).toBe(3);
  for (const secret of secrets) expect(JSON.stringify(await rows("webhook_endpoints"))).not.toContain(secret.slice(6));
});

/** The database, in which something else happens just before the first claim. */
function d1BeforeClaim(event: () => Promise<unknown>) {
  let isDue = true;
  return meteredD1(async (sql) => {
    if (!isDue || !/^update "jobs" set "attempts" = .* \+ 1/.test(sql)) return;
    isDue = false;
    await event();
  }).d1;
}

test.each([
  ["the secret", (id: number, now: number) => replaceSecret(db, id, 1, now)],
  ["the URL", (id: number) => changeEndpoint(db, id, { ...choice, url: "https://receiver1.example/other" })],
  ["personal data", (id: number) => changeEndpoint(db, id, { ...choice, has_personal_data: false })],
  ["that it is on", (id: number) => turnEndpoint(db, id, false)],
])("nothing is sent if the owner changes %s between reading and claiming", async (_, change) => {
  const hooks = await webhookHarness(200, { has_personal_data: true });
  choice.url = hooks.receiver.url;
  await join("ada@example.com");
  await hooks.run({ d1: d1BeforeClaim(() => change(hooks.endpointId, hooks.clock.now)) });
  expect(await hooks.deliveries()).toMatchObject([{ attempts: 0, done_at: null }]);
  expect(await hooks.receiver.count()).toBe(0);
});

const choice = { url: "", events: allEvents, has_personal_data: true };

test("runs at the same time send no event twice, which writes at most five rows", async () => {
  const hooks = await webhookHarness();
  await addBacklog(hooks.endpointId, 60);
  const { d1, rowsWritten } = meteredD1();
  await Promise.all([hooks.run({ d1 }), hooks.run({ d1 }), hooks.run({ d1 })]);
  expect(await hooks.receiver.count()).toBe(60);
  expect(rowsWritten() / 60).toBeGreaterThan(1);
  expect(rowsWritten() / 60).toBeLessThanOrEqual(5);
});

test("ids of events never repeat, also after the newest rows were deleted", async () => {
  const hooks = await webhookHarness();
  for (const name of ["ada", "bob"]) {
    await join(`${name}@example.com`);
    await hooks.run();
    expect(await hooks.deliveries()).toMatchObject([{ id: 1 }]);
    await execute("DELETE FROM jobs");
  }
  const [first, second] = await hooks.receiver.events();
  expect(first.id).not.toBe(second.id);
});

describe("what events say", () => {
  const answers = { role: "host" };
  const addAnswered = async (email: string) => {
    const id = await join(email);
    await execute("UPDATE waitlist_emails SET answers = ? WHERE id = ?", JSON.stringify(answers), id);
    return id;
  };

  test("only an endpoint with personal data gets it, and none is stored or logged", async () => {
    const plain = await webhookHarness();
    const personal = await webhookHarness(200, { has_personal_data: true });
    const id = await addAnswered("ada@example.com");
    expect(JSON.stringify(await plain.deliveries())).not.toMatch(/ada@|host/);
    await plain.run();
    for (const { data } of await personal.receiver.events())
      expect(data).toMatchObject({ entry_id: id, email: "ada@example.com", answers });
    const { received } = await plain.receiver.state();
    expect(received).toHaveLength(2);
    expect(received.map(({ body }) => body).join()).not.toMatch(/ada@|answers|host/);
    expect(log.join("\n")).toContain("webhooks-sent");
    expect(log.join("\n")).not.toMatch(/ada@|https:|whsec|receiver/);
  });

  test("an erased entry is named by its number only, also in attempts after a failed one", async () => {
    const hooks = await webhookHarness(500, { has_personal_data: true });
    const id = await addAnswered("ada@example.com");
    await unsubscribeEntry(db, id, Date.now(), "own-choice");
    await hooks.run();
    expect(await hooks.receiver.events()).toMatchObject(Array(3).fill({ data: { email: "ada@example.com" } }));
    await eraseEntry(db, id, Date.now());
    await hooks.receiver.change(200);
    hooks.clock.now += MINUTE;
    await hooks.run();
    const later = (await hooks.receiver.events()).slice(3);
    expect(new Set(later.map(({ type }) => type))).toEqual(
      new Set(["entry.joined", "entry.answered", "entry.unsubscribed", "entry.erased"]),
    );
    for (const { data } of later) expect(data).toEqual({ entry_id: id });
  });

  test("the status is the one that the owner sees, and an entry says why it left", async () => {
    const hooks = await webhookHarness();
    const added = { source: "x", columns: {}, now: hooks.clock.now };
    await addEntry(db, { ...added, email: "ada@example.com", mustConfirm: true });
    await addEntry(db, { ...added, email: "bea@example.com", addressHash: "bea" });
    await execute("INSERT INTO suppressions (address_hash, reason, created_at) VALUES ('bea', 'never', 1)");
    await unsubscribeEntry(db, await join("cy@example.com"), Date.now(), "owner");
    await hooks.run();
    const said = (await hooks.receiver.events()).map(({ data }) => [data.status, data.unsubscribe_reason]);
    const left = ["unsubscribed", "owner"];
    expect(said).toEqual([["unconfirmed", undefined], ["suppressed", undefined], left, left]);
  });

  test.each(allEvents)("a test of %s has the documented fields, is tried once, and is not stored", async (type) => {
    const hooks = await webhookHarness(500, { has_personal_data: true });
    const endpoint = await hooks.endpoint();
    if (endpoint === null) throw new Error("no endpoint");
    const outcome = await sendTestEvent(hooks.app(), endpoint, testBody(type, endpoint, hooks.clock.now));
    expect(outcome).toMatchObject({ reason: "status", status: 500 });
    await hooks.run();
    const [event, ...others] = await hooks.receiver.events();
    expect([event.type, event.test, others]).toEqual([type, true, []]);
    expect(event.data.entry_id ?? event.data.letter_id).toBe(0);
    for (const field of Object.keys(event.data)) expect(webhooksDocs).toContain(`\`${field}\``);
    expect(await hooks.deliveries()).toEqual([]);
  });

  describe("of letters", () => {
    needs("letters");

    test("what became of each recipient, in the fields of a test", async () => {
      const hooks = await webhookHarness(200, { events: ["letter.finished"] });
      const letters = await letterHarness();
      await addPeople(4);
      const id = await letters.start();
      await env.DB.exec("DELETE FROM waitlist_emails WHERE id = 4");
      for (let runs = 0; (await letters.letter(id)).state !== "finished" && runs < 10; runs += 1) {
        await letters.sweep();
        await letters.pass(60_000);
      }
      await env.DB.exec("UPDATE letter_recipients SET bounced_at = 1, bounced_softly = position WHERE position < 2");
      await hooks.run();
      const [{ type, data }] = await hooks.receiver.events();
      const sent = { expected: 4, sent: 3, skipped: 1, failed: 0, unknown: 0 };
      const back = { bounced: 1, bounced_softly: 1, complained: 0, unsubscribed: 0 };
      expect([type, data]).toEqual(["letter.finished", { letter_id: id, ...sent, ...back }]);
      const tested = JSON.parse(testBody("letter.finished", { has_personal_data: false }, 0));
      expect(Object.keys(tested.data)).toEqual(Object.keys(data));
    });
  });
});
