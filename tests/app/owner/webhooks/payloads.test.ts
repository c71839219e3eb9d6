import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { addPeople, letterHarness } from "#tests/support/pool/letter-harness.ts";
import { freshDatabaseForEachTest, join, needs } from "#tests/support/pool/start.ts";
import { webhookHarness } from "#tests/support/pool/webhook-harness.ts";
import webhooksDocs from "../../../../docs/webhooks.md?raw";

needs("webhooks");
freshDatabaseForEachTest();

test("a milestone says how many friends", async () => {
  const hooks = await webhookHarness(200, { events: ["milestone.reached"] });
  const id = await join("ada@example.com");
  await env.DB.exec(`INSERT INTO reached_milestones VALUES (${id}, 10, 1, NULL)`);
  await hooks.run();
  expect(await hooks.receiver.events()).toMatchObject([
    { type: "milestone.reached", data: { entry_id: id, friends: 10, status: "active" } },
  ]);
});

test("the status is the one that the owner sees", async () => {
  const hooks = await webhookHarness(200, { events: ["entry.joined"] });
  const added = { source: "x", columns: {}, now: hooks.clock.now };
  await addEntry(hooks.db, { ...added, email: "ada@example.com", mustConfirm: true });
  await addEntry(hooks.db, { ...added, email: "bea@example.com", addressHash: "bea" });
  await env.DB.exec("INSERT INTO suppressions (address_hash, reason, created_at) VALUES ('bea', 'never', 1)");
  await hooks.run();
  const statuses = (await hooks.receiver.events()).map(({ data }) => [data.status, data.confirmed_at]);
  expect(statuses).toEqual([
    ["unconfirmed", null],
    ["suppressed", null],
  ]);
});

describe("letters", () => {
  needs("letters");

  test("say what became of each recipient", async () => {
    const hooks = await webhookHarness(200, { events: ["letter.finished"] });
    const letters = await letterHarness();
    await addPeople(4);
    const id = await letters.start();
    await env.DB.exec("DELETE FROM waitlist_emails WHERE id = 4");
    for (let runs = 0; (await letters.letter(id)).state !== "finished" && runs < 10; runs += 1) {
      await letters.sweep();
      await letters.pass(60_000);
    }
    await env.DB.exec("UPDATE letter_recipients SET bounced_at = 1 WHERE position < 2");
    await env.DB.exec("UPDATE letter_recipients SET bounced_softly = 1 WHERE position = 1");
    await hooks.run();
    const stats = {
      expected: 4,
      sent: 3,
      skipped: 1,
      failed: 0,
      unknown: 0,
      bounced: 1,
      bounced_softly: 1,
      complained: 0,
      unsubscribed: 0,
    };
    const [event] = await hooks.receiver.events();
    expect(event).toMatchObject({ type: "letter.finished", data: { letter_id: id, ...stats } });
  });
});

test("the docs have the fields of each event", async () => {
  const hooks = await webhookHarness(200, { has_personal_data: true });
  const id = await join("ada@example.com");
  await env.DB.exec(
    `UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribe_reason = 'owner' WHERE id = ${id}`,
  );
  await hooks.run();
  const [event] = (await hooks.receiver.events()).filter(({ type }) => type === "entry.unsubscribed");
  for (const field of Object.keys(event.data)) expect(webhooksDocs).toContain(`\`${field}\``);
});
