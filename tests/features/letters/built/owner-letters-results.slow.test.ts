import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { questions } from "#app/site.ts";
import { visits } from "#app/switches.ts";
import { content, ownersLetters } from "#tests/features/letters/pool/owners-letters.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { execute, freshStorageForEachTest, needs } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";

/* What the pages say of letters: how many people, what their links brought, how large they are, and what they are called. */

needs("letters");

freshStorageForEachTest();
const { browser, post, page, write } = ownersLetters();

const [question] = questions;

const NOON = Date.parse("2026-11-20T12:00:00Z");

test("a letter that was stopped or sent is listed with those whom it was sent to", async () => {
  const id = await storeLetter({ state: "stopped", expected: 1_150, started_at: NOON, finished_at: NOON });
  await execute("INSERT INTO letter_batches (letter_id, number, done_at, sent) VALUES (?, 0, 1, 1000)", id);
  await storeLetter({ state: "sending", expected: 2_345, started_at: NOON });
  const text = visibleText(await page(""));
  expect(text).toMatch(/Stopped 20 Nov 2026, 12:00 1,000\b/);
  expect(text).toMatch(/Sending 20 Nov 2026, 12:00 2,345\b/);
});

test("the results say what the counted links brought, once there are some; and the help how to write one", async () => {
  const sent = { state: "finished", started_at: NOON, finished_at: NOON } as const;
  const id = await storeLetter({ ...sent, body: "[The roadmap]({{counted}}/roadmap)" });
  const other = await storeLetter({ ...sent, body: "[The roadmap]({{site}}/roadmap)" });
  expect(visibleText(await page(`/${id}`))).toContain("What its counted links brought Nothing so far.");
  expect(await page(`/${other}`)).not.toContain("counted links brought");
  const counts = { utm_campaign: { [`letter-${id}/roadmap`]: 1_234, [`letter-${id}/`]: 6 } };
  await execute("INSERT INTO page_visits (day, counts) VALUES ('2026-11-21', ?)", JSON.stringify(counts));
  await execute("UPDATE waitlist_emails SET utm_campaign = ?, created_at = ? WHERE id = 1", `letter-${id}/`, NOON);
  const results = await page(`/${id}`);
  const rows = visits ? ["/roadmap 1,234 0", "/ 6 1", "All pages 1,240 1"] : ["/roadmap 0", "/ 1", "All pages 1"];
  for (const row of rows) expect(visibleText(results)).toContain(row);
  expect(results).toContain(`/owner/entries?utm_campaign=letter-${id}%2F"`);
  expect(visibleText(await page(`/new?draft=${"0".repeat(32)}`))).toContain("[our site]({{counted}}/)");
});

test("an email that Gmail would cut off is saved and can be sent, with a warning on each page", async () => {
  const long = Array.from({ length: 400 }, () => "**[A button](https://c.example/)**").join("\n\n");
  await write({ body: long });
  const size = /This email has (\d+) KB of HTML\. Gmail hides what is beyond 102 KB/;
  for (const step of ["", "/preview", "/send"]) {
    const html = await page(`/1${step}`);
    expect(Number(size.exec(html)?.[1]), step).toBeGreaterThan(100);
    expect(html).not.toContain("message-error");
  }
  expect(Math.ceil(new TextEncoder().encode(await page("/1/email")).length / 1_000)).toBeCloseTo(
    Number(size.exec(await page("/1/preview"))?.[1]),
    -1,
  );
  await post("/1", { ...content, intent: "save" });
  for (const step of ["", "/preview", "/send"]) expect(await page(`/1${step}`)).not.toMatch(size);
});

test.skipIf(question === undefined)("no title or list shows a greeting as it is written", async () => {
  const subject = `News, {{${question?.key}|dear reader}}`;
  await write({ subject });
  const sent = await storeLetter({ subject, state: "sending", started_at: NOON, is_public: true });
  await env.DB.exec(
    `INSERT INTO email_pauses (scope, letter_id, reason, created_at) VALUES ('letter', ${sent}, 'bounces', 1)`,
  );
  const recipient =
    "INSERT INTO letter_recipients (letter_id, position, entry_id, state, done_at) VALUES (?, 0, 1, 'sent', 1)";
  await execute(recipient, sent);
  await browser().post("/owner/series", { days: "3", audience: "", subject, body: "Hello." });
  const pages = ["", "/1/preview", "/1/audience", "/1/send", `/${sent}`].map((path) => `/owner/letters${path}`);
  const others = ["/owner", "/owner/entries/1", "/owner/series", "/owner/series/1/preview", "/owner/log", "/letters"];
  for (const path of [...pages, ...others]) {
    const { body } = await browser().request(path);
    expect(visibleText(body), path).toContain("News, dear reader");
    expect(body, path).not.toContain(subject);
  }
  // Its form has it as it was written.
  const form = await page("/1");
  expect(form).toMatch(/<h1>News, dear reader<\/h1>/);
  expect(form).toContain(`value="${subject}"`);
});

test("the log names letters and follow-ups by their subject as long as there are any", async () => {
  const log = async () => (await browser().request("/owner/log")).body;
  await write({ subject: "Doors <open>" });
  await browser().post("/owner/series", { days: "3", audience: "", subject: "A pitch", body: "Hello." });
  const named = await log();
  expect(named).toContain('<a href="/owner/letters/1">“Doors &lt;open&gt;” (letter 1)</a>');
  expect(named).toContain('<a href="/owner/series/1">“A pitch” (follow-up 1)</a>');
  await post("/1", { ...content, subject: "x".repeat(200), intent: "save" });
  expect(await log()).toContain(`“${"x".repeat(79)}…” (letter 1)`);
  await post("/1", { ...content, subject: "", intent: "save" });
  expect(await log()).toContain('<a href="/owner/letters/1">letter 1</a>');
  await post("/1", { intent: "delete" });
  await browser().post("/owner/series/1", { intent: "delete" });
  const gone = await log();
  for (const text of ["Created a letter: letter 1", "Deleted a draft: letter 1", "Deleted a follow-up: follow-up 1"])
    expect(visibleText(gone)).toContain(text);
  expect(gone).not.toMatch(/href="\/owner\/(letters|series)\/1"/);
});

test("dates on letters' pages are in one form", async () => {
  const audience = { filter: { from: "2026-11-01", until: "2026-11-19" } };
  const sent = { state: "finished", started_at: NOON, finished_at: NOON, audience } as const;
  const id = await storeLetter(sent);
  const recipient = "INSERT INTO letter_recipients (letter_id, position, state, done_at) VALUES (?, 0, 'sent', ?)";
  await execute(recipient, id, NOON);
  const text = visibleText(await page(`/${id}`));
  for (const part of ["Joined from: 1 Nov 2026; Joined until: 19 Nov 2026", "Started 20 Nov 2026, 12:00", "By day Day"])
    expect(text).toContain(part);
  expect(text).toMatch(/20 Nov 2026 1 0 0 0 0/);
  expect(text).not.toMatch(/\d{4}-\d\d-\d\d/);
});
