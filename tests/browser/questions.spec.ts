import type { Page } from "@playwright/test";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { holdScripts } from "#tests/support/browser/hydration-control.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { storedAnswers } from "#tests/support/browser/stored-answers.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { ticketOn } from "#tests/support/browser/ticket.ts";
import { answersToAll, choiceQuestions, textQuestions } from "#tests/support/site-answers.ts";

const JOINED = "Thanks for joining! Please check your email.";
const THANKS = "Thanks. You can change this any time through the link in our emails.";

test.skip(choiceQuestions.length === 0, "app/site.ts has no question with answers to choose from.");

/** The site's first question with answers to choose from, and three of these. */
const [asked = { key: "", label: "", wording: "", answers: {} }] = choiceQuestions;
const offered = Object.entries(asked.answers ?? {});
const [first, second, last] = [offered[0], offered[1], offered.at(-1)].map((answer = ["", ""]) => answer) as [
  Answer,
  Answer,
  Answer,
];
type Answer = [key: string, words: string];

/** The questions on the ticket above the page's first sign-up form, unless another one is named. */
function questionsOn(page: Page, id = "join") {
  const form = page.locator(`form#${id}-questions`);
  const group = form.getByRole("group", { name: asked.wording });
  return {
    form,
    group,
    answer: ([, words]: Answer) => group.getByRole("button", { name: words, exact: true }),
    pressed: group.locator("[aria-pressed=true]"),
    thanks: form.getByText(THANKS),
  };
}

test("the question comes with the success message, stays when that disappears, and takes one press", async ({
  page,
  site,
}) => {
  const chunks: string[] = [];
  page.on("request", (request) => {
    if (/\/ticket-/.test(request.url())) chunks.push(request.url());
  });
  await page.clock.install({ time: 0 });
  await openHydrated(page, site.url);
  await page.clock.pauseAt(3_600_000);
  const { message } = formOn(page);
  const { form: questions, group, answer, pressed, thanks } = questionsOn(page);
  await expect(questions).toHaveCount(0);
  expect(chunks).toEqual([]);

  await formOn(page).submit("role-js@example.com");
  await expect(message).toHaveText(JOINED);
  await expect.poll(() => chunks).toHaveLength(1);
  // React shows content that it has just loaded after a short time, which passes only here.
  await expect
    .poll(async () => {
      await page.clock.runFor(100);
      return group.isVisible();
    })
    .toBe(true);
  await expect(ticketOn(page)).toBeFocused();
  await expect(message).toHaveText(JOINED);
  await page.clock.runFor(5_000);
  await expect(message).toHaveText("");
  await expect(group).toBeVisible();

  for (const chosen of [first, last]) {
    const response = page.waitForResponse("**/api/answers");
    await answer(chosen).click();
    expect((await response).status()).toBe(200);
    await expect(answer(chosen)).toHaveAttribute("aria-pressed", "true");
    await expect(pressed).toHaveCount(1);
    await expect(thanks).toBeVisible();
    expect(await answerOf(site, "role-js@example.com")).toBe(chosen[0]);
  }
});

test("the question stays after an attempt that fails, and each sign-up has its own", async ({ page, site }) => {
  await openHydrated(page, site.url);
  const { group, answer, thanks } = questionsOn(page);
  await formOn(page).submit("role-first@example.com");
  await answer(first).click();
  await expect(thanks).toBeVisible();
  await formOn(page).submitAnother("not an address");
  await expect(formOn(page).message).toHaveText("Please enter a valid email address");
  await expect(thanks).toBeVisible();
  await formOn(page).submit("role-second@example.com");
  await expect(thanks).toHaveCount(0);
  await expect(group).toBeVisible();
  await answer(last).click();
  await expect(thanks).toBeVisible();
  expect(await answerOf(site, "role-first@example.com")).toBe(first[0]);
  expect(await answerOf(site, "role-second@example.com")).toBe(last[0]);
});

test("an answer that does not arrive is reported, and can be given again", async ({ page, site }) => {
  await openHydrated(page, site.url);
  await formOn(page).submit("role-offline@example.com");
  const { form: questions, answer, pressed, thanks } = questionsOn(page);
  await page.route("**/api/answers", (route) => route.abort(), { times: 1 });
  await answer(first).click();
  await expect(questions.getByText("check your connection")).toBeVisible();
  await expect(pressed).toHaveCount(0);
  await answer(first).click();
  await expect(thanks).toBeVisible();
  expect(await answerOf(site, "role-offline@example.com")).toBe(first[0]);
  await page.route("**/api/answers", (route) => route.abort(), { times: 1 });
  await answer(last).click();
  await expect(questions.getByText("check your connection")).toHaveAttribute("data-status", "error");
  await expect(pressed).toHaveText(first[1]);
});

test("hydration keeps the question of a form sent before it", async ({ page, site }) => {
  const release = await holdScripts(page);
  await page.goto(site.url);
  await formOn(page).submit("role-before@example.com");
  const { group, answer, thanks } = questionsOn(page);
  await expect(formOn(page).message).toHaveText(JOINED);
  await expect(group).toBeVisible();
  release();
  await untilHydrated(page);
  await expect(group).toBeVisible();
  await answer(second).click();
  await expect(thanks).toBeVisible();
  expect(await answerOf(site, "role-before@example.com")).toBe(second[0]);
});

test("in forced colours, a pressed answer is highlighted, and no other", async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await openHydrated(page, site.url);
  await formOn(page).submit("role-forced@example.com");
  const { answer, thanks } = questionsOn(page);
  await answer(first).click();
  await expect(thanks).toBeVisible();
  const isHighlighted = (each: Answer) =>
    answer(each).evaluate((button) => {
      const sample = document.body.appendChild(document.createElement("div"));
      sample.style.background = "Highlight";
      return getComputedStyle(button).backgroundColor === getComputedStyle(sample).backgroundColor;
    });
  expect([await isHighlighted(first), await isHighlighted(last)]).toEqual([true, false]);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`every question ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("is answered: texts by Enter, which presses no answer, and others by a press", async ({ page, site }) => {
      const email = `questions-all-${javaScriptEnabled}@example.com`;
      await (javaScriptEnabled ? openHydrated(page, site.url) : page.goto(site.url));
      await formOn(page).submit(email);
      const { form, thanks } = questionsOn(page);
      const answers = answersToAll(0);
      for (const { key, wording } of textQuestions) {
        const field = form.getByRole("textbox", { name: wording });
        await field.fill(answers[key] ?? "");
        await field.press("Enter");
        await expect(thanks).toBeVisible();
        await expect(field).toHaveValue(answers[key] ?? "");
        await expect(form.locator("[aria-pressed=true]")).toHaveCount(0);
      }
      for (const [index, { key, wording, answers: words = {} }] of choiceQuestions.entries()) {
        const group = form.getByRole("group", { name: wording });
        await group.getByRole("button", { name: words[answers[key] ?? ""] ?? "", exact: true }).click();
        await expect(form.locator("[aria-pressed=true]")).toHaveCount(index + 1);
      }
      await expect(thanks).toBeVisible();
      await expect.poll(() => storedAnswers(site, email)).toEqual(answers);
    });
  });
}

async function answerOf(site: RunningSite, address: string): Promise<unknown> {
  return (await storedAnswers(site, address))?.[asked.key] ?? null;
}
