import { DatabaseSync } from "node:sqlite";
import type { Browser, Page } from "@playwright/test";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { databaseFile, openLocalDatabase } from "#scripts/lib/local-database.ts";
import { startOwnerSite } from "#scripts/lib/owner-site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { test as base, expect, type Shared } from "#tests/support/browser/test.ts";

/* Nothing that owners type is lost: sessions that end, two owners at once, Back, double clicks and slow networks. */

needs("letters", "series");

const OWNERS = ["ada@waitlist-site.example", "bob@waitlist-site.example"] as const;

const startSite = () => startOwnerSite(3, { OWNER_EMAIL: OWNERS.join(", ") });

const test = base.extend<{ site: RunningSite }>({
  site: [
    async ({ shared }: { shared: Shared }, use: (site: RunningSite) => Promise<void>) =>
      use(await shared("two owners", startSite)),
    { scope: "test", timeout: 120_000 },
  ],
});

/** Signs an owner in with a link of the command line. */
async function signIn(page: Page, { url, persistTo }: RunningSite, email: string = OWNERS[0]): Promise<void> {
  using opened = openLocalDatabase(persistTo);
  await page.goto(await createSignInLink(opened.db, { siteUrl: url, email }, Date.now()));
  await page.locator("main button").click();
  await page.waitForURL(`${url}/owner`);
}

/** Ends all sessions, as time does. */
function endSessions({ persistTo }: RunningSite): void {
  using database = new DatabaseSync(databaseFile(persistTo), { timeout: 5_000 });
  database.exec("UPDATE owner_sessions SET expires_at = 0");
}

async function ownersPage(
  browser: Browser,
  site: RunningSite,
  email: string,
  javaScriptEnabled: boolean,
): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await signIn(page, site, email);
  return page;
}

const newest = async (site: RunningSite, table: string) => (await site.rows(table)).at(-1);

/** Saves the form that the page shows. */
const save = (page: Page) =>
  page.locator("main form:has([name=version]) button:is([value=save], [value=count])").first().click();

test("without a script, a text sent after the session ended is shown, kept through signing in, and saved by a press", async ({
  site,
  browser,
}) => {
  const page = await ownersPage(browser, site, OWNERS[0], false);
  await page.goto(`${site.url}/owner/letters/new`);
  await page.locator("#subject").fill("An hour of work");
  await page.locator("#body").fill("First line\n\n<b>Second</b> & “third”");
  endSessions(site);
  await save(page);
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await expect(page.getByLabel("Body")).toHaveValue("First line\n\n<b>Second</b> & “third”");
  // The address is asked in another tab; signing in there leaves this page as it is.
  const popup = page.waitForEvent("popup");
  await page.locator("#email").fill(OWNERS[0]);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect((await popup).getByRole("heading", { name: "Check your email" })).toBeVisible();
  await signIn(await page.context().newPage(), site);
  await page.getByRole("button", { name: "Send it again" }).click();
  await page.waitForURL(/done=saved/);
  expect(await newest(site, "letters")).toMatchObject({
    subject: "An hour of work",
    body: "First line\n\n<b>Second</b> & “third”",
  });
  await page.context().close();
});

test("with the script, the text stays in the page and in the browser, and is saved once one has signed in again", async ({
  page,
  site,
}) => {
  await signIn(page, site);
  await page.goto(`${site.url}/owner/letters/new`);
  endSessions(site);
  await page.locator("#body").fill("Typed after the session had ended");
  await expect(page.getByRole("alert").filter({ hasText: "Your session has ended" })).toBeVisible({ timeout: 10_000 });
  expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain("Typed after the session had ended");
  await signIn(await page.context().newPage(), site);
  await page.locator("#body").pressSequentially(".");
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible({ timeout: 10_000 });
  expect(await newest(site, "letters")).toMatchObject({ body: "Typed after the session had ended." });
  await expect(page).toHaveURL(/\/owner\/letters\/\d+$/);
});

test("a letter that saves itself while its owner types keeps a version, and Save, Back and Save make no second one", async ({
  page,
  site,
}) => {
  await signIn(page, site);
  const before = (await site.rows("letters")).length;
  await page.goto(`${site.url}/owner/letters/new`);
  const address = page.url();
  await page.locator("#subject").fill("Once");
  await page.locator("#body").fill("One text");
  await page.locator("button[value=save]").dblclick();
  await page.waitForURL(/done=saved/);
  await page.goBack();
  await page.goto(address);
  await page.locator("#body").fill("Another text");
  await save(page);
  await page.waitForURL(/done=saved/);
  expect((await site.rows("letters")).slice(before)).toMatchObject([{ subject: "Once", body: "Another text" }]);
  await page.getByRole("link", { name: "Earlier versions" }).click();
  await page.locator("tbody a").last().click();
  await expect(page.getByText("One text")).toBeVisible();
  await page.getByRole("button", { name: "Bring this text back" }).click();
  await page.waitForURL(/done=saved/);
  await expect(page.locator("#body")).toHaveValue("One text");
});

test(
  "the steps of a letter save it on the way, and what is sent is what was seen",
  slow,
  async ({ page, site, browser }) => {
    await signIn(page, site);
    await page.goto(`${site.url}/owner/letters/new`);
    await page.locator("#subject").fill("Steps");
    await page.locator("#body").fill("Saved by Send");
    await page.getByRole("navigation", { name: "This letter" }).getByRole("button", { name: "Send" }).click();
    await page.waitForURL(/\/send\?done=saved/);
    const letter = await newest(site, "letters");
    expect(letter).toMatchObject({ body: "Saved by Send" });
    await page.goto(`${site.url}/owner/letters/${letter?.["id"]}/audience`);
    await page.locator("[name=first]").fill("1");
    await page.getByRole("navigation", { name: "This letter" }).getByRole("button", { name: "Preview" }).click();
    await page.waitForURL(/\/preview\?done=counted/);
    expect(JSON.parse(`${(await newest(site, "letters"))?.["audience"]}`)).toMatchObject({ first: 1 });
    // Another owner changes it while the page to send it is open.
    await page.goto(`${site.url}/owner/letters/${letter?.["id"]}/send`);
    const version = await page.locator("form.letter-start input[name=version]").inputValue();
    const other = await ownersPage(browser, site, OWNERS[1], true);
    await other.goto(`${site.url}/owner/letters/${letter?.["id"]}`);
    await other.locator("#body").fill("Not what was seen");
    await save(other);
    await other.waitForURL(/done=saved/);
    await other.context().close();
    // A site without a provider for letters offers no button: the form is sent as it would send it.
    const start = { intent: "start", when: "now", count: "1", version };
    const sent = await page.request.post(page.url(), { form: start, headers: { Origin: site.url } });
    expect(sent.status()).toBe(409);
    expect(await sent.text()).toContain("was changed after you had opened this page, so nothing was sent");
    expect(await newest(site, "letters")).toMatchObject({ state: "draft" });
  },
);

const WORDS = ["What Ada wrote", "What Bob wrote"] as const;

for (const { name, path, field, begin, page: rest = "", texts: [hers, his] = WORDS } of [
  { name: "a letter", path: "/owner/letters/", field: "#body", begin: "/owner/letters/new" },
  {
    ...{ name: "a letter’s audience", path: "/owner/letters/", field: "#first", begin: "/owner/letters/new" },
    ...{ page: "/audience", texts: ["1234", "5678"] as const },
  },
  { name: "a follow-up", path: "/owner/series/", field: "#body", begin: "/owner/series/new" },
  { name: "the welcome email", path: "/owner/emails/welcome", field: "#body", begin: null },
  { name: "a note", path: "/owner/entries/1", field: "#note", begin: null },
]) {
  test(
    `two owners write ${name} at the same time, and see both texts`,
    name === "a letter" ? {} : slow,
    async ({ page, site, browser }) => {
      await signIn(page, site);
      let address = site.url + path;
      if (begin !== null) {
        await page.goto(site.url + begin);
        await page.locator("#subject").fill("Ours");
        await page.locator("#body").fill("Begun");
        if (begin.includes("series")) await page.locator("#days").fill("3");
        await save(page);
        await page.waitForURL(/done=/);
        address = page.url().replace(/\?.*/, "") + rest;
      }
      const bob = await ownersPage(browser, site, OWNERS[1], false);
      await Promise.all([page.goto(address), bob.goto(address)]);
      await page.locator(field).fill(hers);
      await save(page);
      await page.waitForURL(/done=/);
      await bob.locator(field).fill(his);
      await save(bob);
      const conflict = bob.locator(".conflict");
      await expect(conflict.getByRole("heading", { level: 2 })).toContainText(
        "ada@waitlist-site.example saved another text",
      );
      await expect(conflict.getByText(hers)).toBeVisible();
      await expect(conflict.getByText(his)).toBeVisible();
      await expect(bob.locator(field)).toHaveValue(his);
      await save(bob);
      await bob.waitForURL(/done=/);
      await bob.getByRole("link", { name: "Earlier versions" }).click();
      await bob.locator("tbody a").nth(1).click();
      await expect(bob.getByText(hers)).toBeVisible();
      await bob.context().close();
    },
  );
}

test("the page that shows both texts saves nothing by itself", async ({ page, site, browser }) => {
  await signIn(page, site);
  await page.goto(`${site.url}/owner/letters/new`);
  await page.locator("#body").fill("Both");
  await save(page);
  await page.waitForURL(/done=saved/);
  const bob = await ownersPage(browser, site, OWNERS[1], true);
  // Without what is waited for below.
  await bob.goto(page.url().replace(/\?.*/, ""));
  await bob.locator("#body").fill("What Bob wrote");
  await save(bob);
  await bob.waitForURL(/done=saved/);
  await bob.context().close();
  await page.locator("#body").fill("What Ada wrote");
  await save(page);
  await expect(page.locator(".conflict")).toBeVisible();
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes("autosave=yes")) posts.push(request.url());
  });
  await page.clock.install();
  await page.locator("#body").pressSequentially("!");
  await page.clock.runFor(40_000);
  expect(posts).toEqual([]);
  expect(await newest(site, "letters")).toMatchObject({ body: "What Bob wrote" });
});

test("on a slow network, what is typed while a text is being saved is saved, too", slow, async ({ page, site }) => {
  await signIn(page, site);
  await page.goto(`${site.url}/owner/letters/new`);
  let requests = 0;
  await page.route("**/owner/letters**", async (route) => {
    const isSave = route.request().postData()?.includes("autosave=yes") ?? false;
    if (isSave) {
      requests += 1;
      // Until more was typed.
      if (requests === 1) await expect(page.locator("#body")).toHaveValue("Slowly typed text");
    }
    await route.continue();
  });
  await page.locator("#body").fill("Slowly");
  await expect.poll(() => requests, { timeout: 10_000 }).toBe(1);
  await page.locator("#body").fill("Slowly typed text");
  await expect
    .poll(async () => (await newest(site, "letters"))?.["body"], { timeout: 20_000 })
    .toBe("Slowly typed text");
  expect((await site.rows("letters")).filter(({ body }) => `${body}`.startsWith("Slowly"))).toHaveLength(1);
});
