import { expect, test } from "vitest";
import { visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* Owners change settings on a page: what is stored, shown, logged and refused. */

freshStorageForEachTest();

const browser = signedInBrowser();
const page = async (path: string) => visibleText((await browser.request(path)).body);
const links = (fields: Record<string, string>) =>
  browser.post("/owner/settings/links", {
    "survey-url": "",
    "support-url": "",
    "facebook-url": "",
    intent: "save",
    ...fields,
  });
const stored = async () => JSON.parse(String((await rows("settings"))[0]?.["stored"] ?? "{}"));

test("a setting is saved in place of its variable, shown with its origin, logged with both values, and put back", async () => {
  expect(await page("/owner/settings")).toContain("Survey The survey page says that it opens soon");

  const saved = await links({ "survey-url": "https://forms.example/survey" });
  expect(saved.headers.get("Location")).toBe("/owner/settings/links?done=settings-saved");
  expect(await stored()).toEqual({ SURVEY_URL: "https://forms.example/survey" });
  expect(await page("/owner/settings")).toContain("Survey https://forms.example/survey Set here");
  const from = "The survey page says that it opens soon";
  const details = { setting: "Survey", from, to: "https://forms.example/survey" };
  expect(await loggedActions()).toEqual([["change-setting", details]]);
  expect(await page("/owner/log")).toContain(`Changed a setting: setting Survey, from ${from}, to https`);
  expect((await links({ "survey-url": "https://forms.example/survey" })).headers.get("Location")).toContain(
    "unchanged",
  );

  await links({});
  expect(await stored()).toEqual({});
});

test("a value that is wrong is refused with what was typed, and nothing is stored", async () => {
  const refused = await links({ "survey-url": "http://forms.example", "support-url": "https://coffee.example" });
  expect(refused.status).toBe(422);
  expect(visibleText(refused.body)).toContain("This must be an https:// address.");
  expect(refused.body).toContain('value="http://forms.example"');
  expect(refused.body).toContain('value="https://coffee.example"');
  expect(await rows("settings")).toEqual([]);
});
