import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { emailReasons } from "#app/server/db/email-reasons.ts";
import { exhaustedSite } from "#tests/support/pool/exhausted-site.ts";
import { newestIn, type OwnerBrowser, ownerBrowser, signedIn, technicalWords } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, join, rows, seedEntries } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

/* Owners read words: names of settings, parameters, commands and plans are in lines that begin with "Advanced:". */

async function expectWords(browser: OwnerBrowser, paths: string[]) {
  for (const path of paths) {
    const { status, body } = await browser.request(path);
    expect([path, status, technicalWords(body)]).toEqual([path, 200, []]);
  }
}

const free = { WORKERS_PLAN: "free" };

test.each([
  ["on the first day", free, 0, "No one has joined yet"],
  ["without a sender", { ...free, MAIL_FROM: "" }, 0, "No one has joined yet"],
  ["with emails that take days at a low limit", { ...free, MAIL_PER_HOUR: "1" }, 21_000, "which takes"],
  ["with emails that take days at the plan's limit", { ...free, MAIL_PER_HOUR: "90000" }, 21_000, "which takes"],
])("the overview %s is in words", async (_, vars, people, text) => {
  if (people > 0) await seedEntries(people, Date.now() - 3_600_000);
  const { body } = await (await signedIn(vars)).request("/owner");
  expect(body).toContain(text);
  expect(technicalWords(body)).toEqual([]);
});

test("every reason why an email waits or failed is in words", async () => {
  const owner = await signedIn(free);
  for (const [index, reason] of Object.keys(emailReasons).entries()) {
    const id = await join(`person${index}@example.com`);
    const failed = index % 2 === 0 ? 1 : null;
    await execute("UPDATE email_outbox SET reason = ?, dead_at = ? WHERE entry_id = ?", reason, failed, id);
    await expectWords(owner, [`/owner/entries/${id}`]);
  }
  await expectWords(owner, ["/owner"]);
  for (const reason of ["no-sender", "wrong-key", "daily-quota", "send-limit"]) {
    await env.DB.exec("DELETE FROM email_pauses");
    await execute(
      "INSERT INTO email_pauses (scope, reason, until, created_at) VALUES ('all', ?, ?, 1)",
      reason,
      Date.now() + 3_600_000,
    );
    await expectWords(owner, ["/owner", "/owner/entries/1"]);
  }
});

test("erasing many entries is announced in words, also over several days", async () => {
  const owner = await signedIn(free);
  await seedEntries(6_000, Date.now() - 3_600_000);
  const path = "/owner/entries/erase?status=active";
  const { body } = await owner.request(path);
  expect(body).toContain("Up to 8 days");
  expect(technicalWords(body)).toEqual([]);
  await owner.post(path, { count: "6000", newest: newestIn(body) });
  expect(await rows("bulk_actions")).toHaveLength(1);
  await expectWords(owner, ["/owner/bulk/1"]);
});

test("a day without the database is announced in words", async () => {
  const browser = await signedIn(free);
  const Cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
  const { status, body } = await exhaustedSite({}, { written: 0, read: 0 }).get("/owner", { Cookie });
  expect([status, technicalWords(body)]).toEqual([503, []]);
});

test("signing in is explained in words", async () => {
  const stranger = ownerBrowser();
  for (const { body } of [
    await stranger.request("/owner"),
    await stranger.post("/owner/sign-in", { email: "ada@example.com" }),
    await stranger.request("/owner/sign-in/x"),
  ]) {
    expect(technicalWords(body)).toEqual([]);
  }
});
