import { expect, type Locator, type Page } from "@playwright/test";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { OWNER, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expectToFit } from "#tests/support/browser/owner-layout.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { test as base } from "#tests/support/browser/test.ts";

needs("letters");

type Resend = Awaited<ReturnType<typeof startFakeResend>>;

/** All tests share one site, which sends through a fake Resend. */
const test = base.extend<{ owner: Page; resend: Resend }>({
  site: async ({ shared }, use) => use(await shared("sending site", startSendingSite)),
  resend: async ({ shared }, use) => use((await shared("sending site", startSendingSite)).resend),
  owner: async ({ page, site }, use) => {
    await page.goto((await createLocalSignInLink(site.persistTo, site.url, OWNER)) ?? "no link");
    await page.getByRole("main").getByRole("button").click();
    await page.waitForURL(`${site.url}/owner`);
    await use(page);
  },
});

async function startSendingSite() {
  const resend = await startFakeResend();
  const site = await startOwnerSite(40, { RESEND_API_KEY: "re_test", RESEND_URL: resend.url });
  const stop = async () => {
    await site.stop();
    await resend.stop();
  };
  return { ...site, resend, stop };
}

const BODY = "# The market opens\n\nHello,\nsee [the map](https://map.example).\n\n**[Set up your stall]({{site}})**";

const button = (page: Page, intent: string) => page.locator(`button[value=${intent}]`);

async function write(page: Page, site: RunningSite, subject: string, body = BODY): Promise<string> {
  await page.goto(`${site.url}/owner/letters/new`);
  await page.locator("#subject").fill(subject);
  await page.locator("#body").fill(body);
  await button(page, "save").click();
  await page.waitForURL(/\/owner\/letters\/\d+\?done=saved$/);
  return new URL(page.url()).pathname;
}

/** Addresses that got an email with this subject. */
const recipients = (resend: Resend, subject: string) =>
  resend
    .accepted()
    .filter((email) => email.subject === subject)
    .map(({ to }) => to);

/** The number of people that the page asks for. */
async function peopleOn(page: Page): Promise<string> {
  return /\(([\d,]+)\)/.exec(await page.locator("label[for=count]").innerText())?.[1] ?? "none";
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "a letter is written, previewed, tested, sent, paused, resumed and finished, and unsubscribes from itself",
      slow,
      async ({ owner: page, site, resend }) => {
        const subject = `The market opens, ${javaScriptEnabled ? "with" : "without"} scripts`;
        // The checks run as a script in the page.
        const isAccessible = async () => javaScriptEnabled && expect(await violations(page)).toEqual([]);
        await page.goto(`${site.url}/owner`);
        await page.getByRole("navigation").getByRole("link", { name: "Letters" }).click();
        await page.locator("main a[href='/owner/letters/new']").click();
        await page.locator("#subject").fill(subject);
        await page.locator("#body").fill(`${BODY}\n\nDear {{name}}`);
        await button(page, "save").click();
        await expect(page.locator("#body-problem li")).toHaveText(/^Line 8.*\{\{name\}\}/);
        await isAccessible();
        await page.locator("#body").fill(BODY);
        await button(page, "preview").click();

        const frames = page.locator("iframe");
        await expect(frames).toHaveCount(2);
        for (const frame of await frames.all()) {
          await expect(frame.contentFrame().getByRole("heading", { level: 1 })).toHaveText("The market opens");
          await expect(frame.contentFrame().locator("h1 + p")).toHaveText(/Hello,\nsee the map/, {
            useInnerText: true,
          });
        }
        await expect(page.locator(".letter-text pre")).toContainText("the map (https://map.example)");
        await isAccessible();
        await page.locator("main a[href$='/audience']").last().click();

        await page.locator("#first").fill("5");
        await page.locator("select[name=invited]").selectOption("no");
        await page.locator("input[name=invitation]").check();
        await button(page, "count").click();
        await expect(page.locator(".letter-count strong")).toHaveText("5");
        await isAccessible();
        await button(page, "send").click();

        await expect(page.locator("#time")).toBeHidden();
        await page.getByLabel("At the time below").check();
        await expect(page.locator("#time")).toBeVisible();
        await isAccessible();
        await page.getByLabel("Now", { exact: true }).check();
        await expect(page.locator("#time")).toBeHidden();
        await button(page, "test").click();
        await expect(page.getByRole("status")).not.toBeEmpty();
        expect(recipients(resend, `[Test] ${subject}`)).toEqual([OWNER]);
        await page.locator("#count").fill("4");
        await button(page, "start").click();
        await expect(page.locator("#count-problem")).not.toBeEmpty();
        await expect(page.locator("#count")).toHaveValue("4");
        await isAccessible();
        await page.locator("#count").fill(await peopleOn(page));
        await button(page, "start").click();
        await page.waitForURL(/done=started$/);

        await button(page, "pause").click();
        await expect(button(page, "resume")).toBeVisible();
        await expect(page.locator("#status")).toHaveText("You paused it.Nothing more is sent until you choose Resume.");
        await isAccessible();
        const refresh = page.getByRole("link", { name: "Refresh" });
        await refresh.press("Enter");
        await page.waitForURL(/\?refreshed$/);
        await expect(refresh).toBeFocused();
        expect(await page.evaluate(() => window.scrollY)).toBe(0);
        await site.sweep();
        expect(recipients(resend, subject)).toEqual([]);
        await button(page, "resume").click();
        await page.waitForURL(/done=resumed$/);
        await site.sweep();
        await expect(async () => {
          await page.getByRole("link", { name: "Refresh" }).click({ timeout: 2_000 });
          await expect(page.locator(".letter-finished")).toBeVisible({ timeout: 2_000 });
        }).toPass();
        await isAccessible();
        expect(new Set(recipients(resend, subject)).size).toBe(5);
        expect(recipients(resend, subject)).toHaveLength(5);
        await expect(page.locator(".tile-main dd")).toHaveText("5");
        const invited = (await site.rows("waitlist_emails")).filter((row) => row["invited_at"] !== null);
        expect(invited.length).toBeGreaterThanOrEqual(5);

        const letter = page.url();
        const email = resend.accepted().findLast((accepted) => accepted.subject === subject);
        await page.goto(email?.links.find((link) => /\/unsubscribe\/[^/]+$/.test(link)) ?? "no link");
        await page.getByRole("main").getByRole("button").first().click();
        await page.waitForURL(/done=unsubscribe$/);
        const rows = await site.rows("waitlist_emails");
        expect(rows.find((row) => row["email"] === email?.to)).toMatchObject({ status: "unsubscribed" });
        await page.goto(letter);
        await expect(page.locator("#stats ~ .tiles").last().locator("dd").last()).toContainText("1");
        await button(page, "duplicate").click();
        await page.waitForURL(/done=duplicated-for-all$/);
        await expect(page.locator("#subject")).toHaveValue(subject);
        await expect(page.locator("#body")).toHaveValue(BODY);
        await isAccessible();
      },
    );
  });
}

for (const [device, width] of Object.entries({ phone: 390, desktop: 1280 })) {
  test.describe(`on a ${device}, without JavaScript`, () => {
    test.use({ javaScriptEnabled: false, viewport: { width, height: 844 } });

    test("a blank draft is saved, its time appears with its choice, and refreshing keeps the focus", async ({
      owner: page,
      site,
    }) => {
      await page.goto(`${site.url}/owner/letters/new`);
      await button(page, "save").click();
      await expect(page.getByRole("status")).toHaveText("The draft is saved.");
      await expect(page.locator(".problem")).toHaveCount(0);
      await page.locator("main a[href$='/preview']").first().click();
      await expect(page.locator("main li", { hasText: "Write a subject." })).toBeVisible();
      await page.locator("main a[href*='/owner/letters/']", { hasText: "Edit it" }).click();
      await page.locator("#subject").fill(`On a ${device}`);
      await page.locator("#body").fill("Dear all,\nhello.");
      await button(page, "preview").click();
      await expect(page.locator(".letter-text pre")).toHaveText(/^Dear all,\nhello\./);

      await page.locator("main a[href$='/send']").first().click();
      await expect(page.locator("#time")).toBeHidden();
      await page.getByLabel("At the time below").check();
      await expect(page.locator("#time")).toBeVisible();
      await page.getByLabel("Now", { exact: true }).check();
      await expect(page.locator("#time")).toBeHidden();
      await page.locator("#count").fill(await peopleOn(page));
      await button(page, "start").click();
      await button(page, "pause").click();
      const refresh = page.getByRole("link", { name: "Refresh" });
      await refresh.click();
      await page.waitForURL(/\?refreshed$/);
      await expect(refresh).toBeFocused();
      await expect(page.locator("#status")).toHaveText("You paused it.Nothing more is sent until you choose Resume.");
    });
  });
}

test(
  "the keyboard alone writes a letter, chooses its audience and sends it",
  slow,
  async ({ owner: page, site, resend }) => {
    await page.goto(`${site.url}/owner/letters/new`);
    await tabTo(page, page.locator("#subject"));
    await page.keyboard.type("By keyboard");
    await tabTo(page, page.locator("#body"));
    await page.keyboard.type("Hello.");
    await tabTo(page, page.locator(".letter-help summary"));
    await page.keyboard.press("Enter");
    await expect(page.locator(".letter-help table")).toBeVisible();
    await tabTo(page, button(page, "preview"));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/preview\?done=saved$/);
    await tabTo(page, page.locator(".pills a").last());
    await page.keyboard.press("Enter");
    await expect(page.locator("iframe").first()).toHaveAttribute("src", /scheme=dark$/);
    // Through the frames, and out of them again.
    await tabTo(page, page.locator(".letter-text"));
    await tabTo(page, page.locator("main a[href$='/audience']").last());
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/audience$/);
    await tabTo(page, page.locator("#first"));
    await page.keyboard.type("2");
    await tabTo(page, button(page, "send"));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/send$/);
    await tabTo(page, page.locator("#count"));
    await page.keyboard.type(await peopleOn(page));
    await page.keyboard.press("Enter");
    await page.waitForURL(/done=started$/);
    await site.sweep();
    await expect.poll(() => recipients(resend, "By keyboard").length).toBe(2);
  },
);

/** Presses Tab until a control has the focus, which must be visible. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    if (!(await control.evaluate((element) => element === document.activeElement))) continue;
    expect(await control.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe("none");
    return;
  }
  throw new Error(`Tab does not reach ${control}`);
}

test("a letter of 10 MB is refused with a sentence that the browser shows", slow, async ({ owner: page, site }) => {
  await write(page, site, "Too large");
  await page.locator("#body").fill("x".repeat(10 * 1_048_576));
  await button(page, "save").click();
  await expect(page.getByRole("alert")).toContainText("was not saved");
  await expect(page.locator("#body")).toHaveValue(BODY);
});

test("the pages are valid and fit every width in both colour schemes", slow, async ({ owner: page, site }) => {
  test.setTimeout(300_000);
  const long = `A subject of ${"many words and one-very-long-word".repeat(3)}`;
  const problem = await write(page, site, long, `${BODY}\n\n<b>no</b> ${"x".repeat(300)}`);
  const draft = await write(page, site, long);
  const sent = await write(page, site, long);
  await page.goto(`${site.url}${sent}/send`);
  await page.locator("#count").fill(await peopleOn(page));
  await button(page, "start").click();
  await page.waitForURL(/done=started$/);
  await site.sweep();
  const paths = ["/owner/letters", "/owner/letters/new", problem, draft, sent, "/owner/log"];
  for (const path of [...paths, ...["/preview", "/audience", "/send"].map((step) => `${draft}${step}`)]) {
    await expectToFit(page, site.url + path);
  }
});
