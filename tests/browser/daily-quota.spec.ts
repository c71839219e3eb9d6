import { DatabaseSync } from "node:sqlite";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const REFUSAL =
  "Your account has exceeded D1''s free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.";

test(
  "once D1 refuses queries, the form says when it works again, keeps the address and sends one request",
  slow,
  async ({ page }) => {
    const site = await startSite();
    try {
      await openHydrated(page, site.url);
      await page.request.post(`${site.url}/api/signup`, { data: { email: "ada@example.com" } });
      await page.request.post(`${site.url}/api/send-welcome`, { data: { email: "ada@example.com" } });
      const { text } = await site.emailTo("ada@example.com");
      refuseWrites(site);

      const requests: string[] = [];
      page.on("request", (request) => void requests.push(new URL(request.url()).pathname));
      await formOn(page).submit("bob@example.com");
      await expect(formOn(page).message).toContainText(
        /Please try again after midnight UTC, in about \d+ (hour|minute)s?\./,
      );
      await expect(formOn(page).email).toHaveValue("bob@example.com");
      await expect(formOn(page).email).toBeFocused();
      expect(requests.filter((path) => path.startsWith("/api/"))).toEqual(["/api/signup"]);

      await page.goto(/\S+\/your-data\/\S+/.exec(text)?.[0] ?? "no link");
      const refused = page.waitForResponse((response) => response.request().method() === "POST");
      await page.locator("button[value=unsubscribe]").click();
      expect((await refused).status()).toBe(503);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expect(page.getByRole("main")).toContainText("Please try again after midnight UTC");
        expect(await violations(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBe(0);
      }
      expect(await site.rows("waitlist_emails")).toMatchObject([{ email: "ada@example.com", status: "active" }]);
    } finally {
      await site.stop();
    }
  },
);

function refuseWrites({ persistTo }: RunningSite): void {
  using database = new DatabaseSync(databaseFile(persistTo), { timeout: 5_000 });
  for (const change of ["INSERT", "UPDATE"]) {
    database.exec(
      `CREATE TRIGGER refuse_${change} BEFORE ${change} ON waitlist_emails BEGIN SELECT raise(abort, '${REFUSAL}'); END`,
    );
  }
}
