import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { post, read, visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { dataToken } from "#tests/support/pool/email-links.ts";
import { join } from "#tests/support/pool/join.ts";
import { needs } from "#tests/support/pool/needs.ts";

/* What people read of follow-up emails. */

freshStorageForEachTest();
needs("letters", "series");

test("the privacy page says how many there are, when they stop and what is stored of them", async () => {
  await env.DB.exec(
    "INSERT INTO series_steps (days, hour, subject, preview_line, body, letter_id, created_at, updated_at) VALUES (1, 9, 'A', '', 'B', 1, 0, 0)",
  );
  const { text } = await read("/privacy");
  for (const statement of [
    "up to five emails",
    "Each is sent to you once",
    "They stop when you unsubscribe",
    "the number of your entry, not your address",
    "explains follow-up emails, if we send any;",
  ]) {
    expect(text).toContain(statement);
  }
});

test("someone's data names a follow-up that they were sent, and unsubscribing is put down to it", async () => {
  const id = await join("ada@example.com");
  await env.DB.batch([
    env.DB.prepare(`INSERT INTO letters (id, key, state, subject, preview_line, body, audience, step_id, created_at,
      updated_at, started_at) VALUES (1, 'k', 'sending', 'A question', '', 'Hello', '{"filter":{}}', 1, 0, 0, 1)`),
    env.DB.prepare(
      "INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) VALUES (1, 0, ?, 'sent', ?)",
    ).bind(id, Date.now()),
  ]);
  const page = `/your-data/${await dataToken(id)}`;
  const text = visibleText((await post(page, { intent: "show-data" })).body);
  expect(text).toContain("Follow-up “A question” Sent ");
  expect((await post(page, { intent: "unsubscribe" })).status).toBe(303);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  const recipient = await env.DB.prepare("SELECT unsubscribed_at FROM letter_recipients").first();
  expect(recipient).toEqual({ unsubscribed_at: expect.any(Number) });
});
