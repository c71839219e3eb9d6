import type { Page } from "@playwright/test";
import { hydrate, touchPage, untilHydrated } from "#scripts/lib/hydrated.ts";
import { holdScripts, openHeld } from "#tests/support/browser/hydration-control.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

/** URLs of the scripts requested so far. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script" || request.url().endsWith(".js")) scripts.push(request.url());
  });
  return scripts;
}

test("a visitor who reads, scrolls, opens groups and follows links downloads no script", async ({ page, site }) => {
  needs("roadmap", "features");
  const scripts = scriptsOf(page);
  await page.goto(site.url);
  await touchPage(page);
  for (const summary of await page.locator("details[name] > summary").all()) await summary.click();
  await page.getByRole("region", { name: "Cookie preferences" }).locator("summary").click();
  await page.getByRole("checkbox", { name: "Analytics" }).check();
  await page.getByRole("button", { name: "Decline All" }).click();
  await page.mouse.wheel(0, 20_000);
  for (const [name, path] of [
    ["Roadmap", "/roadmap"],
    ["Privacy policy", "/privacy"],
  ] as const) {
    await page.getByRole("contentinfo").getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(site.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await page.getByRole("contentinfo").getByRole("link", { name: "Cookie settings", exact: true }).click();
  await expect(page.getByRole("region", { name: "Cookie preferences" })).toBeVisible();
  await page.goBack();
  await page.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
});

const uses: [string, (page: Page) => Promise<void>][] = [
  ["focusing a form's field", (page) => page.locator("#join").getByPlaceholder("Enter your email").focus()],
  ["pressing Share", (page) => page.getByRole("button", { name: /^Share/ }).click()],
];

for (const [name, use] of uses) {
  test(`${name} hydrates the page, and loads each script once`, async ({ page, site }) => {
    await page.addInitScript(() => Object.assign(navigator, { share: async () => {} }));
    const scripts = scriptsOf(page);
    await page.goto(site.url, { waitUntil: "networkidle" });
    expect(scripts).toEqual([]);
    await use(page);
    await untilHydrated(page);
    expect(new Set(scripts).size).toBe(scripts.length);
  });
}

test("text typed before hydration stays and is submitted", async ({ page, site }) => {
  const { release, form } = await openHeld(page, site.url);
  await form.email.pressSequentially("early@exam");
  release();
  await form.email.pressSequentially("ple.com");
  await untilHydrated(page);
  await expect(form.email).toHaveValue("early@example.com");
  await expect(form.email).toBeFocused();
  await form.button.click();
  await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
  await expect(form.email).toHaveValue("");
  expect((await site.rows("waitlist_emails")).filter(({ email }) => email === "early@example.com")).toHaveLength(1);
});

test("an opened accordion and a ticked box survive hydration", async ({ page, site }) => {
  needs("features");
  const release = await holdScripts(page);
  await page.goto(site.url);
  const group = page.locator("details[name]").nth(1);
  await group.locator("summary").first().click();
  await page.getByRole("region", { name: "Cookie preferences" }).locator("summary").click();
  await page.getByRole("checkbox", { name: "Analytics" }).check();
  release();
  await hydrate(page);
  await expect(group).toHaveAttribute("open");
  await expect(page.getByRole("checkbox", { name: "Analytics" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Marketing" })).not.toBeChecked();
});

test("a form submitted before hydration is sent once, by the browser", async ({ page, site }) => {
  const { release, form } = await openHeld(page, site.url);
  await form.email.fill("hasty@example.com");
  await form.button.click();
  await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
  release();
  await untilHydrated(page);
  await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
  const rows = (await site.rows("waitlist_emails")).filter(({ email }) => email === "hasty@example.com");
  expect(rows).toHaveLength(1);
  await expect
    .poll(async () => (await site.sentEmails()).filter(({ to }) => to.includes("hasty@example.com")))
    .toHaveLength(1);
});

test("a form submitted during hydration is sent once", async ({ page, site }) => {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /\/(api\/signup)?$/.test(new URL(request.url()).pathname))
      posts.push(request.url());
  });
  for (let n = 0; n < 5; n += 1) {
    posts.length = 0;
    const { release, form } = await openHeld(page, site.url);
    await form.email.fill(`amid${n}@example.com`);
    release();
    await form.button.click();
    await expect(form.message).toHaveText("Thanks for joining! Please check your email.");
    expect(posts).toHaveLength(1);
    await page.unrouteAll();
  }
});

test("a click on a script-only button before hydration marks it as busy, and is replayed once", async ({
  page,
  site,
}) => {
  needs("share", "waysToHelp");
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(navigator, { share: async (data: unknown) => void shared.push(data) });
    Object.assign(window, { shared });
  });
  const shared = () => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared.length);
  const release = await holdScripts(page);
  await page.goto(site.url);
  const button = page.getByRole("button", { name: "Share" });
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  expect(await shared()).toBe(0);
  release();
  await untilHydrated(page);
  await expect.poll(shared).toBe(1);
  await expect(button).not.toHaveAttribute("aria-busy");
  await button.click();
  await expect.poll(shared).toBe(2);
});
