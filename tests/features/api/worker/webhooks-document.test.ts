import { expect, test } from "vitest";
import { events } from "#app/features/webhooks/events.ts";
import { testBody } from "#app/features/webhooks/payload.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { checkSchema, readDocument } from "#tests/features/api/pool/api-contract.ts";
import { webhookHarness } from "#tests/features/webhooks/pool/webhook-harness.ts";
import { db, execute, freshStorageForEachTest, join, needs } from "#tests/support/pool/start.ts";

/* Requests of webhooks, held against the OpenAPI document. */

needs("api", "webhooks");
freshStorageForEachTest();

async function check(body: string) {
  const read = await readDocument();
  const { type } = JSON.parse(body);
  const schema = read.webhooks[type]?.["post"]?.requestBody?.content["application/json"].schema ?? { not: {} };
  checkSchema(read, schema, body, body);
  return type;
}

test("the document has every event that endpoints can choose", async () => {
  expect(Object.keys((await readDocument()).webhooks)).toEqual(events);
});

test.each([true, false])("test events are as documented, with personal data: %s", async (has_personal_data) => {
  for (const event of events) expect(await check(testBody(event, { has_personal_data }, Date.now()))).toBe(event);
});

test.each([true, false])("events are sent as documented, with personal data: %s", async (has_personal_data) => {
  const hooks = await webhookHarness(200, { has_personal_data });
  const [ada, bob, eve] = [await join("ada@example.com"), await join("bob@example.com"), await join("eve@example.com")];
  await execute("UPDATE waitlist_emails SET confirmed_at = 5, answers = ? WHERE id = ?", '{"role":"host"}', ada);
  await execute("UPDATE waitlist_emails SET email = 'ada@example.org' WHERE id = ?", ada);
  await execute("INSERT INTO reached_milestones VALUES (?, 3, 1, NULL)", ada);
  await unsubscribeEntry(db, bob, Date.now(), "own-choice");
  await eraseEntry(db, eve, Date.now());
  const columns =
    "id, key, state, subject, preview_line, body, audience, is_public, created_at, updated_at, expected, queued";
  await execute(
    `INSERT INTO letters (${columns}) VALUES (1, 'k', 'sending', 'News', '', 'Hello', '{"filter":{}}', 1, 5, 5, 0, 0)`,
  );
  await execute("UPDATE letters SET state = 'finished'");
  await hooks.run();
  const { received } = await hooks.receiver.state();
  const types = new Set<string>();
  for (const { headers, body } of received) {
    types.add(await check(body));
    const { parameters } = (await readDocument()).components;
    for (const { name, schema } of Object.values(parameters))
      expect(headers[name], name).toMatch(new RegExp(schema.pattern ?? "."));
  }
  expect([...types].toSorted()).toEqual(events.toSorted());
  expect(received.some(({ body }) => body.includes("ada@"))).toBe(has_personal_data);
});
