import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { expectFinePage } from "#tests/support/browser/fine-page.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { onEveryDevice } from "#tests/support/browser/on-every-device.ts";
import { expectToFit } from "#tests/support/browser/owner-layout.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow, slowUnless } from "#tests/support/browser/slow.ts";
import { signUp } from "#tests/support/sign-up.ts";

needs("letters", "series");

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).press("Enter");

async function remove(page: Page) {
  await page.getByText("Delete the follow-up").click();
  await press(page, "Delete it");
  await page.waitForURL(/done=step-deleted$/);
}

onEveryDevice(({ name, javaScriptEnabled }) => {
  test(
    "a follow-up is written, previewed, tested, switched on, sent to earlier people, and deleted, with the keyboard",
    slowUnless(name === "phone" && !javaScriptEnabled),
    async ({ owner: page, site }) => {
      // Five pages go through axe on the way.
      test.setTimeout(120_000);
      const isFine = () => expectFinePage(page, javaScriptEnabled);
      const status = page.getByRole("status");
      const subject = `Pitches on a ${name}, ${javaScriptEnabled}`;
      expect(await signUp(site.url, `${name}.${javaScriptEnabled}@example.com`)).toBe(201);

      await page.goto(`${site.url}/owner/letters`);
      await page.getByRole("navigation", { name: "Letters" }).getByRole("link", { name: "Follow-ups" }).press("Enter");
      await page.getByRole("link", { name: "Add a follow-up" }).press("Enter");
      await page.getByLabel("Days after joining").fill("0");
      await page.getByLabel("Subject").fill(subject);
      await page.getByLabel("Text").fill("Hello <b>you</b>");
      await press(page, "Save");
      await expect(page.getByRole("alert").first()).toHaveText("Type a whole number from 1 to 365.");
      await expect(page.getByLabel("Subject")).toHaveValue(subject);
      await page.getByLabel("Days after joining").fill("4");
      await press(page, "Save");
      await expect(status).toHaveText("The follow-up is saved. It is off until you switch it on.");
      await isFine();

      await press(page, "Switch on");
      await expect(page.getByRole("alert").first()).toContainText("cannot be switched on as it is");
      await expect(page.getByRole("alert").last()).toContainText("Line 1");
      await page.getByLabel("Text").fill("# Hello\n\nThree photos.");
      await press(page, "Save and preview");
      await expect(page.locator(".letter-text pre")).toContainText("Three photos.");
      await isFine();
      await press(page, "Send a test to myself");
      await expect(status).toHaveText("The test has been sent to your address.");
      expect((await site.sentEmails())[0]?.subject).toBe(`[Test] ${subject}`);

      await page.getByRole("navigation", { name: "This follow-up" }).getByRole("link", { name: "Edit" }).press("Enter");
      await press(page, "Switch on");
      await expect(status).toHaveText("The follow-up is on, for people who join from now on.");
      await expect(page.getByLabel("Also to those who joined in the last")).toContainText(/1 day: \d+ more pe/);
      await isFine();
      await press(page, "Send it to them, too");
      await expect(status).toHaveText("The follow-up will go to these people, too.");

      await page.getByRole("link", { name: "All follow-ups" }).press("Enter");
      const item = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: subject }) });
      await expect(item).toContainText("Day 4");
      await expect(item.locator(".status")).toHaveText("On");
      await page.getByLabel("Hour in Europe/London").selectOption(javaScriptEnabled ? "10:00" : "11:00");
      await press(page, "Change");
      await expect(status).toHaveText("The hour is changed.");
      await isFine();
      await item.getByRole("button", { name: "Switch off" }).press("Enter");
      await expect(status).toContainText("The follow-up is off.");
      await expect(item.locator(".status")).toHaveText("Off");
      await item.getByRole("link", { name: "Edit" }).press("Enter");
      await remove(page);
      await expect(status).toHaveText("The follow-up is deleted. No one else will get it.");
    },
  );
});

test("the pages of follow-ups are valid, accessible, and fit every width", slow, async ({ owner: page, site }) => {
  await page.goto(`${site.url}/owner/series/new`);
  await page.getByLabel("Days after joining").fill("365");
  await page.getByLabel("Subject").fill(`${"Marketstallholder".repeat(6)} and more words`);
  await page.getByLabel("Text").fill("Hello.");
  await press(page, "Save");
  await page.getByRole("button", { name: "Switch on" }).press("Enter");
  await page.waitForURL(/done=step-on$/);
  const { pathname } = new URL(page.url());
  using database = new DatabaseSync(databaseFile(site.persistTo), { timeout: 10_000 });
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2999)
    INSERT INTO letter_recipients (letter_id, position, state, reason, done_at, bounced_at, complained_at, unsubscribed_at)
    SELECT letter_id, n, iif(n < 2500, 'sent', 'skipped'), iif(n < 2500, NULL, iif(n < 2800, 'late', 'unsubscribed')), 1,
      iif(n < 30, 1, NULL), iif(n BETWEEN 30 AND 34, 1, NULL), iif(n BETWEEN 30 AND 60, 1, NULL) FROM numbers, series_steps;
    UPDATE letters SET state = 'paused', pause_reason = 'complaints', paused_at = 1 WHERE step_id IS NOT NULL`);
  for (const path of ["/owner/series", "/owner/series/new", pathname, `${pathname}/preview`]) {
    await expectToFit(page, site.url + path);
  }
  await page.goto(`${site.url}/owner/series`);
  await page.getByText("Show reasons").press("Enter");
  await expect(page.getByRole("rowheader", { name: "Skipped: More than three days late" })).toBeVisible();
  await expect(page.getByText("Too many recipients reported it as spam")).toBeVisible();
  await page.goto(site.url + pathname);
  await remove(page);
  database.exec("DELETE FROM letters WHERE step_id IS NOT NULL");
});
