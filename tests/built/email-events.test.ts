import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { bounce, emailEvent } from "#tests/support/pool/email-event.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

test("the deployed Worker applies the events of a real queue, among messages that are none", async () => {
  const outbox = outboxHarness();
  outbox.clock.now = Date.now();
  for (const name of ["ada", "bob"]) await outbox.join(`${name}@example.com`);
  await outbox.sweep();
  const complaint = emailEvent("complained", "bob@example.com");
  const bounced = emailEvent("bounced", "ada@example.com", bounce("hard"));
  const messages = [null, "x".repeat(127_000), bounced, { type: 7 }, bounced, complaint];
  await env.EMAIL_EVENTS.sendBatch(messages.map((body) => ({ body, contentType: "json" })));
  await expect.poll(() => rows("provider_events"), { timeout: 20_000 }).toHaveLength(2);
  expect(await rows("suppressions")).toMatchObject([{ reason: "hard-bounce" }, { reason: "complaint" }]);
  expect(await rows("email_outbox")).toMatchObject([{ reason: "address-refused" }, { reason: null }]);
  expect(await rows("waitlist_emails")).toMatchObject([{ status: "active" }, { status: "unsubscribed" }]);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});
