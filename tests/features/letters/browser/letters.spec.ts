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

test(
  "a letter is reached from the roadmap, before and after hydration, and leads to the list",
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

for (const javaScriptEnabled of [true, false])
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("someone who comes to a letter from a campaign joins below it", async ({ page }) => {
      const email = `letter-${javaScriptEnabled}@example.com`;
      await page.goto(`${site.url}/letters/7?utm_source=leaflet`);
      const form = page.locator("form#join-letter");
      await form.getByPlaceholder("Enter your email").fill(email);
      if (javaScriptEnabled) await hydrate(page);
      await form.getByRole("button", { name: "Join Waitlist" }).click();
      await expect(form.getByRole("status")).toHaveText("Thanks for joining! Please check your email.");
      await expect(form.getByRole("status")).toBeInViewport();
      await expect(page.locator(".ticket")).toBeVisible();
      const entries = (await site.rows("waitlist_emails")).filter((row) => row["email"] === email);
      expect(entries).toMatchObject([{ source: "letter", utm_source: "leaflet" }]);
    });
  });

test("a letter shares its own address, and the letter that one goes on to shares that one’s", async ({ page }) => {
  needs("share");
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(navigator, { share: async (data: unknown) => void shared.push(data) });
    Object.assign(window, { shared });
  });
  const shared = () => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared);
  await page.goto(`${site.url}/letters/7`);
  await hydrate(page);
  await page.getByRole("button", { name: "Share this letter" }).click();
  const first = { title: "The doors open", text: "For the first hundred.", url: `${site.url}/letters/7` };
  await expect.poll(shared).toEqual([first]);
  await page.getByRole("navigation", { name: "Other letters" }).getByRole("link", { name: "Older 1" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Older 1");
  await page.getByRole("button", { name: "Share this letter" }).click();
  await expect.poll(shared).toEqual([first, { ...first, title: "Older 1", url: `${site.url}/letters/101` }]);
});

for (const path of ["/letters", "/letters/7"])
  test(`${path} is sound`, slow, ({ page }) => expectSound(page, { name: path, path }, site.url));
