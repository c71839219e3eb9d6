import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { unstable_readConfig } from "wrangler";
import { localDate } from "#app/server/time-zone-days.ts";
import { root } from "#scripts/lib/commands.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { OWNER, OWNER_TIME_ZONE, signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { schemes, widths } from "#scripts/lib/site-paths.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { clippedTexts, sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { runScript } from "#tests/support/run-script.ts";

/** All tests share one site and one session, because a sign-in link is sent at most every five minutes. */
const test = base.extend<{ owner: Page }, { site: RunningSite; cookies: Awaited<ReturnType<typeof signedIn>> }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const site = await startOwnerSite(400);
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  cookies: [
    async ({ browser, site }, use) => {
      const page = await browser.newPage();
      await use(await signedIn(page, site));
      await page.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  owner: async ({ page, cookies }, use) => {
    await page.context().addCookies(cookies);
    await use(page);
  },
});

async function signedIn(page: Page, site: RunningSite) {
  await signIn(page, site);
  return page.context().cookies();
}

test("a link from the command line signs in beside the running site", async ({ page, site }) => {
  const port = new URL(site.url).port;
  const run = await runScript("owner", ["sign-in", "--port", port, "--persist-to", site.persistTo]);
  expect(run).toMatchObject({ code: 0, err: "" });
  const [link = ""] = run.out.split("\n");
  await page.goto(link);
  await page.getByRole("button").click();
  await page.waitForURL(`${site.url}/owner`);
  expect((await page.goto(link))?.status()).toBe(403);
});

test("a link for the deployed site is stored through Cloudflare's API, and signs in", slow, async ({ page, site }) => {
  const cloudflare = await startFakeCloudflare();
  try {
    const { name = "", d1_databases } = unstable_readConfig({ config: join(root, "wrangler.toml") });
    const database = d1_databases[0]?.database_name ?? "";
    const account = `${cloudflare.url}/accounts/${cloudflare.env.CLOUDFLARE_ACCOUNT_ID}`;
    const headers = { Authorization: `Bearer ${cloudflare.env.CLOUDFLARE_API_TOKEN}` };
    await fetch(`${account}/d1/database`, { method: "POST", headers, body: JSON.stringify({ name: database }) });
    // The site's own database answers the API's queries.
    cloudflare.database(database).sqlite.exec(`ATTACH '${databaseFile(site.persistTo)}' AS site`);
    const body = new FormData();
    const vars = { SITE_URL: site.url, OWNER_EMAIL: OWNER };
    const bindings = Object.entries(vars).map(([key, text]) => ({ name: key, type: "plain_text", text }));
    body.set("metadata", JSON.stringify({ bindings }));
    await fetch(`${account}/workers/scripts/${name}`, { method: "PUT", headers, body });

    const { code, out, err } = await runScript("owner", ["sign-in", "--remote"], { env: cloudflare.env });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await page.goto(out.split("\n")[0] ?? "");
    await page.getByRole("button").click();
    await page.waitForURL(`${site.url}/owner`);
  } finally {
    await cloudflare.stop();
  }
});

const filtered = "/owner/entries?status=active&utm_campaign=autumn_fair&without=utm_source&role=admin";
const paths = [
  "/owner",
  "/owner/entries",
  filtered,
  "/owner/entries/203",
  "/owner/export",
  "/owner/log",
  "/owner/no-such-page",
];

for (const path of paths) {
  test(
    `${path} is valid, accessible, and fits every width in both colour schemes`,
    slow,
    async ({ owner: page, site }) => {
      const errors: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.goto(site.url + path);
      expect(await htmlProblems(await (await page.request.get(site.url + path)).text())).toEqual([]);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await openAll(page);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          const where = `${width} px, ${colorScheme}`;
          expect(await sidewaysScroll(page), where).toBe(0);
          expect(await smallTargets(page, width < 768 ? 44 : 36), where).toEqual([]);
          expect(await clippedTexts(page), where).toEqual([]);
          if (width === 360 || width === 1280) expect(await violations(page), where).toEqual([]);
        }
      }
      expect(errors.filter((text) => !text.includes("404"))).toEqual([]);
    },
  );
}

test("the sign-in page is valid, accessible, and fits every width", slow, async ({ page, site }) => {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${site.url}/owner`);
      expect(await sidewaysScroll(page)).toBe(0);
      expect(await smallTargets(page, width < 768 ? 44 : 36)).toEqual([]);
      expect(await violations(page)).toEqual([]);
    }
  }
  expect(await htmlProblems(await (await page.request.get(`${site.url}/owner`)).text())).toEqual([]);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "an entry can be found by its address, noted on, sent its email again, unsubscribed and erased",
      slowUnless(javaScriptEnabled),
      async ({ owner: page, site }) => {
        const address = `to-be-erased-${javaScriptEnabled}@example.com`;
        await page.request.post(`${site.url}/api/signup`, { data: { email: address } });
        await page.goto(`${site.url}/owner/entries`);
        await page.getByRole("searchbox").fill("TO-BE-ERASED");
        await page.getByRole("searchbox").press("Enter");
        await page.getByRole("link", { name: address }).click();
        await expect(page).toHaveURL(/\/owner\/entries\/\d+(\?|$)/);
        expect(page.url()).not.toContain("erased");
        const id = /entries\/(\d+)/.exec(page.url())?.[1];

        await page.locator("button[value=resend]").click();
        await expectDone(page, "resent");
        await expect
          .poll(async () => (await site.sentEmails()).filter(({ to }) => to.includes(address)))
          .toHaveLength(1);

        await page.getByRole("textbox", { name: "Your note on this person" }).fill("Met at the fair");
        await page.locator("button[value=note]").click();
        await expectDone(page, "noted");
        await expect(page.locator("textarea")).toHaveValue("Met at the fair");

        const unsubscribe = page.locator("button[value=unsubscribe]");
        await expect(unsubscribe).toBeHidden();
        await page.locator("details", { has: unsubscribe }).locator("summary").click();
        await unsubscribe.click();
        await expectDone(page, "unsubscribed");

        await page.getByRole("link", { name: "Back to the list" }).click();
        await expect(page.getByRole("searchbox")).toHaveValue("to-be-erased");
        await page.locator("nav a[href='/owner/entries']").click();
        await expect(page.getByRole("searchbox")).toHaveValue("");
        await expect(page.locator(".entry-table tbody tr")).toHaveCount(25);
        await page.goto(`${site.url}/owner/entries/${id}`);

        const erase = page.locator("button[value=erase]");
        await expect(erase).toBeHidden();
        await page.locator("details", { has: erase }).locator("summary").click();
        await erase.click();
        await expectDone(page, "erased");
        expect((await site.rows("waitlist_emails")).filter(({ email }) => email === address)).toEqual([]);
        // The local email binding prints recipients; the site's own log lines are JSON.
        expect(
          site
            .output()
            .split("\n")
            .filter((line) => line.startsWith("{"))
            .join(),
        ).not.toContain(address);
      },
    );

    test("filters, orders and paging work", slowUnless(javaScriptEnabled), async ({ owner: page, site }) => {
      await page.goto(`${site.url}/owner/entries`);
      await page.locator(".owner-filters summary").click();
      await page.locator("select[name=source]").selectOption("ways_to_help_section");
      await page.locator("select[name=order]").selectOption("address");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.waitForURL(/order=address/);
      const addresses = page.locator(".entry-table th a");
      const first = await addresses.allTextContents();
      expect(first).toHaveLength(25);
      expect(first).toEqual(first.toSorted());
      await page.getByRole("link", { name: "Next" }).click();
      await page.waitForURL(/after=/);
      const next = await addresses.allTextContents();
      expect([...first, ...next]).toEqual([...new Set([...first, ...next])].toSorted());
      await page.getByRole("link", { name: "Previous" }).click();
      await page.waitForURL(/before=/);
      expect(await addresses.allTextContents()).toEqual(first);
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test(
      "what the list shows is exported, for a service and for a spreadsheet",
      slowUnless(!javaScriptEnabled),
      async ({ owner: page, site }) => {
        await page.goto(`${site.url}/owner/entries`);
        await page.locator(".owner-filters summary").click();
        await page.locator("select[name=role]").selectOption("host");
        await page.getByLabel("Joined until").fill(localDate(Date.now(), OWNER_TIME_ZONE));
        await page.getByRole("button", { name: "Apply" }).click();
        await page.waitForURL(/role=host/);
        const hosts = (await site.rows("waitlist_emails")).filter(({ role }) => role === "host");
        const mayGetEmail = hosts.filter(
          ({ status, confirm_by, confirmed_at }) =>
            status === "active" && (confirm_by === null || confirmed_at !== null),
        );
        await page.getByRole("link", { name: "Export", exact: true }).click();

        const download = async (button: string) => {
          const started = page.waitForEvent("download");
          await page.getByRole("button", { name: button }).click();
          const file = await started;
          return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
        };
        await page.getByLabel("Ghost").check();
        const ghost = await download("Download for the service");
        expect(ghost.name).toMatch(/^waitlist-[\d-]+-ghost\.csv$/);
        const lines = ghost.text.trimEnd().split("\r\n");
        expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(mayGetEmail.map(({ email }) => `"${email}"`));
        await page.getByLabel("Separator").selectOption("semicolon");
        await page.getByLabel("All, with people who unsubscribed").check();
        const spreadsheet = await download("Download for a spreadsheet");
        expect(spreadsheet.text.trimEnd().split("\r\n")).toHaveLength(hosts.length + 1);
        expect(spreadsheet.text.split("\r\n")[1]).toContain('";"');
      },
    );
  });
}

for (const colorScheme of schemes) {
  test(
    `on a phone the first entry is on the first screen, ${colorScheme}`,
    slowUnless(colorScheme === "light"),
    async ({ owner: page, site }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 740 });
      const first = page.locator(".entry-table tbody tr").first();
      for (const query of ["", "?role=host", "?role=host&status=active&disposable=no"]) {
        await page.goto(`${site.url}/owner/entries${query}`);
        await expect(first, query).toBeInViewport({ ratio: 0.99 });
      }
      await page.getByRole("searchbox").fill("e");
      await page.getByRole("searchbox").press("Enter");
      await page.waitForURL(/search=/);
      await expect(first).toBeInViewport({ ratio: 0.99 });
    },
  );
}

test("the pages load only themselves, one stylesheet, the font and the icons", async ({ owner: page, site }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${site.url}/owner`);
  await page.waitForLoadState("networkidle");
  const files = requests.map((url) => url.replace(site.url, "").replace(/-[\w-]{8}\./, "."));
  const known = ["/owner", "/assets/owner.css", "/assets/fraunces.woff2", "/favicon.svg", "/favicon.ico"];
  expect(files.filter((file) => !known.includes(file))).toEqual([]);
});

test("a browser without the session gets the sign-in page", async ({ page, site, cookies }) => {
  // Signing out would end the session that the other tests share.
  expect(cookies.map(({ name }) => name)).toEqual(["owner"]);
  await page.goto(`${site.url}/owner`);
  await expect(page.locator("main input[type=email]")).toBeVisible();
  expect((await site.sentEmails()).filter(({ to }) => to.includes(OWNER))).toHaveLength(1);
});

/** Waits for the confirmation of a change to an entry. */
async function expectDone(page: Page, change: "resent" | "noted" | "unsubscribed" | "erased"): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`done=${change}$`));
  await expect(page.getByRole("status")).not.toBeEmpty();
}

function openAll(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}
