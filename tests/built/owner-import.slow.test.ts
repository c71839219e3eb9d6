import { expect, test } from "vitest";
import { peopleCsv } from "#tests/support/import-files.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { ownerBrowser } from "#tests/support/pool/owner.ts";
import { importSettings, uploadFile } from "#tests/support/pool/owner-import.ts";

freshStorageForEachTest();
captureLog();

test("on the free plan a large import goes on in the cron job, and the page says what it writes and how long it takes", async () => {
  const browser = ownerBrowser({ WORKERS_PLAN: "free" });
  await browser.signIn();
  const path = (await uploadFile(browser, peopleCsv(12_000))).headers.get("Location") ?? "";
  await browser.post(path, { ...importSettings, c0: "email" });
  const review = await browser.request(path);
  expect(visibleText(review.body)).toContain("It takes about 4 hours.");
  expect(visibleText(review.body)).toContain("Advanced: on the free Workers plan the site imports 50 rows a minute.");
  expect(visibleText(review.body)).not.toContain("48,000");
  await browser.post(path, { intent: "confirm", checked: /name="checked" value="(\d+)"/.exec(review.body)?.[1] ?? "" });
  expect(await rows("waitlist_emails")).toHaveLength(50);
  expect(visibleText((await browser.request(path)).body)).toContain("0% done");
  for (let run = 1; run < 240; run += 1) await browser.runCron();
  expect(visibleText((await browser.request(path)).body)).toContain("12,000 people were added");
  expect(await rows("waitlist_emails")).toHaveLength(12_000);
  expect(await rows("imports")).toMatchObject([{ state: "done", added: 12_000 }]);
  expect((await uploadFile(browser, peopleCsv(40_000))).body).toContain("Use the command line");
});
