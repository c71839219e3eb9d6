import { questions } from "#app/site.ts";
import { formOn, openHydrated } from "#tests/support/browser/sign-up-form.ts";
import { expect, test } from "#tests/support/browser/test.ts";

test.skip(questions.length > 0, "app/site.ts has questions: see questions.spec.ts.");

const JOINED = "Thanks for joining! Please check your email.";

test("without questions nothing is asked after joining, and nothing is loaded for it", async ({ page, site }) => {
  const chunks: string[] = [];
  page.on("request", (request) => {
    if (/questions/.test(request.url())) chunks.push(request.url());
  });
  await openHydrated(page, site.url);
  await formOn(page).submit("no-questions@example.com");
  await expect(formOn(page).message).toHaveText(JOINED);
  // The message goes after five seconds.
  await expect(formOn(page).message).toHaveText("");
  await expect(page.locator("form[id$=-questions]")).toHaveCount(0);
  expect(chunks).toEqual([]);
});
