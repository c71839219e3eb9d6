import type { Page } from "@playwright/test";
import { UNREACHABLE } from "#app/waitlist/messages.ts";
import { ROLE_QUESTION, roles } from "#app/waitlist/roles.ts";
import { untilHydrated } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { holdScripts } from "#tests/support/browser/hydration-control.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const JOINED = "Thanks for joining! Please check your email.";
const THANKS = "Thank you, that helps. You can still change your answer.";

/** The question after joining, under the page's first sign-up form unless named otherwise. */
function questionOn(page: Page, id = "join") {
  const question = page.locator(`form#${id}-role`);
  return {
    question,
    group: question.getByRole("group", { name: ROLE_QUESTION }),
    answer: (role: keyof typeof roles) => question.getByRole("button", { name: roles[role] }),
    thanks: question.getByText(THANKS),
  };
}

test("the question comes with the success message, stays when that disappears, and takes one press", async ({
  page,
  site,
}) => {
  const chunks: string[] = [];
  page.on("request", (request) => {
    if (/role-question/.test(request.url())) chunks.push(request.url());
  });
  await page.clock.install({ time: 0 });
  await openHydrated(page, site.url);
  await page.clock.pauseAt(3_600_000);
  const { message, button } = formOn(page);
  const { question, group, answer, thanks } = questionOn(page);
  await expect(question).toHaveCount(0);
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

  for (const role of ["host", "curious"] as const) {
    const pressed = page.waitForResponse("**/api/role");
    await answer(role).click();
    expect((await pressed).status()).toBe(200);
    await expect(answer(role)).toHaveAttribute("aria-pressed", "true");
    await expect(question.locator("[aria-pressed=true]")).toHaveCount(1);
    await expect(thanks).toBeVisible();
    expect(await roleOf(site, "role-js@example.com")).toBe(role);
  }
});

test("the next attempt ends the question, and each sign-up has its own", slow, async ({ page, site }) => {
  await openHydrated(page, site.url);
  const { group, answer, thanks } = questionOn(page);
  await formOn(page).submit("role-first@example.com");
  await answer("host").click();
  await expect(thanks).toBeVisible();
  await formOn(page).submit("not an address");
  await expect(group).toHaveCount(0);
  await formOn(page).submit("role-second@example.com");
  await expect(group).toBeVisible();
  await expect(thanks).toHaveCount(0);
  await answer("both").click();
  await expect(thanks).toBeVisible();
  expect(await roleOf(site, "role-first@example.com")).toBe("host");
  expect(await roleOf(site, "role-second@example.com")).toBe("both");
});

test("the form further down has the question too, and the keyboard answers it", slow, async ({ page, site }) => {
  needs("waysToHelp");
  await openHydrated(page, site.url);
  const form = page.locator("form#join-help");
  await form.getByPlaceholder("Enter your email").fill("role-keys@example.com");
  await form.getByPlaceholder("Enter your email").press("Enter");
  const { group, thanks } = questionOn(page, "join-help");
  await expect(group).toBeVisible();
  await expect(questionOn(page).group).toHaveCount(0);
  // From the field: the form's button, the privacy policy, then the answers.
  for (const name of ["Join Waitlist", "Privacy policy", roles.host, roles.stallholder]) {
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveText(name);
  }
  await page.keyboard.press("Enter");
  await expect(thanks).toBeVisible();
  await expect(page.locator(":focus")).toHaveText(roles.stallholder);
  expect(await roleOf(site, "role-keys@example.com")).toBe("stallholder");
});

test("an answer that does not arrive is reported, and can be given again", slow, async ({ page, site }) => {
  await openHydrated(page, site.url);
  await formOn(page).submit("role-offline@example.com");
  const { question, answer, thanks } = questionOn(page);
  await page.route("**/api/role", (route) => route.abort(), { times: 1 });
  await answer("host").click();
  await expect(question.getByText(UNREACHABLE)).toBeVisible();
  await expect(question.locator("[aria-pressed=true]")).toHaveCount(0);
  await answer("host").click();
  await expect(thanks).toBeVisible();
  expect(await roleOf(site, "role-offline@example.com")).toBe("host");
  await page.route("**/api/role", (route) => route.abort(), { times: 1 });
  await answer("both").click();
  await expect(question.getByText(UNREACHABLE)).toHaveAttribute("data-status", "error");
  await expect(question.locator("[aria-pressed=true]")).toHaveText(roles.host);
});

test("without the question's script the sign-up works as before", slow, async ({ page, site }) => {
  await page.route("**/assets/role-question*.js", (route) => route.abort());
  await openHydrated(page, site.url);
  await formOn(page).submit("role-no-chunk@example.com");
  await expect(formOn(page).message).toHaveText(JOINED);
  await expect(questionOn(page).question).toHaveCount(0);
  await formOn(page).submit("role-no-chunk@example.com");
  await expect(formOn(page).message).toHaveText("This email is already on our waitlist!");
});

test("hydration keeps the question of a form sent before it", slow, async ({ page, site }) => {
  const release = await holdScripts(page);
  await page.goto(site.url);
  await formOn(page).submit("role-before@example.com");
  const { group, answer, thanks } = questionOn(page);
  await expect(formOn(page).message).toHaveText(JOINED);
  await expect(group).toBeVisible();
  release();
  await untilHydrated(page);
  await expect(group).toBeVisible();
  await answer("stallholder").click();
  await expect(thanks).toBeVisible();
  expect(await roleOf(site, "role-before@example.com")).toBe("stallholder");
});

for (const colorScheme of schemes) {
  for (const width of [320, 360, 1280]) {
    test(`axe finds no violations in the question, ${colorScheme}, ${width} px`, slow, async ({ page, site }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      await openHydrated(page, site.url);
      await formOn(page).submit(`role-axe-${colorScheme}-${width}@example.com`);
      const { group, answer, thanks } = questionOn(page);
      await expect(group).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await answer("both").click();
      await expect(thanks).toBeVisible();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const heights = await group.getByRole("button").evaluateAll((all) => all.map((each) => each.clientHeight));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(36);
    });
  }
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const width of [360, 1280]) {
    test(`the question is answered and changed, ${width} px`, slow, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 800 });
      const email = `role-plain-${width}@example.com`;
      await page.goto(`${site.url}/?utm_source=fair`);
      await formOn(page).submit(email);
      const { group, question, answer, thanks } = questionOn(page);
      await expect(formOn(page).message).toHaveText(JOINED);
      await expect(group).toBeVisible();
      for (const role of ["host", "both"] as const) {
        await answer(role).click();
        await expect(thanks).toBeInViewport();
        await expect(question.locator("[aria-pressed=true]")).toHaveText(roles[role]);
        expect(await roleOf(site, email)).toBe(role);
      }
    });
  }
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`on the my-data page ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("a person answers, changes and removes their answer", slow, async ({ page, site }) => {
      const email = `role-own-${javaScriptEnabled}@example.com`;
      await page.request.post(`${site.url}/api/signup`, { data: { email } });
      await page.request.post(`${site.url}/api/send-welcome`, { data: { email } });
      const { text } = await site.emailTo(email);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(/\S+\/your-data\/\S+/.exec(text)?.[0] ?? "no link");
      const question = page.getByRole("group", { name: ROLE_QUESTION });
      for (const role of ["host", "both"] as const) {
        await question.getByRole("button", { name: roles[role] }).click();
        await expect(page.getByText(`Your answer: ${roles[role]}.`)).toBeVisible();
        await expect(question.locator("[aria-pressed=true]")).toHaveText(roles[role]);
        expect(await roleOf(site, email)).toBe(role);
      }
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Remove my answer" }).click();
      await expect(page.getByText("You have not answered this yet.")).toBeVisible();
      expect(await roleOf(site, email)).toBeNull();
    });
  });
}

async function roleOf(site: RunningSite, address: string): Promise<unknown> {
  return (await site.rows("waitlist_emails")).find(({ email }) => email === address)?.["role"];
}
