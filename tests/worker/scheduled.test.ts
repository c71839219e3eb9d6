import { createExecutionContext, env } from "cloudflare:test";
import { expect, test } from "vitest";
import { parseConfig } from "#app/server/config.server.ts";
import { addEntry } from "#app/waitlist/entries.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { createAppContext } from "#worker/app-context.ts";
import { runScheduled } from "#worker/scheduled.ts";

freshDatabaseForEachTest();
captureLog();

function appAt(now: number, binding = emailBinding().binding, vars = {}) {
  const { config } = parseConfig({ ...env, ...vars });
  if (config === null) throw new Error("The test configuration is incomplete");
  const app = createAppContext({ ...env, EMAIL: binding }, config, createExecutionContext());
  return { ...app, now: () => now };
}

function join(email: string, now: number) {
  return addEntry(appAt(now).db, { email, source: "landing_page", columns: {}, now });
}

test("sends due emails", async () => {
  const { binding, accepted } = emailBinding();
  await join("ada@example.com", Date.now());
  await runScheduled(appAt(Date.now(), binding));
  expect(accepted).toEqual(["ada@example.com"]);
});

test("erases only entries older than 24 months, as the privacy page says, with their emails", async () => {
  await join("old@example.com", Date.UTC(2025, 10, 20, 23, 59));
  await join("young@example.com", Date.UTC(2025, 10, 21, 0, 1));
  await runScheduled(appAt(Date.UTC(2027, 10, 21)));
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "young@example.com" }]);
  expect(await rows("mail_outbox")).toHaveLength(1);
});

test("sends the owner the daily digest, in the owner's time zone", async () => {
  const { binding, accepted } = emailBinding();
  const vars = { OWNER_EMAIL: "owner@stallwright.example", OWNER_TIME_ZONE: "Asia/Tokyo" };
  await join("ada@example.com", Date.UTC(2026, 10, 20, 14, 59));
  // 7 a.m. in Tokyo.
  for (const minute of [-5, 0, 5]) await runScheduled(appAt(Date.UTC(2026, 10, 20, 22, minute), binding, vars));
  expect(accepted).toEqual(["ada@example.com", "owner@stallwright.example"]);
});
