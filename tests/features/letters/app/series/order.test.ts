import { expect, test } from "vitest";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { DAY, joinPeople, seriesHarness } from "#tests/features/letters/pool/series-harness.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshDatabaseForEachTest();

test("a run of the cron job sends welcome emails before follow-ups, and those before letters", async () => {
  const site = await seriesHarness();
  await joinPeople(2, { at: site.clock.now - 1 });
  await site.addOn({ days: 1 });
  await joinPeople(2, { at: site.clock.now + 1, first: 3 });
  await site.pass(DAY);
  await site.start();
  const entry = { email: "new@example.com", source: "stall", columns: {}, mustConfirm: false };
  await addEntry(site.db, { ...entry, now: site.clock.now });
  const app = scheduledApp(site.clock.now, { vars: { WORKERS_PLAN: "paid", MAIL_PER_HOUR: 100_000 } });
  await runScheduled({ ...app, mailer: site.deps.mailer as typeof app.mailer, wait: site.deps.wait } as typeof app);
  const sent = (await site.resend.state()).accepted.map(({ to, subject }) => `${to}: ${subject}`);
  expect(sent[0]).toMatch(/^new@example.com: /);
  expect(sent.slice(1)).toEqual([
    ...[3, 4].map((number) => `person${number}@example.com: After 1 days`),
    ...[1, 2, 3, 4].map((number) => `person${number}@example.com: We open on Friday`),
  ]);
  expect((await rows("email_outbox")).filter(({ done_at }) => done_at === null)).toEqual([]);
});
