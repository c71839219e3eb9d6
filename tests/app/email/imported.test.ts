import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { hashMailbox } from "#app/server/hashes/mailbox.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows, seedImported } from "#tests/support/pool/start.ts";

const log = freshDatabaseForEachTest();

const HOUR = 3_600_000;

/** An outbox with the welcome emails of imported people. */
async function importedOutbox(people: number, emailsPerHour: number) {
  const meter = meteredD1();
  const outbox = outboxHarness({ emailsPerHour, d1: meter.d1 });
  await seedImported(people, outbox.clock.now);
  return { ...outbox, meter };
}

test("imported people get at most a quarter of the send limit, and a sign-up's email is sent at once", async () => {
  const outbox = await importedOutbox(30, 20);
  await outbox.sweep();
  expect(outbox.sent).toHaveLength(5);
  for (let person = 1; person <= 15; person += 1) await outbox.join(`new${person}@example.com`);
  await outbox.sweep();
  expect(outbox.sent).toHaveLength(20);
  expect(outbox.sent.slice(5).every(({ to }) => String(to).startsWith("new"))).toBe(true);
  await outbox.sweep();
  expect(outbox.sent).toHaveLength(20);
  outbox.clock.now += HOUR;
  await outbox.sweep();
  expect(outbox.sent).toHaveLength(25);
});

test("a long queue of them is not written again while it waits, and does not alarm the owner", async () => {
  const { sweep, meter, sent } = await importedOutbox(500, 4);
  await sweep();
  expect(sent).toHaveLength(1);
  meter.reset();
  await sweep();
  expect(meter.rowsWritten()).toBe(0);
  expect(log.filter((line) => line.includes("email-backlog"))).toEqual([]);
  const waiting = (await rows("email_outbox")).filter(({ done_at }) => done_at === null);
  expect(new Set(waiting.map(({ reason }) => reason))).toEqual(new Set(["import-limit"]));
});

test("their email says that they gave the address elsewhere; a sign-up's, that it was entered on the site", async () => {
  const { sweep, sent, join } = await importedOutbox(1, 400);
  await join("new@example.com", { mailboxHash: await hashMailbox("new@example.com", env.HASH_KEY) });
  await sweep();
  const phrase = /outside our site|entered this address on our site/g;
  const why = sent.map(({ to, text, html }) => [to, ...new Set(`${text}${html}`.match(phrase))].join(": "));
  const both = ["new@example.com: entered this address on our site", "person1@example.com: outside our site"];
  expect(why.toSorted()).toEqual(both);
});
