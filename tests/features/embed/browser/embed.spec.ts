import type { Page } from "@playwright/test";
import { formHtml } from "#app/features/embed/form-html.ts";
import { questions } from "#app/site.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { allow, startOtherSite } from "#tests/features/embed/browser/other-site.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { nightly, slow } from "#tests/support/browser/slow.ts";
import { storedAnswers } from "#tests/support/browser/stored-answers.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { JOINED, ticketOn } from "#tests/support/browser/ticket.ts";
import { expectSound } from "#tests/support/browser/walk.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

needs("embed");

const NOT_SET_UP = "This form isn’t set up";

/** Opens a page of another site that has the form from the owner's page, and sends an address. */
async function sendFrom(page: Page, origin: string, address: string): Promise<void> {
  await page.goto(`${origin}/join`);
  await page.getByLabel("Your email address").fill(address);
  await page.getByRole("button", { name: "Join the waitlist" }).click();
}

const frameOf = (url: string, sandbox: string | null) =>
  `<iframe title="Form" src="${url}"${sandbox === null ? "" : ` sandbox="${sandbox}"`}></iframe>`;

async function entryOf(site: RunningSite, address: string) {
  return (await site.rows("waitlist_emails")).find(({ email }) => email === address);
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a form on an allowed site joins, and a page of this site confirms it and asks", async ({ page, site }) => {
    await using shop = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly) });
    await allow(site, shop.origin);
    const address = "shop@example.com";
    const response = page.waitForResponse(`${site.url}/api/embed`);
    await sendFrom(page, shop.origin, address);
    expect((await response).status()).toBe(201);
    expect(await (await response).request().headerValue("Origin")).toBe(shop.origin);
    await expect(page).toHaveURL(`${site.url}/api/embed`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’ve joined");
    await expect(formOn(page).message).toHaveText(JOINED);
    await expect(ticketOn(page)).toBeVisible();
    await expect(page.getByText("Add another address")).toBeHidden();
    expect(await entryOf(site, address)).toMatchObject({ source: "shop", referrer_host: new URL(shop.origin).host });
    expect((await site.emailTo(address)).to).toEqual([address]);

    const [question] = choiceQuestions;
    const [[key, words] = ["", ""]] = Object.entries(question?.answers ?? {});
    if (questions.length === 0 || question === undefined) return;
    const answer = page
      .getByRole("group", { name: question.wording })
      .getByRole("button", { name: words, exact: true });
    await answer.click();
    await expect(answer).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByText("Thanks. You can change this any time through the link in our emails.")).toBeVisible();
    await expect.poll(() => storedAnswers(site, address)).toEqual({ [question.key]: key });
  });

  test("a form on a site that is not allowed leads to this site's own form, and stores nothing", async ({
    page,
    site,
  }) => {
    await using shop = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly) });
    const address = "not-allowed@example.com";
    const response = page.waitForResponse(`${site.url}/api/embed`);
    await sendFrom(page, shop.origin, address);
    expect((await response).status()).toBe(403);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(NOT_SET_UP);
    expect(await entryOf(site, address)).toBeUndefined();
    await page.getByRole("link", { name: "Join on our own page" }).click();
    await expect(page).toHaveURL((url) => url.origin === site.url && url.pathname === "/" && url.hash === "#join");
    await expect(formOn(page).email).toBeVisible();
  });

  test("an address that is on the list is corrected on the page that says so", async ({ page, site }) => {
    await using shop = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly) });
    await allow(site, shop.origin);
    const address = "embedded-twice@example.com";
    await sendFrom(page, shop.origin, address);
    await expect(formOn(page).message).toHaveText(JOINED);
    await sendFrom(page, shop.origin, address);
    await expect(formOn(page).message).toHaveText("This email is already on our waitlist!");
    await expect(formOn(page).email).toHaveValue(address);
    await formOn(page).submit(`other-${address}`);
    await expect(formOn(page).message).toHaveText(JOINED);
    const stored = { source: "shop", referrer_host: new URL(shop.origin).host };
    expect(await entryOf(site, `other-${address}`)).toMatchObject(stored);
  });
});

test("a page that hides where it is cannot send the form, also if it is on an allowed site", async ({ page, site }) => {
  for (const referrerPolicy of ["no-referrer", "same-origin"]) {
    await using shop = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly), referrerPolicy });
    await allow(site, shop.origin);
    const response = page.waitForResponse(`${site.url}/api/embed`);
    await sendFrom(page, shop.origin, "hidden@example.com");
    expect(await (await response).request().headerValue("Origin")).toBe("null");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(NOT_SET_UP);
  }
  expect(await entryOf(site, "hidden@example.com")).toBeUndefined();
});

test("the copied form accepts what the site's own form accepts, and hides the honeypot", async ({ page, site }) => {
  await using shop = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly) });
  await allow(site, shop.origin);
  await sendFrom(page, shop.origin, "jørgen@bücher.example");
  await expect(formOn(page).message).toHaveText(JOINED);
  expect(await entryOf(site, "jørgen@xn--bcher-kva.example")).toMatchObject({ source: "shop" });
  await page.goto(shop.origin);
  await page.getByLabel("Your email address").focus();
  for (const name of ["Join the waitlist", "Privacy policy"]) {
    await page.keyboard.press("Tab");
    await expect(page.getByRole(name === "Privacy policy" ? "link" : "button", { name })).toBeFocused();
  }
  const trap = await page
    .getByText("Leave empty")
    .evaluate((label) => label.closest("p")?.getBoundingClientRect().width);
  expect(trap).toBe(1);
  expect(await violations(page)).toEqual([]);
});

test.describe("a form in a frame of another origin", () => {
  test.use({ javaScriptEnabled: false });

  /** Opens a page with a frame that has the form, and sends an address from there. */
  async function sendFromFrame(page: Page, url: string, address: string): Promise<void> {
    await page.goto(url);
    const frame = page.frameLocator("iframe");
    await frame.getByLabel("Your email address").fill(address);
    await frame.getByRole("button", { name: "Join the waitlist" }).click();
  }

  for (const sandbox of [null, "allow-forms allow-same-origin allow-top-navigation-by-user-activation"])
    test(`joins, and the response takes the whole tab: sandbox ${sandbox ?? "none"}`, async ({ page, site }) => {
      await using builder = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly) });
      await using shop = await startOtherSite({ html: frameOf(builder.origin, sandbox) });
      await allow(site, builder.origin);
      const address = `framed-${sandbox === null}@example.com`;
      const response = page.waitForResponse(`${site.url}/api/embed`);
      await sendFromFrame(page, shop.origin, address);
      expect(await (await response).request().headerValue("Origin")).toBe(builder.origin);
      await expect(page).toHaveURL(`${site.url}/api/embed`);
      await expect(formOn(page).message).toHaveText(JOINED);
      expect(await entryOf(site, address)).toMatchObject({ referrer_host: new URL(builder.origin).host });
    });

  test("sends nothing where a sandbox does not let it leave the frame", async ({ page, site }) => {
    await using builder = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly) });
    await using shop = await startOtherSite({ html: frameOf(builder.origin, "allow-forms allow-same-origin") });
    await allow(site, builder.origin);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const refusal = page.waitForEvent("console", (message) => message.text().includes("sandbox"));
    await sendFromFrame(page, shop.origin, "kept-in@example.com");
    await refusal;
    await expect(page).toHaveURL(`${shop.origin}/`);
    expect(requests.filter((url) => url.startsWith(site.url))).toEqual([]);
  });

  test("is refused where a sandbox takes its origin away", async ({ page, site }) => {
    await using builder = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly) });
    await using shop = await startOtherSite({ html: frameOf(builder.origin, "allow-forms allow-top-navigation") });
    await allow(site, builder.origin);
    const response = page.waitForResponse(`${site.url}/api/embed`);
    await sendFromFrame(page, shop.origin, "nowhere@example.com");
    expect(await (await response).request().headerValue("Origin")).toBe("null");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(NOT_SET_UP);
    expect(await entryOf(site, "nowhere@example.com")).toBeUndefined();
  });
});

for (const { state, path } of [
  { state: "after joining", path: "allowed" },
  { state: "after joining twice", path: "allowed" },
  { state: "of a site that is not allowed", path: "stranger" },
])
  test(`the response ${state} is sound`, state === "after joining" ? slow : nightly, async ({ page, site }) => {
    await using shop = await startOtherSite({ html: formHtml(site.url, "shop", newsOnly) });
    if (path === "allowed") await allow(site, shop.origin);
    const enter = async () => {
      await page.getByLabel("Your email address").fill("sound@example.com");
      await page.getByRole("button", { name: "Join the waitlist" }).click();
      await expect(page).toHaveURL(`${site.url}/api/embed`);
    };
    await expectSound(page, { name: state, path: shop.origin, enter }, site.url);
  });
