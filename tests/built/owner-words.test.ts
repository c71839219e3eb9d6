import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { emailReasons } from "#app/server/db/email-reasons.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { exhaustedSite } from "#tests/support/pool/exhausted-site.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { ownerBrowser, signedIn } from "#tests/support/pool/owner.ts";
import { technicalWords } from "#tests/support/pool/owner-words.ts";
import { seedEntries } from "#tests/support/pool/seed-entries.ts";

freshStorageForEachTest();
captureLog();

/* Owners read words: names of settings, parameters, commands and plans are in lines that begin with "Advanced:". */

test("a token in an address is no technical word, the same outside one is", () => {
  const page = (text: string) => `<main><pre>Unsubscribe here: ${text}</pre></main>`;
  expect(technicalWords(page("https://example.com/unsubscribe?token=a-U_1F5-b"))).toEqual([]);
  expect(technicalWords(page("U_1F5"))).toEqual(["U_1F5"]);
});

type Browser = ReturnType<typeof ownerBrowser>;

async function expectWords(browser: Browser, paths: string[]) {
  for (const path of paths) {
    const { status, body } = await browser.request(path);
    expect([path, status, technicalWords(body)]).toEqual([path, 200, []]);
  }
}

const free = { WORKERS_PLAN: "free" };

test.each([
  ["on the first day", free],
  ["without a sender", { ...free, MAIL_FROM: "" }],
])("the overview %s says what to do in words", async (_, vars) => {
  const { body } = await (await signedIn(vars)).request("/owner");
  expect(body).toContain("No one has joined yet");
  expect(technicalWords(body)).toEqual([]);
});

test("pages of people, emails and the log are in words", async () => {
  const owner = await signedIn({ ...free, MAIL_FROM: "" });
  await join("ada@example.com");
  await env.DB.exec("UPDATE waitlist_emails SET utm_source = 'poster', utm_campaign = 'fair', utm_term = 'x'");
  await owner.post("/owner/entries/1", { intent: "note", note: "Hello" });
  await expectWords(owner, [
    "/owner",
    "/owner/entries",
    "/owner/entries?utm_source=poster&utm_campaign=fair&without=utm_source",
    "/owner/entries/1",
    "/owner/entries/new",
    "/owner/export?utm_source=poster",
    "/owner/entries/erase?utm_source=poster",
    "/owner/emails",
    "/owner/emails/welcome",
    "/owner/emails/confirm",
    "/owner/log",
  ]);
});

test("every reason why an email waits or failed is in words", async () => {
  const owner = await signedIn(free);
  for (const [index, reason] of Object.keys(emailReasons).entries()) {
    const id = await join(`person${index}@example.com`);
    const failed = index % 2 === 0 ? 1 : null;
    await env.DB.prepare("UPDATE email_outbox SET reason = ?, dead_at = ? WHERE entry_id = ?")
      .bind(reason, failed, id)
      .run();
    await expectWords(owner, [`/owner/entries/${id}`]);
  }
  await expectWords(owner, ["/owner"]);
  for (const reason of ["no-sender", "wrong-key", "daily-quota", "send-limit"]) {
    await env.DB.exec("DELETE FROM email_pauses");
    await env.DB.prepare("INSERT INTO email_pauses VALUES (?, ?, 1)")
      .bind(reason, Date.now() + 3_600_000)
      .run();
    await expectWords(owner, ["/owner", "/owner/entries/1"]);
  }
});

test.each([
  ["at a low limit", { ...free, MAIL_PER_HOUR: "1" }],
  ["at the plan's limit", { ...free, MAIL_PER_HOUR: "90000" }],
])("emails that take days %s are announced in words", async (_, vars) => {
  await seedEntries(21_000, Date.now() - 3_600_000);
  const { body } = await (await signedIn(vars)).request("/owner");
  expect(body).toContain("waiting to be sent, which takes");
  expect(technicalWords(body)).toEqual([]);
});

test("erasing many entries is announced in words, also over several days", async () => {
  const owner = await signedIn(free);
  await seedEntries(6_000, Date.now() - 3_600_000);
  const path = "/owner/entries/erase?status=active";
  const { body } = await owner.request(path);
  expect(body).toContain("Up to 2 days");
  expect(technicalWords(body)).toEqual([]);
  await owner.post(path, { count: "6000", newest: /name="newest" value="(\d+)"/.exec(body)?.[1] ?? "" });
  expect(await rows("bulk_actions")).toHaveLength(1);
  await expectWords(owner, ["/owner/bulk/1"]);
});

test("a day without the database is announced in words", async () => {
  const browser = await signedIn(free);
  const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
  const { status, body } = await exhaustedSite({}, { written: 0, read: 0 }).get("/owner", { Cookie: cookie });
  expect([status, technicalWords(body)]).toEqual([503, []]);
  expect(body).toContain("The daily quota is used up");
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
