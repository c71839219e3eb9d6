import { DatabaseSync } from "node:sqlite";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { expectSound } from "#tests/support/browser/walk.ts";

needs("letters", "roadmap");

const body = `# What is new\n\nYou can see the fairs on the [map](https://map.example/${"x".repeat(80)}).\n
- One thing\n- Another thing\n\n> Quoted\n\n**[Open the map](https://map.example)**\n`;

let site: RunningSite;

test.beforeAll(async () => {
  site = await startSite();
  const db = new DatabaseSync(databaseFile(site.persistTo));
  const insert = db.prepare(
    `INSERT INTO letters (id, key, state, subject, preview_line, body, audience, is_public, created_at, updated_at, started_at)
     VALUES (?, hex(randomblob(16)), 'finished', ?, 'For the first hundred.', ?, '{"filter":{}}', 1, 0, 0, ?)`,
  );
  insert.run(7, "The doors open", body, 0);
  // Older ones, so that the list has three pages.
  for (let n = 1; n <= 44; n += 1) insert.run(100 + n, `Older ${n}`, "Hello", -n);
  db.close();
});

test.afterAll(() => site.stop());

test("a letter is reached from the roadmap, before and after hydration, and leads to the list", async ({ page }) => {
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
