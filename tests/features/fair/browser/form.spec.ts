import { questions, site as words } from "#app/site.ts";
import {
  answerQuestions,
  EVENT,
  emailField,
  joinButton,
  openArmed,
  signUpAtFair,
  staffLine,
  thanks,
} from "#tests/features/fair/browser/fair.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { errorsOf, translatePage } from "#tests/support/browser/translate.ts";

test.beforeEach(() => needs("fair"));

test("a tablet that has scanned the code signs people up, and the cron job adds them", async ({ page, site }) => {
  await openArmed(page, site);
  expect(new URL(page.url()).hash).toBe("");
  const answers = await answerQuestions(page);
  await signUpAtFair(page, "\u200b\tAt.Stall@Stall.Example.com\u00a0\u200f");
  await expect(page.getByText("at.stall@stall.example.com")).toHaveCount(0);
  await expect(staffLine(page)).toContainText(/All sent, last at \d\d:\d\d/);
  await expect(async () => {
    await site.sweep();
    const entry = (await site.rows("waitlist_emails")).find(({ email }) => email === "at.stall@stall.example.com");
    expect(entry).toMatchObject({ source: "spring_fair" });
    expect(JSON.parse(String(entry?.["answers"] ?? "{}"))).toEqual(answers);
  }).toPass();
});

test("thanks end after 8 seconds, at a tap and at a key, and leave an empty form", async ({ page, site }) => {
  await page.clock.install();
  await openArmed(page, site);
  await expect(page.getByText(EVENT)).toBeVisible();
  const leave = [
    () => page.clock.runFor(8_000),
    async () => {
      await page.clock.runFor(500);
      await page.mouse.click(5, 300);
    },
    async () => {
      await page.clock.runFor(500);
      await page.keyboard.press("a");
    },
  ];
  for (const [index, act] of leave.entries()) {
    await answerQuestions(page);
    await signUpAtFair(page, `leave-${index}@stall.example.com`);
    await expect(thanks(page)).toBeFocused();
    await act();
    await expect(page.getByRole("heading", { name: /^Join/ })).toBeFocused();
    await expect(emailField(page)).toHaveValue("");
    await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
  }
});

test("what someone leaves in the form is gone after two minutes, on Back and after a reload, and a notice closes", async ({
  page,
  site,
}) => {
  await page.clock.install();
  await openArmed(page, site);
  await page.getByRole("button", { name: "Your data" }).click();
  const notice = page.getByRole("dialog", { name: "Your data" });
  await page.clock.runFor(59_000);
  await expect(notice).toBeVisible();
  await page.clock.runFor(2_000);
  await expect(notice).toBeHidden();

  await emailField(page).fill("ada@gmial.com");
  await joinButton(page).click();
  await expect(page.locator("#typed")).toHaveText("ada@gmial.com");
  await page.clock.runFor(121_000);
  await expect(page.locator("#typed")).toBeEmpty();
  await expect(page.locator("#suggested")).toBeEmpty();

  const name = await emailField(page).getAttribute("name");
  await emailField(page).fill("left@stall.example.com");
  await page.clock.runFor(119_000);
  await expect(emailField(page)).toHaveValue("left@stall.example.com");
  await page.clock.runFor(2_000);
  await expect(emailField(page)).toHaveValue("");
  expect(await emailField(page).getAttribute("name")).not.toBe(name);
  await emailField(page).fill("left@stall.example.com");
  await page.goto(`${site.url}/privacy`);
  await page.goBack();
  await expect(emailField(page)).toHaveValue("");
  await emailField(page).fill("left@stall.example.com");
  await page.reload();
  await expect(emailField(page)).toHaveValue("");
});

test("a mistake is named at the field, and a misspelt domain is asked about", async ({ page, site }) => {
  await openArmed(page, site);
  await emailField(page).fill("ada");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Please enter a valid email address" })).toBeVisible();
  await expect(emailField(page)).toBeFocused();
  await expect(emailField(page)).toHaveAttribute("aria-invalid", "true");
  await expect(emailField(page)).toHaveAccessibleDescription(/^Please enter a valid email address/);
  await emailField(page).fill("ada@gmial.com");
  await joinButton(page).click();
  await expect(page.getByRole("button", { name: "Yes, use that" })).toBeFocused();
  await expect(page.getByText("Did you mean ada@gmail.com?")).toBeVisible();
  await page.getByRole("button", { name: "No, ada@gmial.com is right" }).click();
  await expect(thanks(page)).toBeVisible();
});

test("the keyboard reaches everything, and names are right", async ({ page, site }) => {
  await openArmed(page, site);
  const main = page.getByRole("main");
  await expect(main).toMatchAriaSnapshot(`
    - region "Join the ${words.name} waitlist":
      - paragraph: ${EVENT}
      - heading "Join the ${words.name} waitlist" [level=1]
      - paragraph
      - textbox "Your email address"
      - paragraph
      - button "Join Waitlist"
      - button "Your data"
  `);
  await page.keyboard.press("Tab");
  await expect(emailField(page)).toBeFocused();
  await page.keyboard.type("keys@stall.example.com");
  for (const { wording, answers } of questions) {
    const name = `${wording} (optional)`;
    await page.keyboard.press("Tab");
    if (answers === undefined) {
      await expect(main.getByRole("textbox", { name, exact: true })).toBeFocused();
      continue;
    }
    const radios = main.getByRole("group", { name, exact: true }).getByRole("radio");
    await page.keyboard.press("Space");
    await expect(radios.first()).toBeChecked();
    for (const [index, words] of Object.values(answers).entries())
      await expect(radios.nth(index)).toHaveAccessibleName(words);
  }
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Your data" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(thanks(page)).toBeFocused();
});

test("the translated form shows its messages", async ({ page, site }) => {
  const errors = errorsOf(page);
  await openArmed(page, site);
  await page.evaluate(translatePage);
  await expect(page.getByText(`«${EVENT}»`)).toBeVisible();
  await emailField(page).fill("ada@example");
  await joinButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "«Please enter a valid email address»" })).toBeVisible();
  await emailField(page).fill("translated-fair@gmial.com");
  await joinButton(page).click();
  await expect(page.getByText("«translated-fair@gmail.com»")).toBeVisible();
  await page.getByRole("button", { name: "Yes, use that" }).click();
  await expect(thanks(page)).toBeVisible();
  await expect(page.locator("#backlog")).toContainText("«All sent, last at");
  expect(errors).toEqual([]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the form says that it needs it", async ({ page, site }) => {
    await page.goto(`${site.url}/fair`);
    await expect(page.getByRole("heading")).toHaveText(["This form needs JavaScript"]);
  });
});
