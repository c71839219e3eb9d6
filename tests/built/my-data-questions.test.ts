import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { questions } from "#app/site.ts";
import { answerField, answerText } from "#app/waitlist/questions/answers.ts";
import { post, read, visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { dataToken } from "#tests/support/pool/email-links.ts";
import { join } from "#tests/support/pool/join.ts";
import { answersToAll, NO_QUESTIONS } from "#tests/support/site-answers.ts";

freshStorageForEachTest();

let page: string;

beforeEach(async () => {
  page = `/your-data/${await dataToken(await join("ada@example.com", { now: 0 }))}`;
});

describe.skipIf(questions.length === 0)(questions.length === 0 ? NO_QUESTIONS : "the questions", () => {
  const [first, second] = [answersToAll(0), answersToAll(1)];
  const wordsOf = (answers: Record<string, string>) =>
    questions.map((question) => answerText(question, answers[question.key] ?? ""));
  const fieldsOf = (answers: Record<string, string>) => {
    const answered = Object.entries(answers).map(([key, value]) => [answerField({ key }), value]);
    return { intent: "answers", ...Object.fromEntries(answered) };
  };
  const none = Object.fromEntries(questions.map(({ key }) => [key, ""]));

  async function stored(): Promise<unknown[]> {
    const entries = await rows<{ answers: string | null }>("waitlist_emails");
    return entries.map(({ answers }) => JSON.parse(answers ?? "null"));
  }

  async function answer(answers: Record<string, string>): Promise<string> {
    const { status: code, headers } = await post(page, fieldsOf(answers));
    expect(code).toBe(303);
    return (await read(headers.get("Location") ?? "")).text;
  }

  test("are asked; the answers are shown, changed and removed", async () => {
    const count = (text: string) => text.split("Not answered yet.").length - 1;
    expect(count((await read(page)).text)).toBe(questions.length);
    for (const answers of [first, second]) {
      const text = await answer(answers);
      expect(text).toContain("We’ve stored your answers");
      for (const words of wordsOf(answers)) expect(text).toContain(`Your answer: ${words}.`);
      expect(await stored()).toEqual([answers]);
    }
    const { body } = await post(page, { intent: "show-data" });
    for (const { label } of questions) expect(visibleText(body)).toContain(label);
    for (const words of wordsOf(second)) expect(visibleText(body)).toContain(words);
    expect(count(await answer(none))).toBe(questions.length);
    expect(await stored()).toEqual([null]);
  });

  test("are not asked of people who have left, who can still remove their answers", async () => {
    await post(page, fieldsOf(first));
    await post(page, { intent: "unsubscribe" });
    for (const words of wordsOf(first)) expect((await read(page)).text).toContain(`Your answer: ${words}.`);
    expect(await answer(none)).not.toContain(questions[0]?.wording);
    expect(await stored()).toEqual([null]);
  });

  test("take only valid answers, and only from a valid link", async () => {
    const [question] = questions;
    const bad = question?.answers === undefined ? "x".repeat(121) : "visitor";
    const { status: code, body } = await post(page, fieldsOf({ ...first, [question?.key ?? ""]: bad }));
    expect(code).toBe(422);
    expect(visibleText(body)).toMatch(/Please choose one of the answers\.|Please use at most 120 characters\./);
    expect((await post(`${page}x`, fieldsOf(first))).status).toBe(404);
    expect(await stored()).toEqual([null]);
  });

  test("that are no longer asked stay among the stored data", async () => {
    await env.DB.exec(`UPDATE waitlist_emails SET answers = '{"no_longer_asked":"Something"}'`);
    const { body } = await post(page, { intent: "show-data" });
    expect(visibleText(body)).toContain("Something");
  });
});
