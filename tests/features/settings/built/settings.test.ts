import { expect, test } from "vitest";
import { launchSentence } from "#app/site.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, signedInBrowser, withCookiesOf } from "#tests/support/pool/owner.ts";
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

test("a text of several lines, which browsers send with their own line breaks, stays what the site is deployed with", async () => {
  const controller = { CONTROLLER_NAME: "Ada", CONTROLLER_ADDRESS: "1 Lane\nExampleton" };
  const deployed = withCookiesOf(browser, controller);
  const { headers } = await deployed.post("/owner/settings/contact", {
    intent: "save",
    "contact-email": "other@market.example",
    "reply-to": "",
    "controller-name": controller.CONTROLLER_NAME,
    "controller-address": "1 Lane\r\nExampleton",
  });
  expect(headers.get("Location")).toContain("settings-saved");
  expect(await stored()).toEqual({ CONTACT_EMAIL: "other@market.example" });
});

test("a send limit beyond what can be chosen is put back to what the site is deployed with", async () => {
  const deployed = withCookiesOf(browser, { MAIL_PER_HOUR: "2000", WORKERS_PLAN: "free" });
  const save = async (limit: string) =>
    (
      await deployed.post("/owner/settings/emails-and-time", {
        intent: "save",
        "mail-per-hour": limit,
        "owner-time-zone": "",
      })
    ).status;
  expect([await save("500"), await save("1999"), await save("2000")]).toEqual([303, 422, 303]);
  expect(await stored()).not.toHaveProperty("MAIL_PER_HOUR");
});

test("values say where they come from, and what stays in the code names its file", async () => {
  const deployed = withCookiesOf(browser, { SUPPORT_URL: "https://coffee.example/" });
  const text = visibleText((await deployed.request("/owner/settings")).body);
  expect(text).toContain("https://coffee.example/ Deployed with the site");
  if (launchSentence !== null) expect(text).toContain(`${launchSentence} In the code`);
  for (const file of ["app/site.ts", "app/switches.ts", "app/ui/theme.ts"]) expect(text).toContain(file);
});
