import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { emailReasons } from "#app/server/db/email-reasons.ts";
import { questions, site } from "#app/site.ts";
import { content, ownersLetters } from "#tests/features/letters/pool/owners-letters.ts";
import { escaped, visibleText } from "#tests/support/pool/built.ts";
import { newestIn, OWNER, problemsOf, signedIn, technicalWords } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";
import { storeLetter } from "#tests/support/pool/stored-letter.ts";
import { NO_QUESTIONS } from "#tests/support/site-answers.ts";

/* The owner writes letters, previews them and chooses who gets them. */

needs("letters");

/** The page of a letter that is not saved yet. */
const NEW = `/new?draft=${"0".repeat(32)}`;

freshStorageForEachTest();
const { browser, post, next, page, write, stored, actions } = ownersLetters();

test("a draft is created, saved again with an address for replies, and deleted; one that is too large is refused with a sentence", async () => {
  const created = await write();
  expect([created.status, created.headers.get("Location")]).toEqual([303, "/owner/letters/1?done=saved"]);
  const { subject, "preview-line": preview_line } = content;
  expect(await stored()).toMatchObject({ state: "draft", subject, preview_line, body: "# Welcome\n\nHello." });
  for (const path of ["/1", ""]) {
    const { status, body } = await post(path, { ...content, body: "x".repeat(600_000) });
    expect(status).toBe(413);
    expect(body).toMatch(/role="alert"><p>[^<]+ was not saved\./);
    if (path === "/1") expect(body).toContain("# Welcome\n\nHello.</textarea>");
  }
  expect(await rows("letters")).toMatchObject([{ body: "# Welcome\n\nHello." }]);
  const saved = await next("/1", { ...content, body: "Bye.", "reply-to": " stalls@example.com ", intent: "preview" });
  expect(saved).toBe("/owner/letters/1/preview?done=saved");
  expect(await stored()).toMatchObject({ reply_to: "stalls@example.com" });
  expect(await page("/1/preview")).toContain("<dd>stalls@example.com</dd>");
  await post("/1/send", { intent: "test" });
  expect(browser().emails.at(-1)).toMatchObject({ replyTo: "stalls@example.com" });
  // Without an address of its own, replies go to CONTACT_EMAIL.
  await post("/1", { ...content, body: "Bye.", "reply-to": "", intent: "save" });
  expect(await stored()).toMatchObject({ reply_to: null });
  expect(await page("/1/preview")).toContain(`<dd>${env.CONTACT_EMAIL}</dd>`);
  expect(await page("/1")).toContain(`replies go to ${env.CONTACT_EMAIL}`);
  expect(await page("/1")).toMatch(/<textarea[^>]*>Bye\.<\/textarea>/);
  expect(await page("")).toContain('href="/owner/letters/1"');
  expect(await next("/1", { intent: "delete" })).toContain("deleted");
  expect(await stored()).toBeUndefined();
  expect(await actions()).toEqual(["create-letter", "save-letter", "test-letter", "save-letter", "delete-letter"]);
  expect((await browser().request("/owner/letters/1")).status).toBe(404);
});

test.each<[list: string, state: "scheduled" | "draft" | "finished", count: number]>([
  ["under-way", "scheduled", 20],
  ["drafts", "draft", 21],
  ["past", "finished", 41],
])("the letters %s are shown page by page, newest first", async (list, state, count) => {
  for (let n = 1; n <= count; n += 1)
    await storeLetter({ state, subject: `${state} ${n}`, started_at: 0, finished_at: 0 });
  const found: number[] = [];
  for (let path: string | undefined = ""; path !== undefined; ) {
    const body = await page(path);
    const numbers = Array.from(body.matchAll(new RegExp(`>${state} (\\d+)</a>`, "g")), ([, n]) => Number(n));
    expect(numbers.length).toBeLessThanOrEqual(20);
    expect(body.includes(">Newer</a>")).toBe(path !== "");
    found.push(...numbers);
    const older = new RegExp(`href="/owner/letters(\\?list=${list}&amp;page=\\d+)">Older<`);
    path = older.exec(body)?.[1]?.replace("&amp;", "&");
  }
  expect(found).toEqual(Array.from({ length: count }, (_, nth) => count - nth));
  const { status, headers } = await browser().request(`/owner/letters?list=${list}&page=99999999`);
  expect([status, headers.get("Location")]).toEqual([303, "/owner/letters"]);
  expect((await browser().request(`/owner/letters?list=none&page=x`)).status).toBe(200);
});

/** By field, with the line of the problem. Each rule of their own is held by the tests of `check-letter.server.ts`. */
test.each<[what: string, fields: Record<string, string>, field: string, line?: string]>([
  ["a header in the subject", { subject: "News\r\nBcc: eve@example.com" }, "subject"],
  ["a name as a reply address", { "reply-to": "Ada" }, "reply-to"],
  ["HTML", { body: "Hello\n\n<img src=x onerror=alert(1)>" }, "body", "Line 3"],
  ["too much to read", { body: "Hello. ".repeat(10_000) }, "body", "Line 1"],
])(
  "%s, which cannot be sent, is kept as it was typed, with a sentence beside its field",
  async (_, fields, field, line = "") => {
    await write();
    const letter = { ...content, ...fields };
    expect((await post("/1", { ...letter, intent: "save" })).status).toBe(303);
    expect(await stored()).toMatchObject({
      ...{ state: "draft", subject: letter.subject.trim(), preview_line: letter["preview-line"].trim() },
      ...{ body: letter.body.replaceAll("\r\n", "\n"), reply_to: fields["reply-to"] ?? null },
    });
    const html = await page("/1");
    const problems = problemsOf(html);
    expect(problems).toEqual({ [field]: expect.stringMatching(/\.$/) });
    expect(problems[field]).toContain(line);
    expect(html).toMatch(new RegExp(`<(input|textarea) id="${field}"[^>]*aria-invalid="true"`));
    for (const intent of ["test", "start"])
      expect((await post("/1/send", { intent, when: "now", count: "2" })).status, intent).toBe(422);
    expect(browser().emails).toEqual([]);
  },
);

test("a blank draft is saved without blame; its preview and its last page say what is missing, in the same words", async () => {
  await write({ subject: " ", "preview-line": "", body: "" });
  const saved = await page("/1?done=saved");
  expect(problemsOf(saved)).toEqual({});
  expect(saved).not.toMatch(/aria-invalid|message-error/);
  const missing = expect.stringMatching(/<li>Write a subject\.<\/li><li>Write the letter\.<\/li>/);
  for (const step of ["preview", "send"]) expect(await page(`/1/${step}`), step).toEqual(missing);
  for (const intent of ["start", "test"])
    expect(await post("/1/send", { intent, when: "now", count: "2" })).toMatchObject({ status: 422, body: missing });
  expect(await stored()).toMatchObject({ state: "draft", subject: "", body: "" });
});

test.each(["draft", "scheduled", "sending", "stopped", "finished"])(
  "a duplicate of a letter that is %s has its words, and its audience if that has yet to get it",
  async (state) => {
    await write({ "reply-to": "stalls@example.com" });
    await post("/1/audience", { intent: "count", source: "tablet", first: "1", invitation: "yes" });
    await post("/1", { intent: "publish" });
    const isDraft = state === "draft";
    const sent = isDraft ? "" : ", started_at = 1, finished_at = 2, expected = 1";
    await env.DB.exec(`UPDATE letters SET state = '${state}'${sent}`);
    expect(await page("/1")).toContain('value="duplicate"');
    const next = `/owner/letters/2?done=duplicated${isDraft ? "" : "-for-all"}`;
    expect((await post("/1", { intent: "duplicate" })).headers.get("Location")).toBe(next);
    expect(await stored()).toMatchObject({
      ...{ id: 2, state: "draft", subject: content.subject, preview_line: content["preview-line"] },
      ...{ body: "# Welcome\n\nHello.", reply_to: "stalls@example.com", is_public: 0, expected: 0 },
      ...{ scheduled_for: null, is_invitation: isDraft ? 1 : 0 },
      audience: isDraft ? '{"filter":{"source":"tablet"},"first":1}' : '{"filter":{}}',
    });
    expect(await rows("letters")).toMatchObject([{ state }, {}]);
    expect((await actions()).at(-1)).toBe("duplicate-letter");
  },
);

test("a first letter is offered while there is none, stored only when it is saved, and leads to the product once it is open", async () => {
  const START = "/owner/letters/new?start=opening";
  const LAUNCH_URL = "https://app.market.example/welcome";
  expect(await page("")).toContain(`href="${START}"`);
  const offered = await page(`/new?start=opening&draft=${"0".repeat(32)}`);
  expect(offered).toContain(escaped(`${site.name} is open, so send it once that is true.`));
  expect(offered).toMatch(/<textarea[^>]*>[^<]*\]\(\{\{site\}\}\/\)\*\*/);
  const { body } = await (await signedIn({ LAUNCH_URL })).request(`${START}&draft=${"0".repeat(32)}`);
  expect(body).toContain(`](${LAUNCH_URL})**`);
  expect(body).not.toContain("once that is true");
  expect(await stored()).toBeUndefined();
  await write();
  expect(await page("")).not.toContain(START);
});

test("a first letter is a step of the overview until there is one, but not on a plan that sends none", async () => {
  const isOffered = async (WORKERS_PLAN: string) =>
    (await (await signedIn({ WORKERS_PLAN })).request("/owner")).body.includes("<h3>Write a first letter");
  expect(await Promise.all(["paid", "free"].map(isOffered))).toEqual([true, false]);
  await write();
  expect(await isOffered("paid")).toBe(false);
});

test("every page of letters is in words, whatever paused one", async () => {
  await write();
  for (const path of ["", NEW, `${NEW}&start=opening`, "/1", "/1/preview", "/1/audience", "/1/send"])
    expect([path, technicalWords(await page(path))]).toEqual([path, []]);
  await env.DB.exec("UPDATE letters SET state = 'sending', started_at = 1");
  for (const fault of Object.keys(emailReasons)) {
    await env.DB.exec("DELETE FROM email_pauses");
    await env.DB.exec(`INSERT INTO email_pauses VALUES ('letter', 1, '${fault}', NULL, 1)`);
    expect(technicalWords(await page("/1"))).toEqual([]);
  }
});

test.each([
  ["longer than today's limits", "*a* ".repeat(60), ">a</em>", "Text version"],
  ["with a question that was removed", "Dear {{gone|you}}", null, "Line 1 of the letter: {{gone|you}}"],
])("a letter %s is not shown as an email, unless it was sent so", async (_, body, email, preview) => {
  await write({ body });
  expect((await browser().request("/owner/letters/1/email")).status).toBe(404);
  await env.DB.exec("UPDATE letters SET state = 'finished', started_at = 1");
  const sent = await browser().request("/owner/letters/1/email");
  expect(sent.status).toBe(email === null ? 404 : 200);
  expect(sent.body).toContain(email ?? "");
  expect(await page("/1/preview")).toContain(preview);
});

const [question] = questions;

describe.skipIf(question === undefined)(question === undefined ? NO_QUESTIONS : "a greeting", () => {
  const { key = "" } = question ?? {};
  const greeting = `{{${key}|you & all}}`;
  const sample = question?.answers === undefined ? `[${question?.label}]` : Object.values(question.answers)[0];

  test.each([
    ["with an answer", "", sample],
    ["without one", "greeting=fallback", "you &amp; all"],
  ])("is previewed %s", async (_, query, words) => {
    await write({ subject: `News, ${greeting}`, "preview-line": `For ${greeting}`, body: `Hello, ${greeting}.` });
    const preview = await page(`/1/preview?${query}`);
    for (const text of [`<dd>News, ${words}</dd>`, `<dd>For ${words}</dd>`, `Hello, ${words}.`])
      expect(preview).toContain(text);
    expect(preview).toMatch(/href="\?scheme=light(&amp;greeting=fallback)?"/);
    const email = await page(`/1/email?${query}`);
    expect([email.includes(`Hello, ${words}.`), email.includes("{{")]).toEqual([true, false]);
  });

  test("is explained beside the letter, sent without an answer in a test, and refused when it cannot be filled", async () => {
    expect(await page(NEW)).toContain(`{{${key}|there}}`);
    await write({ subject: `News, ${greeting}` });
    await post("/1/send", { intent: "test" });
    expect(browser().emails).toMatchObject([{ subject: "[Test] News, you & all" }]);
    await write({ subject: `News, {{${key}}}`, body: "Hello {{not_asked|you}}" });
    const preview = await page("/2/preview");
    expect(preview).toContain(`{{${key}}} has no words for people without an answer`);
    expect(preview).toContain("Line 1: {{not_asked|you}} does not match a question");
    expect((await post("/2/send", { intent: "test" })).status).toBe(422);
    expect(browser().emails).toHaveLength(1);
  });
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
  for (const part of ["https://pictures.example/a.png", "@media all{"]) expect(email.body).toContain(part);
  expect(await page("/1/email?scheme=light")).toContain("@media not all{");
  const policy = /^(?!.*script).*default-src 'none';.*frame-ancestors 'self'; sandbox$/;
  expect(email.headers.get("Content-Security-Policy")).toMatch(policy);
  expect(email.headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
});

const chosen = async () => /<strong>([\d,]+)<\/strong>/.exec(await page("/1/audience"))?.[1];

test("the audience is everybody at first, and counts those who fit the filters; to nobody, nothing can be sent", async () => {
  await write();
  const choose = (fields: Record<string, string>) => post("/1/audience", { intent: "count", ...fields });
  const audience = async () => JSON.parse((await stored())?.audience ?? "");
  expect(await chosen()).toBe("2");
  expect((await choose({ source: "stall" })).headers.get("Location")).toBe("/owner/letters/1/audience?done=counted");
  expect(await chosen()).toBe("1");
  const invalid = { from: "2026-11-22", until: "2026-11-21", first: "-3", "not-sent": "x", source: "tablet" };
  const { status, body } = await choose(invalid);
  expect([status, Object.keys(problemsOf(body)).toSorted()]).toEqual([422, ["first", "not-sent", "until"]]);
  for (const value of ["2026-11-22", "2026-11-21", "-3"]) expect(body).toContain(`value="${value}"`);
  expect(await audience()).toEqual({ filter: { source: "stall" } });
  await choose({ source: "tablet", first: "1", invited: "no", invitation: "yes" });
  expect(await audience()).toEqual({ filter: { source: "tablet", invited: false }, first: 1 });
  expect(await stored()).toMatchObject({ is_invitation: 1 });
  expect(await chosen()).toBe("1");
  await env.DB.exec("UPDATE waitlist_emails SET invited_at = 1");
  expect(await chosen()).toBe("0");
  expect(await page("/1/audience")).toContain("No one on the waitlist matches");
  const send = await page("/1/send");
  expect(send).toContain("A letter without recipients cannot be sent");
  expect(send).not.toContain('value="start"');
  expect((await post("/1/send", { intent: "start", when: "now", count: "0" })).status).toBe(409);
  expect(await stored()).toMatchObject({ state: "draft" });
});

describe("the people who are selected on the list", () => {
  const selected = "/owner/entries/select?source=stall";
  const invite = "/owner/letters/invite?source=stall";
  const audience = "/owner/letters/1/audience";

  /** The fields of the audience's form as a browser would send them. */
  async function fields(): Promise<Record<string, string>> {
    const { body } = await browser().request(audience);
    const [form = ""] = /<form id="audience".*?<\/form>/s.exec(body) ?? [];
    const inputs = Array.from(form.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"[^>]*>/g));
    const checked = inputs.filter(([input]) => !input.includes("checkbox") || input.includes("checked"));
    const selects = form.matchAll(/<select[^>]*name="([^"]*)".*?<option[^>]*value="([^"]*)"[^>]*selected/gs);
    return Object.fromEntries([...checked, ...selects].map(([, name = "", value = ""]) => [name, value]));
  }

  test("get an invitation as a draft, and no one who joins later", async () => {
    await join("eve@example.com", { source: "stall" });
    await join("cyd@example.com", { source: "stall", mustConfirm: true });
    const { body } = await browser().request(selected);
    expect(visibleText(body)).toContain("for the 2 of them who may get email");
    const invited = await browser().post(invite, { newest: newestIn(body) });
    expect(invited.headers.get("Location")).toBe("/owner/letters/1?done=invitation");
    const letter = { state: "draft", audience: '{"filter":{"source":"stall"},"newestEntry":4}', is_invitation: 1 };
    expect(await stored()).toMatchObject(letter);
    expect((await rows("owner_log")).at(-1)).toMatchObject({ action: "create-letter", actor: OWNER });
    await join("late@example.com", { source: "stall" });
    expect(await chosen()).toBe("2");
    // Saving the audience as it is shown keeps the bound; unticking it takes it away.
    const given = await fields();
    expect(given).toMatchObject({ source: "stall", newest: "4", invitation: "yes" });
    await browser().post(audience, given);
    expect(await chosen()).toBe("2");
    const { newest: _, ...others } = given;
    await browser().post(audience, others);
    expect(await chosen()).toBe("3");
  });

  test("stay in the letter when its audience is saved, by filters that only the list has", async () => {
    await browser().post(`${invite}&from=2020-01-01&from_time=10%3A00&email=waiting`, { newest: "1" });
    const filter = { source: "stall", email: { state: "waiting" }, from: "2020-01-01", from_time: "10:00" };
    await browser().post(audience, await fields());
    expect(JSON.parse((await stored())?.audience ?? "{}").filter).toEqual(filter);
  });

  test("get no letter by a search, an ended search, a wrong filter, or if they get no email", async () => {
    const { headers } = await browser().post("/owner/entries?source=stall", { search: "ada" });
    const query = new URL(headers.get("Location") ?? "", env.SITE_URL).search;
    const searched = (await browser().request(`/owner/entries/select${query}`)).body;
    expect(visibleText(searched)).toContain("A letter cannot be addressed by a search");
    expect(searched).not.toContain("/owner/letters/invite");
    for (const refused of [query, "?source=stall&search=0123abcd", "?status=activ", "?status=unsubscribed"]) {
      const response = await browser().post(`/owner/letters/invite${refused}`, { newest: "1" });
      expect(response.headers.get("Location")).toMatch(/^\/owner\/entries\/select/);
    }
    await browser().post(invite);
    expect(await rows("letters")).toEqual([]);
  });

  test("may be those of a saved view, but for what letters cannot use", async () => {
    await write();
    expect((await browser().request(audience)).body).not.toContain("Use a saved view");
    await browser().post("/owner/entries/views?source=stall&status=active", { name: "Stall" });
    await browser().post("/owner/entries/views?source=stall&status=unsubscribed", { name: "Left" });
    const { body } = await browser().request(`${audience}?view=1`);
    expect(visibleText(body)).toContain("The choices below are those of the view “Stall”. They are not saved yet.");
    expect(visibleText(body)).not.toContain("Left out");
    expect(body).toMatch(/<option[^>]*value="stall"[^>]*selected/);
    expect((await stored())?.audience).toBe('{"filter":{}}');
    const left = visibleText((await browser().request(`${audience}?view=2`)).body);
    expect(left).toContain("Left out, because it does not work for letters: Status: Unsubscribed.");
    expect((await browser().request(`${audience}?view=9`)).status).toBe(200);
  });
});
