import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { emailReasons } from "#app/server/db/email-reasons.ts";
import { questions, site } from "#app/site.ts";
import { escaped, visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/needs.ts";
import { OWNER, signedIn } from "#tests/support/pool/owner.ts";
import { technicalWords } from "#tests/support/pool/owner-words.ts";
import { content, ownersLetters } from "#tests/support/pool/owners-letters.ts";
import { problemsOf } from "#tests/support/pool/owners-problems.ts";
import { NO_QUESTIONS } from "#tests/support/site-answers.ts";

needs("letters");

freshStorageForEachTest();
const log = captureLog();
const { browser, post, page, write, stored, actions } = ownersLetters();

test("a draft is created, saved again and deleted", async () => {
  const created = await write();
  expect([created.status, created.headers.get("Location")]).toEqual([303, "/owner/letters/1?done=saved"]);
  expect(await stored()).toMatchObject({
    state: "draft",
    subject: "The market opens",
    preview_line: "Your stall is ready",
    body: "# Welcome\n\nHello.",
  });
  const saved = await post("/1", { ...content, body: "Bye.", intent: "preview" });
  expect(saved.headers.get("Location")).toBe("/owner/letters/1/preview?done=saved");
  expect(await page("/1")).toMatch(/<textarea[^>]*>Bye\.<\/textarea>/);
  expect(await page("")).toContain('href="/owner/letters/1"');
  expect((await post("/1", { intent: "delete" })).headers.get("Location")).toContain("deleted");
  expect(await stored()).toBeUndefined();
  expect(await actions()).toEqual(["create-letter", "delete-letter"]);
  expect((await browser().request("/owner/letters/1")).status).toBe(404);
});

test.each([0, 1, 20, 21, 1_000])("%i letters of each list are shown page by page, newest first", async (count) => {
  for (const state of ["scheduled", "draft", "finished"]) {
    await env.DB.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
      INSERT INTO letters (key, state, subject, preview_line, body, audience, created_at, updated_at, started_at, finished_at)
      SELECT 'k', ?2, ?2 || ' ' || n, '', 'Hello', '{"filter":{}}', 0, 0, 0, 0 FROM numbers WHERE n <= ?1`,
    )
      .bind(count, state)
      .run();
  }
  const numbersOn = (html: string, state: string) =>
    Array.from(html.matchAll(new RegExp(`>${state} (\\d+)</a>`, "g")), ([, number]) => Number(number));
  const newest = Array.from({ length: count }, (_, nth) => count - nth);
  const first = await page("");
  for (const [list, state] of [
    ["under-way", "scheduled"],
    ["drafts", "draft"],
    ["past", "finished"],
  ] as const) {
    expect(numbersOn(first, state)).toEqual(newest.slice(0, 20));
    const found = numbersOn(first, state);
    const next = (html: string) =>
      new RegExp(`href="/owner/letters(\\?list=${list}&amp;page=\\d+)">Older<`).exec(html)?.[1];
    for (let path = next(first); path !== undefined; ) {
      const body = await page(path.replace("&amp;", "&"));
      expect(body).toContain(">Newer</a>");
      found.push(...numbersOn(body, state));
      path = next(body);
    }
    expect(found).toEqual(newest);
  }
});

test("a page of letters that is not there leads to the first one", async () => {
  for (const query of ["?list=drafts&page=2", "?list=past&page=99999999"]) {
    const { status, headers } = await browser().request(`/owner/letters${query}`);
    expect([status, headers.get("Location")], query).toEqual([303, "/owner/letters"]);
  }
  for (const query of ["?list=drafts&page=x", "?list=none&page=2", "?list=drafts&page=0", "?page=7"]) {
    expect((await browser().request(`/owner/letters${query}`)).status, query).toBe(200);
  }
});

const refused: [what: string, fields: Record<string, string>, field: string, line?: string][] = [
  ["a header in the subject", { subject: "News\r\nBcc: eve@example.com" }, "subject"],
  ["a control character in the subject", { subject: "News\u0007" }, "subject"],
  ["a control character in the preview line", { "preview-line": "News\u0007" }, "preview-line"],
  ["a control character in the letter", { body: "Hello\n\n\u0007" }, "body", "Line 3"],
  ["a character outside XML in the subject", { subject: "News\ufffe" }, "subject"],
  ["a character outside XML in the preview line", { "preview-line": "News\uffff" }, "preview-line"],
  ["a character outside XML in the letter", { body: "Hello\n\n\ufffe" }, "body", "Line 3"],
  ["an unknown placeholder", { body: "Hello\n\nDear {{first-name}}" }, "body", "Line 3"],
  ["a broken image link", { body: "Hello\n\n![A stall](htps://pictures.example/a.png)" }, "body", "Line 3"],
  ["a script as a link", { body: "Hello\n\n[x](javascript:alert(1))" }, "body", "Line 3"],
  ["a name as a reply address", { "reply-to": "Ada" }, "reply-to"],
  ["HTML", { body: "Hello\n\n<img src=x onerror=alert(1)>" }, "body", "Line 3"],
  ["too much to read", { body: "Hello. ".repeat(10_000) }, "body", "Line 1"],
  ["too many signs of emphasis", { body: `Hello\n\n${"*_".repeat(100)}` }, "body", "Line 3"],
  ["too many lines", { body: "Hello\n\n".repeat(600) }, "body", "Line 1001"],
];

test("what cannot be sent is kept as it was typed, with a sentence beside its field", async () => {
  await write();
  for (const [what, fields, field, line = ""] of refused) {
    const letter = { ...content, ...fields };
    expect((await post("/1", { ...letter, intent: "save" })).status, what).toBe(303);
    expect(await stored(), what).toMatchObject({
      state: "draft",
      subject: letter.subject.trim(),
      preview_line: letter["preview-line"].trim(),
      body: letter.body.replaceAll("\r\n", "\n"),
      reply_to: fields["reply-to"] ?? null,
    });
    const html = await page("/1");
    const problems = problemsOf(html);
    expect(problems, what).toEqual({ [field]: expect.stringMatching(/\.$/) });
    expect(problems[field], what).toContain(line);
    expect(html, what).toMatch(new RegExp(`<(input|textarea) id="${field}"[^>]*aria-invalid="true"`));
    expect((await post("/1/send", { intent: "test" })).status, what).toBe(422);
    expect((await post("/1/send", { intent: "start", when: "now", count: "2" })).status, what).toBe(422);
  }
  expect(browser().emails).toEqual([]);
});

test("a blank draft is saved without blame; its preview and its last page say what is missing, in the same words", async () => {
  await write({ subject: " ", "preview-line": "", body: "" });
  const saved = await page("/1?done=saved");
  expect(saved).toContain("The draft is saved.");
  expect(problemsOf(saved)).toEqual({});
  expect(saved).not.toMatch(/aria-invalid|message-error/);
  const missing = /<li>Write a subject\.<\/li><li>Write the letter\.<\/li>/;
  for (const step of ["preview", "send"]) expect(await page(`/1/${step}`), step).toMatch(missing);
  const refusal = await post("/1/send", { intent: "start", when: "now", count: "2" });
  expect([refusal.status, refusal.body]).toEqual([422, expect.stringMatching(missing)]);
  expect((await post("/1/send", { intent: "test" })).status).toBe(422);
  expect(await stored()).toMatchObject({ state: "draft", subject: "", body: "" });
});

describe("a duplicate", () => {
  const choices = { source: "tablet", first: "1", invitation: "yes" };
  const copied = { ...content, "reply-to": "stalls@example.com" };
  const words = {
    state: "draft",
    subject: content.subject,
    preview_line: content["preview-line"],
    reply_to: "stalls@example.com",
  };

  test("of a draft has its words and its audience", async () => {
    await write(copied);
    await post("/1/audience", { intent: "count", ...choices });
    await post("/1", { intent: "publish" });
    expect((await post("/1", { intent: "duplicate" })).headers.get("Location")).toBe(
      "/owner/letters/2?done=duplicated",
    );
    expect(await stored()).toMatchObject({
      id: 2,
      ...words,
      body: "# Welcome\n\nHello.",
      is_invitation: 1,
      is_public: 0,
    });
    expect(JSON.parse((await stored())?.audience ?? "")).toEqual({ filter: { source: "tablet" }, first: 1 });
    expect(await page("/2?done=duplicated")).toContain("the same audience");
    expect((await actions()).at(-1)).toBe("duplicate-letter");
    expect(visibleText((await browser().request("/owner/log")).body)).toContain(
      "Duplicated a letter: letter 1 , as letter 2",
    );
  });

  test.each(["scheduled", "sending", "stopped", "finished"])(
    "of a letter that is %s is for everyone, and says so",
    async (state) => {
      await write(copied);
      await post("/1/audience", { intent: "count", ...choices });
      await env.DB.exec(`UPDATE letters SET state = '${state}', started_at = 1, finished_at = 2, expected = 1`);
      expect(await page("/1")).toContain('value="duplicate"');
      const { headers } = await post("/1", { intent: "duplicate" });
      expect(headers.get("Location")).toBe("/owner/letters/2?done=duplicated-for-all");
      expect(await stored()).toMatchObject({ ...words, is_invitation: 0, expected: 0, scheduled_for: null });
      expect(JSON.parse((await stored())?.audience ?? "")).toEqual({ filter: {} });
      expect(await page("/2?done=duplicated-for-all")).toContain("Its audience is everyone on the waitlist");
      expect((await rows<{ state: string }>("letters"))[0]).toMatchObject({ state });
    },
  );
});

describe("a first letter", () => {
  const START = "/owner/letters/new?start=opening";

  test("is offered while there is none, and stored only when it is saved", async () => {
    expect(await page("")).toContain(`href="${START}"`);
    const offered = await page("/new?start=opening");
    expect(offered).toContain(escaped(`${site.name} is open, so send it once that is true.`));
    expect(await stored()).toBeUndefined();
    const body = /<textarea[^>]*>(.*?)<\/textarea>/s.exec(offered)?.[1] ?? "";
    expect(body).toContain("]({{site}}/)**");
    await write();
    expect(await page("")).not.toContain(START);
  });

  test("leads to the product once it is open", async () => {
    const LAUNCH_URL = "https://app.market.example/welcome";
    const launched = await signedIn({ LAUNCH_URL });
    const { body } = await launched.request(START);
    expect(body).toContain(`](${LAUNCH_URL})**`);
    expect(body).not.toContain("once that is true");
  });
});

test("every page of letters is in words, whatever keeps a letter from being sent", async () => {
  await write();
  const siteUrl = "https://waitlist-site.example";
  const MAIL_FROM = "hello@waitlist-site.example";
  for (const vars of [{ MAIL_FROM: "" }, { MAIL_FROM }, { MAIL_FROM, RESEND_API_KEY: "re_key" }]) {
    const deployed = await signedIn({ ...vars, WORKERS_PLAN: "free", SITE_URL: siteUrl }, siteUrl);
    const { body } = await deployed.request("/owner/letters/1/send");
    expect(body).toContain("Advanced: ");
    expect(technicalWords(body)).toEqual([]);
  }
  for (const path of ["", "/new", "/new?start=opening", "/1", "/1/preview", "/1/audience", "/1/send"]) {
    expect([path, technicalWords(await page(path))]).toEqual([path, []]);
  }
  for (const fault of Object.keys(emailReasons)) {
    await env.DB.exec(
      `UPDATE letters SET state = 'paused', pause_reason = 'configuration', fault = '${fault}', started_at = 1`,
    );
    expect(technicalWords(await page("/1"))).toEqual([]);
  }
});

test("the page of the last step has the summary, the test, the page on the web and the start, in this order", async () => {
  await write();
  const html = await page("/1/send");
  expect(Array.from(html.matchAll(/<h2 id="([\w-]+)"/g), ([, id]) => id)).toEqual([
    "summary",
    "test",
    "public",
    "send",
  ]);
  const names = Array.from(html.matchAll(/name="(when|time|count|intent)"/g), ([, name]) => name);
  expect(names).toEqual(["intent", "intent", "when", "when", "time", "count", "intent"]);
});

test("a letter that was sent before today's limits of writing can still be previewed", async () => {
  await write({ body: "*a* ".repeat(60) });
  expect((await browser().request("/owner/letters/1/email")).status).toBe(404);
  await env.DB.exec("UPDATE letters SET state = 'finished', started_at = 1");
  expect((await browser().request("/owner/letters/1/email")).body).toContain(">a</em>");
  expect(await page("/1/preview")).toContain("Text version");
});

test("a letter's replies go to its own address, and else to CONTACT_EMAIL", async () => {
  await write({ "reply-to": " stalls@example.com " });
  expect(await stored()).toMatchObject({ reply_to: "stalls@example.com" });
  expect(await page("/1/preview")).toContain("<dd>stalls@example.com</dd>");
  await post("/1/send", { intent: "test" });
  expect(browser().emails.at(-1)).toMatchObject({ replyTo: "stalls@example.com" });
  await post("/1", { ...content, "reply-to": "", intent: "save" });
  expect(await stored()).toMatchObject({ reply_to: null });
  expect(await page("/1/preview")).toContain(`<dd>${env.CONTACT_EMAIL}</dd>`);
  expect(await page("/1")).toContain(`replies go to ${env.CONTACT_EMAIL}`);
});

const [question] = questions;

describe.skipIf(question === undefined)(question === undefined ? NO_QUESTIONS : "a greeting", () => {
  const { key = "" } = question ?? {};
  const greeting = `{{${key}|you & all}}`;

  test("is previewed with an answer and without one, and a test is sent without", async () => {
    const sample = question?.answers === undefined ? `[${question?.label}]` : Object.values(question.answers)[0];
    await write({ subject: `News, ${greeting}`, "preview-line": `For ${greeting}`, body: `Hello, ${greeting}.` });
    const filled = await page("/1/preview");
    for (const text of [`<dd>News, ${sample}</dd>`, `<dd>For ${sample}</dd>`, `Hello, ${sample}.`]) {
      expect(filled).toContain(text);
    }
    expect(await page("/1/email")).toContain(`Hello, ${sample}.`);
    expect(filled).toContain('href="?scheme=light&amp;greeting=fallback"');
    const without = await page("/1/preview?greeting=fallback");
    for (const text of ["<dd>News, you &amp; all</dd>", "<dd>For you &amp; all</dd>", "Hello, you &amp; all."]) {
      expect(without).toContain(text);
    }
    expect(without).toContain('src="/owner/letters/1/email?scheme=light&amp;greeting=fallback"');
    expect(await page("/1/email?greeting=fallback")).toContain("Hello, you &amp; all.");
    for (const path of ["/1/email", "/1/email?greeting=fallback"]) expect(await page(path)).not.toContain("{{");
    await post("/1/send", { intent: "test" });
    expect(browser().emails.at(-1)).toMatchObject({ subject: "[Test] News, you & all" });
  });

  test("is explained beside the letter, and refused at the preview when it cannot be filled", async () => {
    expect(await page("/new")).toContain(`{{${key}|there}}`);
    for (const { subject, body, problem } of [
      { subject: `News, {{${key}}}`, body: "Hello", problem: `{{${key}}} has no words for people without an answer` },
      {
        subject: "News",
        body: "Hello {{not_asked|you}}",
        problem: "Line 1: {{not_asked|you}} does not match a question",
      },
    ]) {
      await write({ subject, body });
      const { id } = (await stored()) ?? {};
      expect(await page(`/${id}/preview`)).toContain(problem);
      expect((await post(`/${id}/send`, { intent: "test" })).status).toBe(422);
    }
    expect(browser().emails).toEqual([]);
  });
});

test("a letter whose question was removed after it was sent says so instead of its preview", async () => {
  await write();
  await env.DB.exec("UPDATE letters SET body = 'Dear {{gone|you}}', state = 'finished', started_at = 1");
  expect(await page("/1/preview")).toContain("cannot be shown any more. Line 1 of the letter: {{gone|you}}");
  expect((await browser().request("/owner/letters/1/email")).status).toBe(404);
});

test("the preview frames the email itself, in both schemes, and shows its text", async () => {
  await write({ body: "Hello\n\n![A stall](https://pictures.example/a.png)" });
  const { body, headers } = await browser().request("/owner/letters/1/preview?scheme=dark");
  expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*frame-src 'self'/);
  expect(headers.get("X-Frame-Options")).toBe("DENY");
  const frames = Array.from(body.matchAll(/<iframe src="([^"]+)"[^>]*sandbox=""/g), ([, src]) => src);
  expect(frames).toEqual(Array(2).fill("/owner/letters/1/email?scheme=dark"));
  expect(body).toContain("[A stall]");
  const email = await browser().request("/owner/letters/1/email?scheme=dark");
  expect(email.body).toContain("https://pictures.example/a.png");
  expect(email.body).toContain("@media all{");
  expect(await page("/1/email?scheme=light")).toContain("@media not all{");
  const policy = email.headers.get("Content-Security-Policy");
  expect(policy).toMatch(/default-src 'none';.*frame-ancestors 'self'; sandbox$/);
  expect(policy).not.toContain("script");
  expect(email.headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
});

test("the audience is everybody at first, and counts those who fit the filters", async () => {
  await write();
  const choose = (fields: Record<string, string>) => post("/1/audience", { intent: "count", ...fields });
  const count = async () => /<strong>([\d,]+)<\/strong>/.exec(await page("/1/audience"))?.[1];
  const audience = async () => JSON.parse((await stored())?.audience ?? "");
  expect(await count()).toBe("2");
  expect((await choose({ source: "stall" })).headers.get("Location")).toBe("/owner/letters/1/audience?done=counted");
  expect(await count()).toBe("1");
  const invalid = { from: "2026-11-22", until: "2026-11-21", first: "-3", "not-sent": "x", source: "tablet" };
  const { status, body } = await choose(invalid);
  expect(status).toBe(422);
  expect(Object.keys(problemsOf(body)).toSorted()).toEqual(["first", "not-sent", "until"]);
  expect(problemsOf(body)["until"]).toBe("This must not be earlier than “Joined from”.");
  for (const value of ["2026-11-22", "2026-11-21", "-3"]) expect(body).toContain(`value="${value}"`);
  expect(await audience()).toEqual({ filter: { source: "stall" } });
  await choose({ source: "tablet", first: "1", invited: "no", invitation: "yes" });
  expect(await audience()).toEqual({ filter: { source: "tablet", invited: false }, first: 1 });
  expect(await stored()).toMatchObject({ is_invitation: 1 });
  expect(await count()).toBe("1");
  await env.DB.exec("UPDATE waitlist_emails SET invited_at = 1");
  expect(await count()).toBe("0");
});

test("earlier letters to leave out are listed with none first, then the newest", async () => {
  for (const subject of ["First", "Second"]) await write({ subject });
  await env.DB.exec("UPDATE letters SET state = 'finished', started_at = 1");
  await write();
  const select = /<select id="not-sent".*?<\/select>/s.exec(await page("/3/audience"))?.[0] ?? "";
  const texts = Array.from(select.matchAll(/<option[^>]*>([^<]*)/g), ([, text]) => text);
  expect(texts).toEqual(["No letter", "Second", "First"]);
});

test("an audience of nobody cannot be sent to, and the pages say so", async () => {
  await write();
  await post("/1/audience", { intent: "count", source: "nowhere" });
  expect(await page("/1/audience")).toContain("No one on the waitlist matches");
  const send = await page("/1/send");
  expect(send).toContain("A letter without recipients cannot be sent");
  expect(send).not.toContain('value="start"');
  expect((await post("/1/send", { intent: "start", when: "now", count: "0" })).status).toBe(409);
  expect(await stored()).toMatchObject({ state: "draft" });
});

test("a test goes to the owner who asked, and belongs to nobody on the list", async () => {
  await write();
  expect((await post("/1/send", { intent: "test" })).headers.get("Location")).toBe("/owner/letters/1/send?done=tested");
  const email = browser().emails.at(-1);
  expect(email).toMatchObject({ to: OWNER, subject: "[Test] The market opens" });
  await browser().post(/\/unsubscribe\/[\w.-]+/.exec(email?.text ?? "")?.[0] ?? "");
  const statuses = (await rows<{ status: string }>("waitlist_emails")).map(({ status }) => status);
  expect(statuses).toEqual(["active", "active"]);
  expect(await actions()).toEqual(["create-letter", "test-letter"]);
  expect(log.join()).not.toContain(OWNER);
});

test("a letter starts once the number of people is typed, and can then be changed no more", async () => {
  await write();
  const start = (count: string) => post("/1/send", { intent: "start", when: "now", count, time: "2031-01-01T10:00" });
  for (const count of ["", "20", "all"]) {
    const { status, body } = await start(count);
    expect([count, status]).toEqual([count, 422]);
    expect(problemsOf(body)["count"]).toMatch(/number/);
    expect(body).toContain('value="2031-01-01T10:00"');
  }
  expect((await start("2")).headers.get("Location")).toBe("/owner/letters/1?done=started");
  expect(await stored()).toMatchObject({ state: "sending", expected: 2 });
  const { status, body } = await post("/1", { ...content, body: "Late idea", intent: "save" });
  expect(status).toBe(409);
  expect(body).toContain("Late idea</textarea>");
  await post("/1/audience", { source: "stall" });
  const kept = await stored();
  expect([kept?.body, JSON.parse(kept?.audience ?? "")]).toEqual(["# Welcome\n\nHello.", { filter: {} }]);
});
