import { DatabaseSync } from "node:sqlite";
import { hydrate, recordHydration } from "#scripts/lib/hydrated.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { schemes, widths } from "#scripts/lib/site-paths.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("letters", "roadmap");

const body = `# What is new

You can see the fairs on the [map](https://map.example/${"x".repeat(80)}).

- One thing
- Another thing

> Quoted

**[Open the map](https://map.example)**
`;

let site: RunningSite;

test.beforeAll(async () => {
  site = await startSite();
  const db = new DatabaseSync(databaseFile(site.persistTo));
  db.prepare(
    `INSERT INTO letters (id, key, state, subject, preview_line, body, audience, is_public, created_at, updated_at, started_at)
     VALUES (7, 'a-key', 'finished', 'The doors open', 'For the first hundred.', ?, '{"filter":{}}', 1, 0, 0, 0)`,
  ).run(body);
  // Older ones, so that the list has three pages.
  db.exec(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 44)
     INSERT INTO letters (id, key, state, subject, preview_line, body, audience, is_public, created_at, updated_at, started_at)
     SELECT 100 + n, 'a-key', 'finished', 'Older ' || n, '', 'Hello', '{"filter":{}}', 1, 0, 0, -n FROM numbers`,
  );
  db.close();
});

test.afterAll(() => site.stop());

test(
  "a letter is reached from the roadmap, before and after hydration, and leads back to the list",
  slow,
  async ({ page }) => {
    const follow = async () => {
      await page.getByRole("main").getByRole("link", { name: "letters" }).click();
      await page.getByRole("link", { name: "The doors open" }).click();
      await expect(page).toHaveURL(`${site.url}/letters/7`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("The doors open");
      await expect(page.getByRole("link", { name: "Open the map" })).toHaveAttribute("href", "https://map.example");
      await page.getByRole("link", { name: "All letters" }).click();
      await expect(page).toHaveURL(`${site.url}/letters`);
    };
    await page.goto(`${site.url}/roadmap`);
    await follow();

    await page.goto(`${site.url}/roadmap`);
    await hydrate(page);
    await page.evaluate(() => Object.assign(window, { isMarked: true }));
    await follow();
    expect(await page.evaluate(() => "isMarked" in window)).toBe(true);
  },
);

for (const javaScriptEnabled of [true, false]) {
  test(
    `the list is read page by page, ${javaScriptEnabled ? "before and after hydration" : "without JavaScript"}`,
    slow,
    async ({ browser }) => {
      const context = await browser.newContext({ javaScriptEnabled });
      await recordHydration(context);
      const page = await context.newPage();
      const expectPage = async (number: number, path: string, first: string) => {
        await expect(page).toHaveURL(site.url + path);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(
          number === 1 ? "Letters" : `Letters, page ${number}`,
        );
        await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(first);
        await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", site.url + path);
        await expect(page).toHaveTitle(new RegExp(number === 1 ? "^Letters \\|" : `^Letters, page ${number} \\|`));
      };
      const readAll = async () => {
        await expectPage(1, "/letters", "The doors open");
        await page.getByRole("link", { name: "Older letters" }).click();
        await expectPage(2, "/letters/page/2", "Older 20");
        await page.getByRole("link", { name: "Older letters" }).click();
        await expectPage(3, "/letters/page/3", "Older 40");
        await expect(page.getByRole("link", { name: "Older letters" })).toHaveCount(0);
        await page.getByRole("link", { name: "Newer letters" }).click();
        await expectPage(2, "/letters/page/2", "Older 20");
        await page.getByRole("link", { name: "Newer letters" }).click();
        await expectPage(1, "/letters", "The doors open");
      };
      await page.goto(`${site.url}/letters`);
      await readAll();
      if (javaScriptEnabled) {
        await hydrate(page);
        await readAll();
      }
      await context.close();
    },
  );
}

for (const colorScheme of schemes) {
  test(`the list and a letter fit every width and pass axe, ${colorScheme}`, slow, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const path of ["/letters", "/letters/page/2", "/letters/7"]) {
      await page.goto(site.url + path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sidewaysScroll(page), `${path} at ${width}`).toBe(0);
      }
      expect(await violations(page)).toEqual([]);
    }
  });
}
