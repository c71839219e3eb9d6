import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { recordAction } from "#app/owner/log/log.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { eraseEntry } from "#app/waitlist/entries.server.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { OWNER, ownerBrowser, signedInBrowser } from "#tests/support/pool/owner.ts";

/* The owner's overview on the first day. */

freshStorageForEachTest();
captureLog();

const db = openDb(env.DB);

const browser = signedInBrowser();

/** Whether each step is done; null if the overview shows no steps. */
async function steps(from = browser): Promise<boolean[] | null> {
  const { status, body } = await from.request("/owner");
  expect(status).toBe(200);
  const [, list] = /<ol class="[^"]*first-steps">(.*?)<\/ol>/s.exec(body) ?? [];
  return list === undefined
    ? null
    : list
        .split("<li")
        .slice(1)
        .map((step) => step.includes("Done: "));
}

const makeLink = () => recordAction({ db, now: Date.now }, { by: OWNER, action: "make-link" });

test("before the first sign-up the overview shows three steps instead of charts, and computes nothing", async () => {
  const { body } = await browser.request("/owner");
  expect(await steps()).toHaveLength(3);
  expect(body).not.toMatch(/<svg[^>]*class="chart|<table|class="tiles"/);
  expect(await rows("stats")).toEqual([]);
});

test("the steps tick themselves off in any order", async () => {
  // The sign-in link came by email.
  expect(await steps()).toEqual([true, false, false]);
  await makeLink();
  expect(await steps()).toEqual([true, false, true]);
  await env.DB.exec("UPDATE email_outbox SET sent_at = NULL");
  expect(await steps()).toEqual([false, false, true]);
  await join("ada@example.com");
  expect(await steps()).toEqual([false, true, true]);
  await env.DB.exec("UPDATE email_outbox SET sent_at = 1");
  expect(await steps()).toBeNull();
});

test("with the first sign-up the numbers appear at once, and the open steps stay above them", async () => {
  await browser.request("/owner");
  await join("ada@example.com");
  expect(await steps()).toEqual([true, true, false]);
  const { body } = await browser.request("/owner");
  expect(visibleText(body)).toContain("On the waitlist 1 Joined in total 1");
  expect(body.indexOf("first-steps")).toBeLessThan(body.indexOf('class="tiles"'));
});

test("an erased sign-up still counts as the first", async () => {
  await eraseEntry(db, await join("ada@example.com"), Date.now());
  expect(await steps()).toEqual([true, true, false]);
});

test("an owner with many sign-ups is not shown the steps", async () => {
  for (let number = 0; number < 24; number += 1) await join(`ada${number}@example.com`);
  expect(await steps()).toEqual([true, true, false]);
  await join("ada24@example.com");
  await browser.post("/owner/stats?days=30");
  expect(await steps()).toBeNull();
});

test("the first step says what keeps email from working", async () => {
  await env.DB.exec("UPDATE email_outbox SET sent_at = NULL");
  expect((await browser.request("/owner")).body).toContain("ask for a sign-in link");
  const unset = ownerBrowser({ MAIL_FROM: "" });
  for (const [name, value] of browser.cookies) unset.cookies.set(name, value);
  expect((await unset.request("/owner")).body).toContain("Set MAIL_FROM");
  await env.DB.prepare("INSERT INTO email_pauses VALUES ('wrong-key', ?, 1)")
    .bind(Date.now() + 3_600_000)
    .run();
  expect((await browser.request("/owner")).body).toContain("The email provider refused the API key");
});
