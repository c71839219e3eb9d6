import type { Page } from "@playwright/test";
import { UNREACHABLE } from "#app/waitlist/messages.ts";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { holdScripts } from "#tests/support/browser/hydration-control.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { storedAnswers } from "#tests/support/browser/stored-answers.ts";
import { expect, test } from "#tests/support/browser/test.ts";
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
  const { message, button } = formOn(page);
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
  await expect(message).toHaveText(JOINED);
  await expect(button).toBeFocused();
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

test("the question stays after an attempt that fails, and each sign-up has its own", slow, async ({ page, site }) => {
  await openHydrated(page, site.url);
  const { group, answer, thanks } = questionsOn(page);
  await formOn(page).submit("role-first@example.com");
  await answer(first).click();
  await expect(thanks).toBeVisible();
  await formOn(page).submit("not an address");
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

test("the form further down has the question too, and the keyboard answers it", slow, async ({ page, site }) => {
  needs("waysToHelp");
  await openHydrated(page, site.url);
  const form = page.locator("form#join-help");
  await form.getByPlaceholder("Enter your email").fill("role-keys@example.com");
  await form.getByPlaceholder("Enter your email").press("Enter");
  const { group, thanks } = questionsOn(page, "join-help");
  await expect(group).toBeVisible();
  await expect(questionsOn(page).group).toHaveCount(0);
  // The ticket is above the form.
  const focus = page.locator(":focus");
  for (let step = 0; step < 20 && (await focus.textContent()) !== second[1]; step += 1)
    await page.keyboard.press("Shift+Tab");
  await expect(focus).toHaveText(second[1]);
  await page.keyboard.press("Enter");
  await expect(thanks).toBeVisible();
  await expect(page.locator(":focus")).toHaveText(second[1]);
  expect(await answerOf(site, "role-keys@example.com")).toBe(second[0]);
});

test("an answer that does not arrive is reported, and can be given again", slow, async ({ page, site }) => {
  await openHydrated(page, site.url);
  await formOn(page).submit("role-offline@example.com");
  const { form: questions, answer, pressed, thanks } = questionsOn(page);
  await page.route("**/api/answers", (route) => route.abort(), { times: 1 });
  await answer(first).click();
  await expect(questions.getByText(UNREACHABLE)).toBeVisible();
  await expect(pressed).toHaveCount(0);
  await answer(first).click();
  await expect(thanks).toBeVisible();
  expect(await answerOf(site, "role-offline@example.com")).toBe(first[0]);
  await page.route("**/api/answers", (route) => route.abort(), { times: 1 });
  await answer(last).click();
  await expect(questions.getByText(UNREACHABLE)).toHaveAttribute("data-status", "error");
  await expect(pressed).toHaveText(first[1]);
});

test("without the question's script the sign-up works as before", slow, async ({ page, site }) => {
  await page.route("**/assets/ticket*.js", (route) => route.abort());
  await openHydrated(page, site.url);
  await formOn(page).submit("role-no-chunk@example.com");
  await expect(formOn(page).message).toHaveText(JOINED);
  await expect(questionsOn(page).form).toHaveCount(0);
  await formOn(page).submit("role-no-chunk@example.com");
  await expect(formOn(page).message).toHaveText("This email is already on our waitlist!");
});

test("hydration keeps the question of a form sent before it", slow, async ({ page, site }) => {
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

for (const javaScriptEnabled of [true, false]) {
  test.describe(`every question ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "is answered: texts by Enter, which presses no answer, and others by a press",
      slow,
      async ({ page, site }) => {
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
      },
    );
  });
}

for (const [colorScheme, width] of [
  ["light", 320],
  ["dark", 360],
  ["dark", 1280],
] as const) {
  test(`axe finds no violations in the question, ${colorScheme}, ${width} px`, slow, async ({ page, site }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    await openHydrated(page, site.url);
    await formOn(page).submit(`role-axe-${colorScheme}-${width}@example.com`);
    const { form: questions, group, answer, thanks } = questionsOn(page);
    await expect(group).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await answer(last).click();
    await expect(thanks).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    // Content that does not fit is cut off, and so does not make the page wider.
    const overflow = await questions.evaluate((form) => form.scrollWidth - form.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    const heights = await group.getByRole("button").evaluateAll((all) => all.map((each) => each.clientHeight));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(36);
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const width of [360, 1280]) {
    test(`the question is answered and changed, ${width} px`, slow, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 800 });
      const email = `role-plain-${width}@example.com`;
      await page.goto(`${site.url}/?utm_source=fair`);
      await formOn(page).submit(email);
      const { group, answer, pressed, thanks } = questionsOn(page);
      await expect(formOn(page).message).toHaveText(JOINED);
      await expect(group).toBeVisible();
      for (const chosen of [first, last]) {
        await answer(chosen).click();
        await expect(thanks).toBeInViewport();
        await expect(pressed).toHaveText(chosen[1]);
        expect(await answerOf(site, email)).toBe(chosen[0]);
      }
    });
  }
});

async function answerOf(site: RunningSite, address: string): Promise<unknown> {
  return (await storedAnswers(site, address))?.[asked.key] ?? null;
}
