import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";
import { schemes, widths } from "#scripts/lib/site-paths.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { sidewaysScroll, smallTargets, violations } from "#tests/support/browser/measure.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { runScript } from "#tests/support/run-script.ts";

test("a link from the command line signs in beside the running site", slow, async ({ page, site }) => {
  const run = await runScript("owner", ["sign-in", "--persist-to", site.persistTo]);
  expect(run).toMatchObject({ code: 0, err: "" });
  // The test's site reserves no database, so the link has the port of npm start.
  const link = new URL(new URL(run.out.split("\n")[0] ?? "").pathname, site.url).href;
  await page.goto(link);
  await page.getByRole("button").click();
  await page.waitForURL(`${site.url}/owner`);
  expect((await page.goto(link))?.status()).toBe(403);
});

test("a link for the deployed site is stored through Cloudflare's API, and signs in", slow, async ({ page, site }) => {
  const cloudflare = await startFakeCloudflare();
  try {
    // Wrangler takes long to load, so only where it is needed.
    const { unstable_readConfig } = await import("wrangler");
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

test("a browser without the session gets the sign-in page", async ({ page, site, ownerSite: { cookies } }) => {
  // Signing out would end the session that the other tests share.
  expect(cookies.map(({ name }) => name).toSorted()).toEqual(["owner", "owner-browser"]);
  const sent = (await site.sentEmails()).length;
  await page.goto(`${site.url}/owner`);
  await expect(page.locator("main input[name=email]")).toBeVisible();
  expect(await site.sentEmails()).toHaveLength(sent);
});
