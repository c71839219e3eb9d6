import { env } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { describe, expect, test, vi } from "vitest";
import { changeEndpoint, replaceSecret, turnEndpoint } from "#app/owner/webhooks/endpoints.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { HOUR, MINUTE, webhookHarness } from "#tests/support/pool/webhook-harness.ts";
import type { ReceivedEvent } from "#tests/support/webhook-receiver.ts";

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
  await hooks.run();
  await hooks.run();
  const { received } = await hooks.receiver.state();
  expect(received).toHaveLength(1);
  const [event] = received as [ReceivedEvent];
  expect(verify(event, await hooks.secret())).toEqual({
    type: "entry.joined",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: { entry_id: id, source: "landing_page", status: "active", joined_at: expect.any(String), confirmed_at: null },
  });
  expect(event.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": expect.stringMatching(/\/1\.0$/),
  });
  expect(event.headers["webhook-timestamp"]).toBe(String(Math.floor(hooks.clock.now / 1_000)));
  const secret = await hooks.secret();
  expect(() => verify({ ...event, body: `${event.body} ` }, secret)).toThrow("No matching signature");
  expect(await hooks.deliveries()).toMatchObject([{ attempts: 1, delivered_at: hooks.clock.now, reason: null }]);
});

test("for a day after its replacement the old secret signs too, then only the new one", async () => {
  const hooks = await webhookHarness();
  const old = await hooks.secret();
  expect(await replaceSecret(hooks.db, hooks.endpointId, 1, hooks.clock.now)).toBe(true);
  // A button that is pressed twice.
  expect(await replaceSecret(hooks.db, hooks.endpointId, 1, hooks.clock.now)).toBe(false);
  const current = await hooks.secret();
  expect(current).not.toBe(old);
  await join("ada@example.com");
  await hooks.run();
  hooks.clock.now += 24 * HOUR;
  await join("bob@example.com");
  await hooks.run();
  const [during, after] = (await hooks.receiver.state()).received as [ReceivedEvent, ReceivedEvent];
  expect(during.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  for (const secret of [old, current]) expect(verify(during, secret)).toMatchObject({ type: "entry.joined" });
  expect(verify(after, current, hooks.clock.now)).toMatchObject({ type: "entry.joined" });
  expect(() => verify(after, old, hooks.clock.now)).toThrow("No matching signature");
});

test("an event is not signed by a secret that is replaced while it is claimed", async () => {
  const hooks = await webhookHarness();
  await join("ada@example.com");
  let isReplaced = false;
  const { d1 } = meteredD1(async (sql) => {
    if (isReplaced || !/UPDATE webhook_deliveries SET attempts/.test(sql)) return;
    isReplaced = true;
    await replaceSecret(hooks.db, hooks.endpointId, 1, hooks.clock.now);
  });
  await hooks.run({ d1 });
  expect(isReplaced).toBe(true);
  await hooks.run();
  const { received } = await hooks.receiver.state();
  expect(received).toHaveLength(1);
  expect(verify(received[0] as ReceivedEvent, await hooks.secret())).toMatchObject({ type: "entry.joined" });
});

test("a sender that is slower than its lease does not overwrite the result of the next one", async () => {
  const hooks = await webhookHarness(503);
  await join("ada@example.com");
  let isLate = false;
  const { d1 } = meteredD1(async (sql) => {
    if (isLate || !/^update "webhook_deliveries" .*json_each/s.test(sql)) return;
    isLate = true;
    await hooks.receiver.change(500);
    hooks.clock.now += 10 * MINUTE;
    await hooks.run();
  });
  await hooks.run({ d1 });
  expect(isLate).toBe(true);
  expect(await hooks.deliveries()).toMatchObject([{ attempts: 2, reason: "status-500" }]);
});

test("no two endpoints, and no two secrets of one, are alike, and none is stored", async () => {
  const hooks = await webhookHarness();
  const secrets = [await hooks.secret()];
  for (let number = 2; number < 5; number += 1) {
    await replaceSecret(hooks.db, hooks.endpointId, number - 1, hooks.clock.now);
    secrets.push(await hooks.secret());
  }
  const other = await webhookHarness();
  secrets.push(await other.secret());
  expect(new Set(secrets).size).toBe(5);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const stored = JSON.stringify(await rows("webhook_endpoints"));
  for (const secret of secrets) expect(stored).not.toContain(secret.slice(6));
});

describe("what events say of people", () => {
  const answers = { role: "host" };
  const addAnswered = async (email: string) => {
    const id = await join(email);
    await env.DB.prepare("UPDATE waitlist_emails SET answers = ? WHERE id = ?").bind(JSON.stringify(answers), id).run();
    return id;
  };

  test("only an endpoint with personal data gets addresses and answers", async () => {
    const plain = await webhookHarness();
    const personal = await webhookHarness(200, { has_personal_data: true });
    const id = await addAnswered("ada@example.com");
    await plain.run();
    for (const { data } of await personal.receiver.events()) {
      expect(data).toMatchObject({ entry_id: id, email: "ada@example.com", answers });
    }
    const { received } = await plain.receiver.state();
    expect(received).toHaveLength(2);
    expect(received.map(({ body }) => body).join()).not.toMatch(/ada@|answers|host/);
  });

  test("an erased entry's events have only its id, and no address is ever stored with one", async () => {
    const hooks = await webhookHarness(200, { has_personal_data: true });
    const id = await addAnswered("ada@example.com");
    await unsubscribeEntry(hooks.db, id, Date.now(), "own-choice");
    expect(JSON.stringify(await hooks.deliveries())).not.toMatch(/ada|host/);
    await eraseEntry(hooks.db, id, Date.now());
    await hooks.run();
    const events = await hooks.receiver.events();
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual(
      ["entry.joined", "entry.answered", "entry.unsubscribed", "entry.erased"].map((type) => ({
        type,
        data: { entry_id: id },
      })),
    );
    expect(JSON.stringify((await hooks.receiver.state()).received)).not.toContain("ada@");
  });

  test("an entry that is erased after a failed attempt is in no later one", async () => {
    const hooks = await webhookHarness(500, { has_personal_data: true });
    const id = await join("ada@example.com");
    await hooks.run();
    await eraseEntry(hooks.db, id, Date.now());
    await hooks.receiver.change(200);
    hooks.clock.now += MINUTE;
    await hooks.run();
    const bodies = (await hooks.receiver.state()).received.map(({ body }) => body);
    expect(bodies.map((body) => body.includes("ada@example.com"))).toEqual([true, false, false]);
  });

  test("an entry says why it left", async () => {
    const hooks = await webhookHarness();
    await unsubscribeEntry(hooks.db, await join("ada@example.com"), Date.now(), "owner");
    await hooks.run();
    expect((await hooks.receiver.events()).at(-1)).toMatchObject({
      type: "entry.unsubscribed",
      data: { status: "unsubscribed", unsubscribe_reason: "owner" },
    });
  });

  test("neither addresses, URLs nor secrets are logged", async () => {
    const hooks = await webhookHarness(500, { has_personal_data: true });
    await join("ada@example.com");
    await hooks.run();
    expect(log.join("\n")).toContain("webhooks-sent");
    expect(log.join("\n")).not.toMatch(/ada@|https:|whsec|receiver/);
  });
});

test("an endpoint gets the events that it is for, and none while it is off", async () => {
  const hooks = await webhookHarness(200, { events: ["entry.erased"] });
  const id = await join("ada@example.com");
  await turnEndpoint(hooks.db, hooks.endpointId, false, hooks.clock.now);
  await eraseEntry(hooks.db, await join("bob@example.com"), Date.now());
  await turnEndpoint(hooks.db, hooks.endpointId, true, hooks.clock.now);
  await eraseEntry(hooks.db, id, Date.now());
  await hooks.run();
  expect((await hooks.receiver.events()).map(({ type, data }) => [type, data.entry_id])).toEqual([
    ["entry.erased", id],
  ]);
});

test("what waits while an endpoint is off is sent once it is on, to the URL that it has then", async () => {
  const hooks = await webhookHarness();
  await join("ada@example.com");
  await turnEndpoint(hooks.db, hooks.endpointId, false, hooks.clock.now);
  await hooks.run();
  expect((await hooks.receiver.state()).received).toEqual([]);
  const other = await webhookHarness();
  const choice = { url: other.receiver.url, events: ["entry.joined" as const], has_personal_data: false };
  await changeEndpoint(hooks.db, hooks.endpointId, choice);
  await turnEndpoint(hooks.db, hooks.endpointId, true, hooks.clock.now);
  await hooks.run();
  expect((await hooks.receiver.state()).received).toEqual([]);
  expect(await other.receiver.events()).toMatchObject([{ type: "entry.joined" }]);
});

test("an event is due when it happens, so that new ones do not overtake those that are tried again", async () => {
  const hooks = await webhookHarness();
  await join("ada@example.com");
  const [event] = await rows<{ created_at: number; next_attempt_at: number }>("webhook_deliveries");
  expect(event?.next_attempt_at).toBe(event?.created_at);
  expect(Math.abs((event?.created_at ?? 0) - hooks.clock.now)).toBeLessThan(60_000);
});
