import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { recordAction } from "#app/owner/log/log.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
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

const EMAIL = "Check that email works";
const SIGN_UP = "Get the first sign-up";

/** Whether each step is done, by its heading; null if the overview shows no steps. */
async function steps(from = browser): Promise<Record<string, boolean> | null> {
  const { status, body } = await from.request("/owner");
  expect(status).toBe(200);
  const [, list] = /<ol class="[^"]*first-steps">(.*?)<\/ol>/s.exec(body) ?? [];
  if (list === undefined) return null;
  const headings = list.matchAll(/<h2>(<span[^>]*>Done: <\/span>)?([^<]*)/g);
  return Object.fromEntries(Array.from(headings, ([, done, heading = ""]) => [heading, done !== undefined]));
}

const unsendEmails = () => env.DB.exec("UPDATE email_outbox SET sent_at = NULL");

const makeLink = () => recordAction({ db, now: Date.now }, { by: OWNER, action: "make-link" });

test("before the first sign-up the overview shows steps instead of charts, and computes nothing", async () => {
  const { body } = await browser.request("/owner");
  expect(Object.keys((await steps()) ?? {}).slice(0, 2)).toEqual([EMAIL, SIGN_UP]);
  expect(body).not.toMatch(/<svg[^>]*class="chart|<table|class="tiles"/);
  expect(await rows("stats")).toEqual([]);
});

test("the steps tick themselves off in any order", async () => {
  // The sign-in link came by email.
  expect(await steps()).toMatchObject({ [EMAIL]: true, [SIGN_UP]: false });
  await unsendEmails();
  expect(await steps()).toMatchObject({ [EMAIL]: false, [SIGN_UP]: false });
  await join("ada@example.com");
  expect(await steps()).toMatchObject({ [EMAIL]: false, [SIGN_UP]: true });
  await makeLink();
  await env.DB.exec("UPDATE email_outbox SET sent_at = 1");
  expect(await steps()).toBeNull();
});

test("with the first sign-up the numbers appear at once, and the open steps stay above them", async () => {
  await unsendEmails();
  await browser.request("/owner");
  await join("ada@example.com");
  expect(await steps()).toMatchObject({ [EMAIL]: false, [SIGN_UP]: true });
  const { body } = await browser.request("/owner");
  expect(visibleText(body)).toContain("1 can get email Joined in total 1");
  expect(body.indexOf("first-steps")).toBeLessThan(body.indexOf('class="tiles"'));
});

test("an erased sign-up still counts as the first", async () => {
  await unsendEmails();
  await eraseEntry(db, await join("ada@example.com"), Date.now());
  expect(await steps()).toMatchObject({ [SIGN_UP]: true });
});

test("an owner with many sign-ups is not shown the steps", async () => {
  await unsendEmails();
  for (let number = 0; number < 24; number += 1) await join(`ada${number}@example.com`);
  expect(await steps()).toMatchObject({ [SIGN_UP]: true });
  await join("ada24@example.com");
  await browser.post("/owner/stats?days=30");
  expect(await steps()).toBeNull();
});

test("the first step says what keeps email from working", async () => {
  await unsendEmails();
  expect((await browser.request("/owner")).body).toContain("ask for a sign-in link");
  const unset = ownerBrowser({ MAIL_FROM: "" });
  for (const [name, value] of browser.cookies) unset.cookies.set(name, value);
  expect((await unset.request("/owner")).body).toContain("Advanced: set MAIL_FROM");
  await env.DB.prepare("INSERT INTO email_pauses VALUES ('wrong-key', ?, 1)")
    .bind(Date.now() + 3_600_000)
    .run();
  expect((await browser.request("/owner")).body).toContain("The email provider refused the API key");
});
