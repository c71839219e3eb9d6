import { afterEach, expect, test, vi } from "vitest";
import type { Mailer } from "#app/server/mailer.server.ts";
import { addBacklog, HOUR, webhookHarness } from "#tests/features/webhooks/pool/webhook-harness.ts";
import { transport } from "#tests/features/webhooks/pool/webhook-receiver.ts";
import { type Kill, killedProcess } from "#tests/support/pool/d1.ts";
import { execute, freshDatabaseForEachTest, needs, sampleCases } from "#tests/support/pool/start.ts";

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

/** Two receivers, one of which loses every second request, and a run that is killed. */
async function killedRun(kill: Kill) {
  const all = [await webhookHarness(), await webhookHarness("lose-every-second")] as const;
  for (const { endpointId } of all) await addBacklog(endpointId, EVENTS);
  // One event is at its last attempt.
  await execute("UPDATE jobs SET attempts = 9 WHERE id = 2");
  const killed = killedSender(kill);
  transport.send = killed.carry;
  await killed.untilDead(all[0].run({ d1: killed.d1 }));
  transport.send = send;
  vi.useRealTimers();
  return { all, hooks: all[0], killed };
}

/** As many steps as a run can have: one that reads, each request, and two for each endpoint. */
const STEPS = 1 + 2 * EVENTS + 2 * 2;

const kills = Array.from({ length: STEPS }, (_, index) => index + 1).flatMap((step) =>
  (["before", "after"] as const).map((when) => ({ step, when })),
);

test.each(sampleCases(kills))(
  "killed $when step $step, no event is lost, accepted unsent or tried too often",
  async (kill) => {
    const { all, hooks } = await killedRun(kill);
    const waiting = async () =>
      (await hooks.deliveries()).filter(({ done_at, dead_at }) => (done_at ?? dead_at) === null);
    for (let runs = 0; runs < 12 && (await waiting()).length > 0; runs += 1) {
      hooks.clock.now += 6 * HOUR;
      await hooks.run();
    }
    expect(await waiting()).toEqual([]);
    const received = (await Promise.all(all.map(({ receiver }) => receiver.events()))).flat();
    const ids = Map.groupBy(received, ({ id }) => Number(id.split("_").at(-1)));
    for (const { id, done_at, reason } of await hooks.deliveries()) {
      const same = ids.get(id) ?? [];
      expect(new Set(same.map((event) => event.id)).size).toBe(same.length === 0 ? 0 : 1);
      if (done_at === null) expect([id, reason]).toEqual([2, "interrupted"]);
      else expect(same.length).toBeGreaterThan(0);
      if (id === 2) expect(same.length).toBeLessThanOrEqual(1);
    }
  },
);

test("those kills are at every step of the run", async () => {
  const { killed } = await killedRun({ step: STEPS + 1, when: "after" });
  expect(killed.wasKilled()).toBe(false);
  expect(killed.steps()).toBeGreaterThan(STEPS - 6);
});
