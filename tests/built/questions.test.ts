import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { questions } from "#app/site.ts";
import { waysToHelp } from "#app/switches.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { ANSWER_TOKEN, answerTokenOf } from "#tests/support/pool/answer-token.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { read } from "#tests/support/pool/built-page.ts";
import { builtWorker, messageOf } from "#tests/support/pool/built-site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { answersToAll, choiceQuestions, NO_QUESTIONS, textQuestions } from "#tests/support/site-answers.ts";

/* The questions after joining, for browsers without JavaScript: those of app/site.ts, however many there are. */

freshStorageForEachTest();
const log = captureLog();

/** Posts a form of the landing page as a browser without JavaScript does. */
async function post(fields: Record<string, string>, { headers = {}, replaced = {} } = {}) {
  const execution = createExecutionContext();
  const init = { method: "POST", headers: { Origin: env.SITE_URL, ...headers }, body: new URLSearchParams(fields) };
  const response = await builtWorker.fetch(new Request(`${env.SITE_URL}/`, init), { ...env, ...replaced }, execution);
  const html = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, html, form: formIn(html) };
}

/** The form with the questions, if the page has one. */
function formIn(html: string) {
  const form = /<form[^>]*class="[^"]*\bquestions".*?<\/form>/s.exec(html)?.[0];
  if (form === undefined) return null;
  const tags = (name: string) => Array.from(form.matchAll(new RegExp(`<${name}[^>]*>`, "g")), ([tag]) => tag);
  const values = (list: string[]) =>
    Object.fromEntries(list.map((tag) => [attribute(tag, "name") ?? "", attribute(tag, "value") ?? ""]));
  return {
    tag: tags("form")[0],
    wordings: Array.from(form.matchAll(/<(?:legend|label)[^>]*>([^<]*)/g), ([, text = ""]) => plainText(text)),
    pressed: values(tags("button").filter((tag) => attribute(tag, "aria-pressed") === "true")),
    fields: values(tags("input")),
    message: /<p data-status="\w+">([^<]*)/.exec(form)?.[1],
  };
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : plainText(value);
}

function plainText(text: string): string {
  return text
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, "&");
}

/** Joins and returns the fields of the questions. */
async function join(email: string, fields: Record<string, string> = {}): Promise<Record<string, string>> {
  return (await post({ email, source: "landing_page", ...fields })).form?.fields ?? {};
}

/** A form's fields with answers. */
function withAnswers(fields: Record<string, string>, answers: Record<string, string>): Record<string, string> {
  return {
    ...fields,
    ...Object.fromEntries(Object.entries(answers).map(([key, value]) => [answerField({ key }), value])),
  };
}

async function stored(): Promise<unknown[]> {
  const entries = await rows<{ answers: string | null }>("waitlist_emails");
  return entries.map(({ answers }) => JSON.parse(answers ?? "null"));
}

test.runIf(questions.length === 0)("without questions no one is asked anything", async () => {
  const { status, form } = await post({ email: "ada@example.com" });
  expect([status, form]).toEqual([201, null]);
});

describe.skipIf(questions.length === 0)(questions.length === 0 ? NO_QUESTIONS : "the questions", () => {
  const [first, second] = [answersToAll(0), answersToAll(1)];

  test("come with the message of the sign-up, as a form of their own", async () => {
    const { status, html, form } = await post({ email: "ada@example.com", source: "landing_page" });
    expect(status).toBe(201);
    expect(messageOf(html)).toEqual({ status: "success", text: "Thanks for joining! Please check your email." });
    expect(form).toMatchObject({ wordings: questions.map(({ wording }) => wording), pressed: {}, message: undefined });
    expect(form?.tag).toContain('method="post"');
    expect(html.match(/<form[^>]*>(?:(?!<\/form>).)*<form/s)).toBeNull();
  });

  test("are above the form that was sent", async ({ skip }) => {
    skip(!waysToHelp, "The second form is switched off in app/switches.ts.");
    const { html, form } = await post({ email: "ada@example.com", source: "ways_to_help_section" });
    const position = html.indexOf('class="questions"');
    expect(position).toBeGreaterThan(html.indexOf('id="join-help-heading"'));
    expect(position).toBeLessThan(html.indexOf('id="join-help"'));
    expect(form?.fields).toMatchObject({ source: "ways_to_help_section" });
  });

  test("are not asked of people who have not joined, or whose address is listed or invalid", async () => {
    await join("ada@example.com");
    expect(formIn((await read("/")).body)).toBeNull();
    for (const email of ["ada@example.com", "ada@example"]) expect((await post({ email })).form).toBeNull();
  });

  test("are answered and changed; the page shows what is stored", async () => {
    let fields = await join("ada@example.com");
    for (const answers of [first, second]) {
      const { status, html, form } = await post(withAnswers(fields, answers));
      expect(status).toBe(200);
      expect(await stored()).toEqual([answers]);
      const chosen = choiceQuestions.map((question) => [answerField(question), answers[question.key]]);
      expect(form).toMatchObject({
        pressed: Object.fromEntries(chosen),
        message: expect.stringContaining("Thanks"),
      });
      for (const { key } of textQuestions) expect(form?.fields[answerField({ key })]).toBe(answers[key]);
      expect(messageOf(html)).toEqual({ status: "idle", text: "" });
      fields = form?.fields ?? {};
    }
  });

  test("keep the answers given before, and a text loses nothing where another answer is refused", async ({ skip }) => {
    const [choice] = choiceQuestions;
    skip(choice === undefined, "No question has answers to choose from.");
    if (choice === undefined) return;
    const fields = await join("ada@example.com");
    const { form } = await post(withAnswers(fields, first));
    const refused = await post(withAnswers({ ...form?.fields }, { [choice.key]: "visitor" }));
    expect(refused.status).toBe(422);
    expect(refused.form).toMatchObject({ pressed: form?.pressed, message: "Please choose one of the answers." });
    for (const { key } of textQuestions) expect(refused.form?.fields[answerField({ key })]).toBe(first[key]);
    expect(await stored()).toEqual([first]);
  });

  test("refuse a text of 121 characters and keep it to be shortened", async ({ skip }) => {
    const [text] = textQuestions;
    skip(text === undefined, "No question is answered with a text.");
    if (text === undefined) return;
    const typed = "x".repeat(121);
    const { status, form } = await post(withAnswers(await join("ada@example.com"), { [text.key]: typed }));
    expect(status).toBe(422);
    expect(form).toMatchObject({ message: "Please use at most 120 characters." });
    expect(form?.fields[answerField(text)]).toBe(typed);
    expect(await stored()).toEqual([null]);
  });

  test("look the same to a bot and to a former subscriber as to a new person", async () => {
    const person = await post(withAnswers(await join("ada@example.com"), first));
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribed_at = 1");
    const former = await post(withAnswers(await join("ada@example.com"), first));
    const bot = await post(withAnswers(await join("bot@example.com", { pitch_remark: "x" }), first));
    const shown = ({ status, html }: typeof person) => [
      status,
      html.replace(new RegExp(ANSWER_TOKEN, "g"), "TOKEN").replace(/nonce="[^"]+"|nonce-[\w+/=-]+/g, "NONCE"),
    ];
    expect(shown(former)).toEqual(shown(person));
    expect(shown(bot)).toEqual(shown(person));
    expect(await stored()).toEqual([first]);
  });

  describe("store no answer", () => {
    test("after an hour, or with a made-up token: 403, a sentence, and no more fields", async () => {
      await join("ada@example.com");
      const expired = await answerTokenOf(1, Date.now() - 3_600_000);
      for (const answerToken of [expired, "", '"><script>alert(1)</script>']) {
        const { status, html, form } = await post(withAnswers({ answerToken, source: "landing_page" }, first));
        expect(status).toBe(403);
        expect(form).toMatchObject({ wordings: [], message: expect.stringContaining("This question has closed.") });
        expect(html).not.toContain("<script>alert");
      }
      expect(await stored()).toEqual([null]);
    });

    test("from another site: 403", async () => {
      const fields = withAnswers(await join("ada@example.com"), first);
      expect((await post(fields, { headers: { Origin: "https://evil.example" } })).status).toBe(403);
      expect(await stored()).toEqual([null]);
    });

    test("while the database fails: 503, and a sentence with the reference of the log line", async () => {
      const fields = withAnswers(await join("ada@example.com"), first);
      const { status, form } = await post(fields, { replaced: { DB: brokenD1 } });
      expect(status).toBe(503);
      expect(form?.message).toContain("your answer was not stored");
      const reference = /Reference (\w{4}-\w{4})/.exec(form?.message ?? "")?.[1];
      expect(log.map((line) => JSON.parse(line)).filter((line) => line.reference === reference)).toHaveLength(1);
    });

    test("by GET", async () => {
      const fields = new URLSearchParams(withAnswers(await join("ada@example.com"), first));
      for (const path of [`/?${fields}`, `/api/answers?${fields}`]) await read(path);
      expect(await stored()).toEqual([null]);
    });
  });
});
