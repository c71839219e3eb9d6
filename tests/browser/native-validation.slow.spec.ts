import type { Page } from "@playwright/test";
import { normaliseEmail } from "#app/server/email-address.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { holdScripts } from "#tests/support/browser/hydration-control.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/* Before hydration the browser itself refuses an invalid address. */

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an invalid address is not sent", async ({ page, site }) => {
    const posts: string[] = [];
    page.on("request", (request) => void (request.method() === "POST" && posts.push(request.url())));
    await page.goto(site.url);
    const { email, button, message } = formOn(page);
    for (const address of ["", "ada", "ada@example", "ada@example..com", "ada lovelace@example.com"]) {
      await formOn(page).submit(address);
      await expect(email).toBeFocused();
      expect(await email.evaluate((field: HTMLInputElement) => field.validationMessage)).not.toBe("");
      await expect(button).toHaveText("Join Waitlist");
      await expect(message).toHaveText("");
    }
    expect(posts).toEqual([]);
  });
});

const local64 = "a".repeat(64);
const label63 = "b".repeat(63);
const longDomain = `${label63}.${label63}.${label63}.${"c".repeat(54)}.com`;

const accepted = [
  "ada@example.com",
  "Ada+stalls@Mail.example.co.uk",
  " o'brien@example.com ",
  "ada@bücher.example",
  "søren@example.com",
  " Søren@bücher.example ",
  "李@例子.example",
  "a_b-c@example.com",
  "ada@example.com.",
  "ada@ｇｍａｉｌ.com",
  "=ada?@example.com",
  "\tada@example.com\u00a0",
  "\u2068\u200b ada@example.com.\u202f\u2028\u0085\u200f",
  "o’brien@example.com\u200b",
  "ada@1.2.3.example",
  "ada@a--b.example",
  `${local64}@example.com`,
  `ada@${longDomain}`,
];

const refused = [
  "ada@bücher",
  "søren@",
  "søren@example,com",
  "ada@exa\tmple.com",
  "ada\u00a0@example.com",
  "ada@example",
  "ada@@example.com",
  "ada@example..com",
  "ada@-example.com",
  "ada@example-.com",
  "ada@192.0.2.1",
  "ada@example.123",
  "ada@example.com,eve.example",
  "Ada<ada@example.com>",
  '"ada"@example.com',
];

/** The server refuses these; the pattern is short, and lets them pass. */
const refusedByServer = [
  "ada=?utf-8?q?x@example.com",
  "ada@ex_ample.com",
  "ada@bü_cher.example",
  `a${local64}@example.com`,
  `adam@${longDomain}`,
  `ada@${label63}b.com`,
];

test("the browser accepts the addresses that the server accepts, and refuses nearly all others", async ({
  page,
  site,
}) => {
  await holdScripts(page);
  await page.goto(site.url);
  for (const [addresses, browser, server] of [
    [accepted, true, true],
    [refused, false, false],
    [refusedByServer, true, false],
  ] as const) {
    for (const address of addresses)
      expect([await isAccepted(page, address), normaliseEmail(address) !== null], address).toEqual([browser, server]);
  }
});

test("after hydration the form leaves the message to the site", async ({ page, site }) => {
  await page.goto(site.url);
  expect(await page.locator("form.sign-up").evaluateAll(noValidate)).toEqual([false, false]);
  await hydrate(page);
  expect(await page.locator("form.sign-up").evaluateAll(noValidate)).toEqual([true, true]);
  await formOn(page).submit("ada@example");
  await expect(formOn(page).message).toHaveText("Please enter a valid email address");
});

/** As messengers, word processors and spreadsheets put an address into the clipboard. */
const PASTED = "\u2068\u200b\to’brien.N@Example.com\u202f\u200f\ufeff\r\n";

for (const scripts of ["held", "run"] as const) {
  test.describe(`with scripts that are ${scripts}`, () => {
    test.use({ permissions: ["clipboard-read", "clipboard-write"] });

    test("a pasted address joins", async ({ page, site }) => {
      const pasted = PASTED.replace("N", scripts);
      if (scripts === "held") await holdScripts(page);
      await page.goto(site.url);
      if (scripts === "run") await hydrate(page);
      const { email, button, message } = formOn(page);
      await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
      await email.focus();
      await page.keyboard.press("ControlOrMeta+V");
      await button.click();
      await expect(message).toContainText("Thanks for joining!");
      const addresses = (await site.rows("waitlist_emails")).map(({ email }) => email);
      expect(addresses).toContain(`o'brien.${scripts}@example.com`);
    });
  });
}

async function isAccepted(page: Page, address: string): Promise<boolean> {
  const { email } = formOn(page);
  await email.fill(address);
  return email.evaluate((field: HTMLInputElement) => field.checkValidity());
}

function noValidate(forms: Element[]): boolean[] {
  return forms.map((form) => (form as HTMLFormElement).noValidate);
}
