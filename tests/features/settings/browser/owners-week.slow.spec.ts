import type { Locator, Page } from "@playwright/test";
import { needs } from "#tests/support/browser/needs.ts";
import { test as base, expect, type OwnerSite, startSignedIn } from "#tests/support/browser/owner-test.ts";

/* What an owner does every few weeks, from the overview, with the number of presses. And each form of settings, once. */

const test = base.extend<{ ownerSite: OwnerSite }>({
  ownerSite: [
    async ({ browser, shared }, use) =>
      use(await shared("an owner's week", () => startSignedIn(browser, { RENDER_CACHE: "off" }))),
    { scope: "test", timeout: 120_000 },
  ],
});

/** Presses what is named, and counts. */
function presses(page: Page) {
  let count = 0;
  const press = async (what: Locator) => {
    await what.click();
    count += 1;
  };
  return {
    link: (name: string | RegExp) => press(page.getByRole("link", { name, exact: true }).first()),
    button: (name: string) => press(page.getByRole("button", { name, exact: true }).first()),
    count: () => count,
  };
}

test("a second owner: 3 presses", async ({ owner, site }) => {
  await owner.goto(`${site.url}/owner`);
  const { link, button, count } = presses(owner);
  await link("Settings");
  await link("Change Owners");
  await owner.getByLabel("Email address").fill("bea@market.example");
  await button("Add this owner");
  await expect(owner.getByRole("row", { name: "bea@market.example" })).toContainText("Added here");
  expect(count()).toBe(3);
});

test("we are open: 4 presses, one of them after a look at what changes", async ({ owner, site }) => {
  await owner.goto(`${site.url}/owner`);
  const { link, button, count } = presses(owner);
  await link("Settings");
  await link("Change Launch");
  await owner.locator("#launch-url").fill("https://app.market.example/");
  await button("Save");
  await button("Say that it is open");
  await expect(owner.getByRole("status")).toContainText("Saved");
  expect(count()).toBe(4);
  await owner.locator("#launch-url").fill("");
  await button("Save");
  await button("Take sign-ups again");
});

test("a reward: 3 presses", async ({ owner, site }) => {
  needs("referrals");
  await owner.goto(`${site.url}/owner`);
  const { link, button, count } = presses(owner);
  await link("Settings");
  await link("Change Rewards");
  await owner.getByLabel("Friends").last().fill("3");
  await owner.getByLabel("You get …").last().fill("a free stall fee at your first fair");
  await button("Save");
  await expect(owner.getByRole("status")).toContainText("Saved");
  expect(count()).toBe(3);
});

test("ask for a first name: 3 presses, and visitors are asked", async ({ owner, site }) => {
  await owner.goto(`${site.url}/owner`);
  const { link, button, count } = presses(owner);
  await link("Settings");
  await link("Change Questions");
  await button("Ask for a first name");
  await expect(owner.getByRole("status")).toContainText("Saved");
  expect(count()).toBe(3);
  const visitor = await owner.context().newPage();
  await visitor.goto(site.url);
  await visitor.locator("#join input[name=email]").fill("grace@market.example");
  await visitor.locator("#join button[type=submit]").click();
  await expect(visitor.getByLabel("What should we call you?")).toBeVisible();
});

test("a wrong address: 4 presses", async ({ owner, site }) => {
  await owner.goto(`${site.url}/owner`);
  const { link, button, count } = presses(owner);
  await link("Entries");
  await link(/@/);
  await link("Change the details");
  await owner.getByLabel("Email address").fill("corrected@market.example");
  await button("Save");
  await expect(owner.getByRole("heading", { level: 1 })).toContainText("corrected@market.example");
  expect(count()).toBe(4);
});

test("the sources of the last calendar month: 1 press", async ({ owner, site }) => {
  await owner.goto(`${site.url}/owner`);
  const { link, count } = presses(owner);
  await link("Months");
  await expect(owner).toHaveURL(/\?from=\d{4}-\d\d-01&until=/);
  const sources = owner.locator("section", { has: owner.getByRole("heading", { name: "By campaign source" }) });
  await expect(sources.locator("tbody tr").first()).toBeVisible();
  expect(count()).toBe(1);
});

/** A new value of each field, by its form. */
const forms: Record<string, Record<string, string>> = {
  launch: { "launch-sentence": "We open in May 2031.", "launch-date": "2031-05-31" },
  founder: { "founder-name": "Ada", "founder-note": "Hello from the market." },
  "sign-ups": { "confirm-addresses": "on", disposable: "refuse", "disposable-allowed": "post.example" },
  contact: {
    "contact-email": "stall@ada.example",
    "reply-to": "replies@ada.example",
    "controller-name": "Ada Stallwright Ltd",
    "controller-address": "7 Potters Lane",
  },
  "emails-and-time": { "mail-per-hour": "77", "owner-time-zone": "Pacific/Auckland" },
  links: { "support-url": "https://coffee.example/ada", "facebook-url": "https://facebook.example/ada" },
};

test("each form saves what is typed, and the list says that it is set here", async ({ owner, site }) => {
  for (const [form, fields] of Object.entries(forms)) {
    await owner.goto(`${site.url}/owner/settings/${form}`);
    for (const [id, value] of Object.entries(fields)) {
      const field = owner.locator(`#${id}`);
      if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") await field.selectOption(value);
      else await field.fill(value);
    }
    await owner.locator("main button[value=save]").click();
    await expect(owner.locator(".message-success"), form).toContainText("Saved");
    for (const [id, value] of Object.entries(fields)) await expect(owner.locator(`#${id}`), id).toHaveValue(value);
    await owner.goto(`${site.url}/owner/settings`);
    const listed = owner.locator(`section[aria-labelledby="${form}"] dd`);
    await expect(listed.filter({ hasText: "Set here" }), form).toHaveCount(Object.keys(fields).length);
  }
});
