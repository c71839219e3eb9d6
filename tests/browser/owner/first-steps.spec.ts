import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { signUp } from "#tests/support/sign-up.ts";

test(
  "the first steps fit and are accessible in both schemes, and the first sign-up ticks its step",
  slow,
  async ({ page }) => {
    const site = await startOwnerSite(0);
    try {
      await signIn(page, site);
      const steps = page.getByRole("region", { name: "First steps" });
      const done = steps.getByRole("heading", { name: /^Done: / });
      // One step is done once an email has been sent, which is stored after the sign-in link has arrived.
      await expect
        .poll(async () => (await site.rows("email_outbox")).filter(({ sent_at }) => sent_at !== null))
        .toHaveLength(1);
      await page.goto(`${site.url}/owner`);
      await expect(steps.getByRole("listitem").first()).toBeVisible();
      const before = await done.count();
      for (const colorScheme of schemes) {
        for (const width of [320, 360, 1280]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          expect(await violations(page), `${colorScheme}, ${width} px`).toEqual([]);
          const box = await steps.boundingBox();
          expect((box?.x ?? 0) + (box?.width ?? 0), `${width} px`).toBeLessThanOrEqual(width);
        }
      }
      expect(await signUp(site.url, "first@example.com")).toBe(201);
      await page.reload();
      await expect(done).toHaveCount(before + 1);
      await expect(page.getByRole("heading", { name: "can get email" })).toBeVisible();
    } finally {
      await site.stop();
    }
  },
);
