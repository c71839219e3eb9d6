import { env } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import type { Mailer } from "#app/email/mailer.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { reachedMilestones } from "#app/server/db/schema/referrals.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { setAnswers, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest, join, needs, rows, sampleCases } from "#tests/support/pool/start.ts";
import { addBacklog, MINUTE, webhookHarness } from "#tests/support/pool/webhook-harness.ts";
import { transport } from "#tests/support/pool/webhook-receiver.ts";

needs("webhooks");
freshDatabaseForEachTest();

const { send } = transport;
afterEach(() => void Object.assign(transport, { send }));

/** A process that is killed at a statement or at a request to a receiver. */
function killedSender(kill: Kill) {
  // A step ends when its request does, also one whose connection was lost.
  const carrier = { send: (request: () => Promise<unknown>) => Promise.allSettled([request()]) };
  const killed = killedProcess(carrier as unknown as Mailer, kill);
  const step = killed.mailer.send as unknown as typeof carrier.send;
  const carry = async (request: () => Promise<unknown>) => {
    const [result] = await step(request);
    if (result.status === "rejected") throw result.reason;
    return result.value;
  };
  return { ...killed, carry: carry as typeof transport.send };
}

const EVENTS = 6;

/** More than the steps of a run: each request, and two statements for each round and endpoint. */
const STEPS = 2 * EVENTS + 13;

const kills = Array.from({ length: STEPS }, (_, index) => index + 1).flatMap((step) =>
  (["before", "after"] as const).map((when) => ({ step, when })),
);

test.each(sampleCases(kills))("a run is killed $when step $step: each event arrives, under one id", async (kill) => {
  const hooks = await webhookHarness();
  const lossy = await webhookHarness("lose-every-second");
  for (const { endpointId } of [hooks, lossy]) await addBacklog(endpointId, EVENTS);
  const killed = killedSender(kill);
  transport.send = killed.carry;
  await killed.untilDead(hooks.run({ d1: killed.d1 }));
  transport.send = send;
  vi.useRealTimers();
  const waiting = async () => (await hooks.deliveries()).filter(({ delivered_at }) => delivered_at === null);
  for (let runs = 0; runs < 12 && (await waiting()).length > 0; runs += 1) {
    hooks.clock.now += 360 * MINUTE;
    await hooks.run();
  }
  expect(await waiting()).toEqual([]);
  for (const { receiver } of [hooks, lossy]) {
    const ids = Map.groupBy(await receiver.events(), ({ data }) => data.entry_id);
    expect(ids.size).toBe(EVENTS);
    for (const same of ids.values()) expect(new Set(same.map(({ id }) => id)).size).toBe(1);
  }
});

test("those kills are at every step of the run", async () => {
  const hooks = await webhookHarness();
  const lossy = await webhookHarness("lose-every-second");
  for (const { endpointId } of [hooks, lossy]) await addBacklog(endpointId, EVENTS);
  const killed = killedSender({ step: STEPS, when: "after" });
  transport.send = killed.carry;
  await killed.untilDead(hooks.run({ d1: killed.d1 }));
  expect(killed.wasKilled()).toBe(false);
});

/** A change of the list, and the condition that it has happened. */
const changes: [
  name: string,
  change: (db: ReturnType<typeof openDb>) => Promise<unknown>,
  event: string,
  done: string,
][] = [
  [
    "a sign-up",
    (db) => addEntry(db, { email: "new@example.com", source: "x", columns: {}, now: Date.now(), mustConfirm: false }),
    "entry.joined",
    "EXISTS (SELECT 1 FROM waitlist_emails WHERE email = 'new@example.com')",
  ],
  [
    "confirming",
    (db) => confirmEntry(db, 1, Date.now()),
    "entry.confirmed",
    "(SELECT confirmed_at FROM waitlist_emails) > 0",
  ],
  [
    "answering",
    (db) => setAnswers(db, 1, { role: "host" }),
    "entry.answered",
    "(SELECT answers FROM waitlist_emails) <> ''",
  ],
  [
    "unsubscribing",
    (db) => unsubscribeEntry(db, 1, Date.now(), "own-choice"),
    "entry.unsubscribed",
    "(SELECT status FROM waitlist_emails) = 'unsubscribed'",
  ],
  [
    "reaching a milestone",
    (db) => db.insert(reachedMilestones).values({ entry_id: 1, friends: 3, reached_at: Date.now() }),
    "milestone.reached",
    "EXISTS (SELECT 1 FROM reached_milestones)",
  ],
  [
    "finishing a letter",
    (db) => db.update(letters).set({ state: "finished" }),
    "letter.finished",
    "(SELECT state FROM letters) = 'finished'",
  ],
  ["erasing", (db) => eraseEntry(db, 1, Date.now()), "entry.erased", "NOT EXISTS (SELECT 1 FROM waitlist_emails)"],
];

test.each(changes)("%s and its event happen together or not at all, whichever step is the last", async (...given) => {
  const [, change, event, done] = given;
  for (let step = 1, wasKilled = true; wasKilled; step += 1) {
    for (const when of ["before", "after"] as const) {
      await env.DB.exec("DELETE FROM webhook_endpoints");
      await env.DB.exec("DELETE FROM waitlist_emails");
      await env.DB.exec("DELETE FROM letters");
      await env.DB.exec("DELETE FROM webhook_deliveries");
      await env.DB.exec("DELETE FROM sqlite_sequence");
      await join("ada@example.com", { mustConfirm: true });
      await env.DB.exec(
        "INSERT INTO letters (key, state, subject, preview_line, body, audience, created_at, updated_at) VALUES ('k', 'sending', '', '', '', '{}', 1, 1)",
      );
      await webhookHarness();
      const killed = killedSender({ step, when });
      await killed.untilDead(change(openDb(killed.d1)));
      vi.useRealTimers();
      const [{ isDone } = { isDone: 0 }] = (await env.DB.prepare(`SELECT ${done} AS isDone`).all<{ isDone: number }>())
        .results;
      const events = (await rows<{ event: string }>("webhook_deliveries")).map((delivery) => delivery.event);
      expect(events).toEqual(isDone ? [event] : []);
      wasKilled = killed.wasKilled();
      if (!wasKilled) expect(events).toEqual([event]);
    }
  }
});
