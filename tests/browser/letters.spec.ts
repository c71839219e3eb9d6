import { DatabaseSync } from "node:sqlite";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { expectSound } from "#tests/support/browser/walk.ts";

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

test("a letter is reached from the roadmap, before and after hydration, and leads back to the list", async ({
  page,
}) => {
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
});

for (const path of ["/letters", "/letters/7"])
  test(`${path} is sound`, slow, ({ page }) => expectSound(page, { name: path, path }, site.url));
