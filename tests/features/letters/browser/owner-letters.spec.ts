import type { Locator, Page } from "@playwright/test";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { OWNER, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { test as base, expect } from "#tests/support/browser/test.ts";
import { expectSound } from "#tests/support/browser/walk.ts";

needs("letters");

type Resend = Awaited<ReturnType<typeof startFakeResend>>;

/** All tests share one site, which sends through a fake Resend. */
const longer = { scope: "test", timeout: 120_000 } as const;
const test = base.extend<{ owner: Page; resend: Resend }>({
  site: [async ({ shared }, use) => use(await shared("sending site", startSendingSite)), longer],
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
  return { ...site, resend, stop: () => site.stop().then(resend.stop) };
}

const BODY = "# The market opens\n\nHello,\nsee [the map](https://map.example).\n\n**[Set up your stall]({{site}})**";
const LONG = `A subject of ${"many words and one-very-long-word".repeat(3)}`;

const button = (page: Page, intent: string) => page.locator(`button[value=${intent}]:not(.tabs button)`);

/** Saves a letter. @returns its path */
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
  resend.accepted().flatMap((email) => (email.subject === subject ? [email.to] : []));

/** Starts the letter of the open page, which asks for the number of people. */
async function start(page: Page): Promise<void> {
  const [, people = "none"] = /\(([\d,]+)\)/.exec(await page.locator("label[for=count]").innerText()) ?? [];
  await page.locator("#count").fill(people);
  await button(page, "start").click();
  await page.waitForURL(/done=(started|scheduled)$/);
}

/** Presses Tab until a control has the focus, which must be visible, and types there, or presses Enter. */
async function tabTo(page: Page, control: Locator, text?: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    if (!(await control.evaluate((element) => element === document.activeElement))) continue;
    expect(await control.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe("none");
    return text === undefined ? page.keyboard.press("Enter") : page.keyboard.type(text);
  }
  throw new Error(`Tab does not reach ${control}`);
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test(
    "a letter is previewed, its time appears with its choice, it is paused and sent",
    slow,
    async ({ owner: page, site, resend }) => {
      const subject = "The market opens";
      await write(page, site, subject);
      await button(page, "preview").click();
      const frames = page.locator("iframe");
      await expect(frames).toHaveCount(2);
      for (const frame of await frames.all()) {
        const email = frame.contentFrame();
        await expect(email.getByRole("heading", { level: 1 })).toHaveText("The market opens");
        await expect(email.locator("h1 + p")).toHaveText(/Hello,\nsee the map/, { useInnerText: true });
        // The email has its own colours, by style attributes, which the page's policy lets through.
        const bar = email.locator(".e-bar");
        expect(await bar.evaluate((cell) => getComputedStyle(cell).backgroundColor)).not.toBe("rgba(0, 0, 0, 0)");
      }

      await page.locator("main a[href$='/audience']").last().click();
      await page.locator("#first").fill("5");
      await button(page, "send").click();
      await expect(page.locator("#time")).toBeHidden();
      await page.getByLabel("At the time below").check();
      await expect(page.locator("#time")).toBeVisible();
      await page.getByLabel("Now", { exact: true }).check();
      await expect(page.locator("#time")).toBeHidden();
      await start(page);

      await button(page, "pause").click();
      const refresh = page.getByRole("link", { name: "Refresh" });
      await refresh.press("Enter");
      await page.waitForURL(/\?refreshed$/);
      await expect(refresh).toBeFocused();
      await site.sweep();
      expect(recipients(resend, subject)).toEqual([]);
      await button(page, "resume").click();
      await page.waitForURL(/done=resumed$/);
      await site.sweep();
      await expect.poll(() => new Set(recipients(resend, subject)).size).toBe(5);
      expect(recipients(resend, subject)).toHaveLength(5);
    },
  );
});

test(
  "the keyboard alone writes a letter, chooses its audience and sends it",
  slow,
  async ({ owner: page, site, resend }) => {
    await page.goto(`${site.url}/owner/letters/new`);
    await tabTo(page, page.locator("#subject"), "By keyboard");
    await tabTo(page, page.locator("#body"), "Hello.");
    await tabTo(page, page.locator(".letter-help summary"));
    await expect(page.locator(".letter-help table")).toBeVisible();
    await tabTo(page, button(page, "preview"));
    await page.waitForURL(/\/preview\?done=saved$/);
    await tabTo(page, page.locator(".pills a").last());
    await expect(page.locator("iframe").first()).toHaveAttribute("src", /scheme=dark$/);
    // Through the frames, and out of them again.
    await tabTo(page, page.locator(".letter-text"), "");
    await tabTo(page, page.locator("main a[href$='/audience']").last());
    await page.waitForURL(/\/audience$/);
    await tabTo(page, page.locator("#first"), "2");
    await tabTo(page, button(page, "send"));
    await page.waitForURL(/\/send\?done=counted$/);
    await tabTo(page, page.locator("#count"), "2");
    await page.keyboard.press("Enter");
    await page.waitForURL(/done=started$/);
    await site.sweep();
    await expect.poll(() => recipients(resend, "By keyboard").length).toBe(2);
  },
);

/** A server that stops reading resets the connection, so that the browser shows an error of its own. */
test("a letter of 10 MB is refused with a sentence that the browser shows", slow, async ({ owner: page, site }) => {
  await write(page, site, "Too large");
  // Laid out, it takes ten seconds.
  await page.locator("#body").evaluate((field: HTMLTextAreaElement) => {
    field.hidden = true;
    field.value = "x".repeat(10 * 1_048_576);
  });
  await button(page, "save").click();
  await expect(page.getByRole("alert")).toContainText("was not saved");
  await expect(page.locator("#body")).toHaveValue(BODY);
});

const states: { name: string; body?: string; step?: string; sent?: "scheduled" | "paused" | "finished" }[] = [
  { name: "with problems", body: `${BODY}\n\n<b>no</b> ${"x".repeat(300)}` },
  { name: "previewed", step: "/preview" },
  { name: "and its audience", step: "/audience" },
  { name: "and its last step", step: "/send" },
  { name: "that is scheduled", sent: "scheduled" },
  { name: "that is scheduled, on the overview", sent: "scheduled", step: "/../.." },
  { name: "that is paused", sent: "paused" },
  { name: "that was sent", sent: "finished" },
  { name: "among the others", step: "/.." },
];

test(
  "a letter is sent to one person again, from their page, which is sound",
  slow,
  async ({ owner: page, site, resend }) => {
    const subject = "Once more";
    const path = await write(page, site, subject);
    await page.goto(`${site.url}${path}/audience`);
    await page.locator("#first").fill("1");
    await button(page, "send").click();
    await start(page);
    await site.sweep();
    await expect.poll(() => recipients(resend, subject)).toHaveLength(1);
    const [email = ""] = recipients(resend, subject);
    await page.goto(`${site.url}/owner/entries`);
    await page.locator("input[name=search]").fill(email);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: email }).click();
    const again = page.locator("details", { hasText: "Send it again" });
    const enter = () => again.locator("summary").click();
    const { pathname } = new URL(page.url());
    await enter();
    await again.getByRole("button").click();
    await expect(page.getByText("The email is queued again.")).toBeVisible();
    await expect(page.getByText(`Letter, sent again: ${subject}`)).toBeVisible();
    expect(recipients(resend, subject)).toEqual([email, email]);
    await expectSound(page, { name: "an entry, a letter being chosen", path: pathname, enter }, site.url);
  },
);

for (const { name, body, step = "", sent } of states) {
  test(`a letter ${name}: is sound`, slow, async ({ owner: page, site }) => {
    const path = await write(page, site, LONG, body);
    if (sent !== undefined) {
      await page.goto(`${site.url}${path}/send`);
      if (sent === "scheduled") {
        const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
        await page.getByLabel("At the time below").check();
        await page.locator("#time").fill(`${tomorrow}T10:00`);
      }
      await start(page);
      if (sent === "scheduled") await expect(page.locator("#status")).toContainText("Starts on");
      else if (sent === "paused") await button(page, "pause").click();
      else await site.sweep();
    }
    await expectSound(page, { name, path: path + step }, site.url);
  });
}

test("a subject without spaces stays on the page wherever it is shown", slow, async ({ owner: page, site }) => {
  const subject = "x".repeat(150);
  const path = await write(page, site, subject);
  await page.goto(`${site.url}${path}/send`);
  await button(page, "publish").click();
  await start(page);
  await site.sweep();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const shown of [
    "/owner/letters",
    path,
    `${path}/preview`,
    "/owner/entries/1",
    "/letters",
    path.replace("/owner", ""),
  ]) {
    await page.goto(site.url + shown);
    await expect(page.getByRole("main"), shown).toContainText(subject);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), shown).toBe(390);
  }
});
