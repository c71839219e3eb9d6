import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { britishDate } from "#app/server/time/british-date.ts";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { ANSWER_TOKEN, answerTokenOf } from "#tests/support/pool/answer-token.ts";
import { messageOf, post as postForm, read, unescaped, visibleText } from "#tests/support/pool/built.ts";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { freshStorageForEachTest, storedAnswers } from "#tests/support/pool/start.ts";
import {
  answerFields,
  answersToAll,
  choiceQuestions,
  NO_QUESTIONS,
  textQuestions,
} from "#tests/support/site-answers.ts";

/* The questions after joining, for browsers without JavaScript: those of app/site.ts, however many there are. */

const log = freshStorageForEachTest();

/** Posts a form of the landing page as a browser without JavaScript does. */
async function post(fields: Record<string, string>, { headers = {}, replaced = {} } = {}) {
  const { status, body } = await postForm("/", fields, { headers: { Origin: env.SITE_URL, ...headers }, replaced });
  return { status, html: body, form: formIn(body) };
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
    wordings: Array.from(form.matchAll(/<(?:legend|label)[^>]*>([^<]*)/g), ([, text = ""]) => unescaped(text)),
    pressed: values(tags("button").filter((tag) => attribute(tag, "aria-pressed") === "true")),
    fields: values(tags("input")),
    message: /<p data-status="\w+">([^<]*)/.exec(form)?.[1],
  };
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

/** Joins and returns the fields of the questions. */
async function join(email: string, fields: Record<string, string> = {}): Promise<Record<string, string>> {
  return (await post({ email, source: "landing_page", ...fields })).form?.fields ?? {};
}

/** A form's fields with answers. */
const withAnswers = (fields: Record<string, string>, answers: Record<string, string>) => ({
  ...fields,
  ...answerFields(answers),
});

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
      expect(await storedAnswers()).toEqual([answers]);
      const chosen = choiceQuestions.map((question) => [answerField(question), answers[question.key]]);
      expect(form).toMatchObject({
        pressed: Object.fromEntries(chosen),
        message: expect.stringContaining("Thanks"),
      });
      for (const { key } of textQuestions) expect(form?.fields[answerField({ key })]).toBe(answers[key]);
      expect(visibleText(html)).toContain(`since ${britishDate(Date.now()).text}`);
      if (switches.referrals) expect(html).toContain(`/qr/${await encodeCode(1, env.HASH_KEY)}.svg`);
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
    expect(await storedAnswers()).toEqual([first]);
  });

  test("look the same to a bot and to a former subscriber as to a new person", async () => {
    const shown = async (email: string, more = {}) => {
      const { status, html } = await post(withAnswers(await join(email, more), first));
      const [, code = "no link"] = /\/qr\/(\w{8})/.exec(html) ?? [];
      const masked = html.replace(new RegExp(ANSWER_TOKEN, "g"), "TOKEN").replaceAll(code, "CODE");
      return [status, masked.replace(/nonce="[^"]+"|nonce-[\w+/=-]+/g, "NONCE")];
    };
    const person = await shown("ada@example.com");
    await env.DB.exec("UPDATE waitlist_emails SET status = 'unsubscribed', unsubscribed_at = 1");
    expect(await shown("ada@example.com")).toEqual(person);
    expect(await shown("bot@example.com", { pitch_remark: "x" })).toEqual(person);
    expect(await storedAnswers()).toEqual([first]);
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
      expect(await storedAnswers()).toEqual([null]);
    });

    test("while the database fails: 503, and a sentence with the reference of the log line", async () => {
      const fields = withAnswers(await join("ada@example.com"), first);
      const { status, form } = await post(fields, { replaced: { DB: brokenD1 } });
      expect(status).toBe(503);
      expect(form?.message).toContain("your answer wasn’t stored");
      const reference = /Reference (\w{4}-\w{4})/.exec(form?.message ?? "")?.[1];
      expect(log.map((line) => JSON.parse(line)).filter((line) => line.reference === reference)).toHaveLength(1);
    });
  });
});
