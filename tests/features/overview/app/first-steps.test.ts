import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { hasJoined, readFirstSteps, readSettledSteps } from "#app/features/overview/first-steps.server.tsx";
import { siteSteps } from "#app/features/overview/site-steps.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { scheduledApp } from "#tests/support/pool/emails.ts";
import { addEntries, execute, freshDatabaseForEachTest, join, rows } from "#tests/support/pool/start.ts";
import { parts } from "#worker/features.ts";

freshDatabaseForEachTest();

const NOW = Date.UTC(2026, 10, 21, 12);

/** All steps of the site on the paid plan. */
function allSteps() {
  const config = { CONTACT_EMAIL: "hello@market.example", SURVEY_URL: undefined };
  const app = { ...scheduledApp(0), config, plan: { letters: true } };
  const sections = parts.flatMap(({ sections = [] }) => sections);
  const c = { var: { app, sections } } as never;
  return [...siteSteps(c, null), ...sections.flatMap(({ firstSteps }) => firstSteps?.(c) ?? [])];
}

/** Reads the steps as a view of the overview does, with what it stores. */
async function view() {
  const metered = meteredD1();
  const db = openDb(metered.d1);
  const stored: Promise<unknown>[] = [];
  const app = { db, now: () => NOW, waitUntil: (work: Promise<unknown>) => void stored.push(work) };
  const settled = await readSettledSteps(db);
  metered.reset();
  const steps = await readFirstSteps(app, allSteps(), settled);
  const read = { statements: metered.executed.length, rows: metered.rowsRead() };
  await Promise.all(stored);
  return { steps, read, states: Object.fromEntries(steps.map(({ key, state }) => [key, state])) };
}

test("a view reads one row for each step, in one statement, however long the list is", async () => {
  await addEntries(500, NOW);
  await join("ada@example.com");
  await execute("UPDATE email_outbox SET done_at = 1");
  const { read, steps, states } = await view();
  expect(read.statements).toBe(1);
  expect(read.rows).toBeLessThanOrEqual(steps.length);
  expect(states).toMatchObject({ email: "done", "sign-up": "done", contact: "open" });
});

test("what was done is neither read nor shown again, whatever becomes of it", async () => {
  await addEntries(1, NOW);
  await view();
  await env.DB.exec("DELETE FROM waitlist_emails");
  const again = await view();
  expect(hasJoined(again.steps)).toBe(true);
  await execute("UPDATE settled_steps SET settled_at = 5");
  for (const { key } of again.steps)
    await execute("INSERT OR IGNORE INTO settled_steps VALUES (?, 'dismissed', 1)", key);
  const last = await view();
  expect(last.read).toEqual({ statements: 0, rows: 0 });
  expect(Object.values(last.states)).not.toContain("open");
  expect(await rows("settled_steps")).toContainEqual({ key: "sign-up", outcome: "done", settled_at: 5 });
});

test("the first sign-up is seen although its step was dismissed", async () => {
  await execute("INSERT INTO settled_steps VALUES ('sign-up', 'dismissed', 1), ('contact', 'dismissed', 1)");
  expect(hasJoined((await view()).steps)).toBe(false);
  await addEntries(1, NOW);
  const { steps, states } = await view();
  expect(hasJoined(steps)).toBe(true);
  expect(states).toMatchObject({ "sign-up": "done", contact: "dismissed" });
});

test("each step has a key of its own", () => {
  const keys = allSteps().map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^[a-z]+(-[a-z]+)*$/);
});
