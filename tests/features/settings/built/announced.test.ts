import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { unescaped, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, OWNER, type OwnerBrowser, problemsOf, signedIn } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* What could harm is told to every owner. */

freshStorageForEachTest();

const ADA = "ada@market.example";
const VARS = { OWNER_EMAIL: `${OWNER}, ${ADA}`, CONTACT_EMAIL: "hello@market.example" };

let browser: OwnerBrowser;

beforeEach(async () => {
  browser = await signedIn(VARS);
});

/** The form's fields as the page shows them. */
async function fieldsOf(group: string): Promise<Record<string, string>> {
  const { body } = await browser.request(`/owner/settings/${group}`);
  const main = /<main.*<\/main>/s.exec(body)?.[0] ?? "";
  const attribute = (tag: string, name: string) => RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  const inputs = Array.from(main.matchAll(/<input[^>]*>/g), ([tag]) => [
    attribute(tag, "name"),
    attribute(tag, "value"),
  ]);
  const areas = Array.from(main.matchAll(/<textarea([^>]*)>([^<]*)/g), ([, tag = "", text = ""]) => [
    attribute(tag, "name"),
    text,
  ]);
  const selects = Array.from(main.matchAll(/<select([^>]*)>(.*?)<\/select>/gs), ([, tag = "", options = ""]) => [
    attribute(tag, "name"),
    // A browser sends the first one if none is selected.
    attribute(/<option[^>]* selected[^>]*>/.exec(options)?.[0] ?? options, "value"),
  ]);
  return Object.fromEntries([...inputs, ...areas, ...selects].map(([name, value = ""]) => [name, unescaped(value)]));
}

async function save(group: string, changed: Record<string, string>) {
  const fields = await fieldsOf(group);
  return browser.post(`/owner/settings/${group}`, { ...fields, ...changed, intent: "save" });
}

/** The recipients of emails about settings, and what they say of changes. */
async function told() {
  browser.emails.length = 0;
  await browser.runCron();
  return browser.emails.map(({ to, text = "" }) => [to, text.match(/.*\. Before: .*/g)]);
}

const both = (...lines: string[]) => [OWNER, ADA].map((to) => [to, lines]);

test.each([
  [
    "contact",
    { "contact-email": "new@market.example" },
    "Contact address: new@market.example. Before: hello@market.example.",
  ],
  [
    "contact",
    { "reply-to": "ada@market.example" },
    "Where replies to emails go: ada@market.example. Before: The contact address.",
  ],
  ["sign-ups", { "confirm-addresses": "on" }, "Ask people to confirm their address: Yes. Before: No."],
  ["sign-ups", { disposable: "refuse" }, "Throwaway addresses: Refuse them. Before: Mark them on the list."],
  [
    "sign-ups",
    { "disposable-allowed": "mailinator.com" },
    "Domains that are never treated as throwaway: mailinator.com. Before: Only the built-in exceptions.",
  ],
  ["emails-and-time", { "mail-per-hour": "100" }, "Emails an hour, at most: 100. Before: 100000."],
])("%s, %o: an email to each owner, once, and a line in the log", async (group, changed, line) => {
  const responses = await Promise.all([save(group, changed), save(group, changed)]);
  expect(responses.map(({ status }) => status)).toEqual([303, 303]);
  expect((await told()).toSorted()).toEqual(both(line).toSorted());
  expect(await told()).toEqual([]);
  expect(await loggedActions()).toHaveLength(1);
});

test("two changes in one form are one email, and what cannot harm is in none", async () => {
  await save("links", { "survey-url": "https://forms.example/" });
  await save("emails-and-time", { "owner-time-zone": "Europe/London" });
  expect(await told()).toEqual([]);
  await save("sign-ups", { "confirm-addresses": "on", disposable: "refuse" });
  const lines = [
    "Ask people to confirm their address: Yes. Before: No.",
    "Throwaway addresses: Refuse them. Before: Mark them on the list.",
  ];
  expect((await told()).toSorted()).toEqual(both(...lines).toSorted());
});

test("each change is told, also while no email can be sent", async () => {
  const offline = { ...VARS, MAIL_FROM: "" };
  const owner = await signedIn(offline);
  for (const limit of ["100", "200", "300"]) {
    await owner.post("/owner/settings/emails-and-time", { "mail-per-hour": limit, "owner-time-zone": "UTC" });
  }
  expect((await rows("email_outbox")).filter(({ kind }) => kind === "settings-changed")).toHaveLength(6);
  expect((await told()).map(([to]) => to).toSorted()).toEqual([ADA, ADA, ADA, OWNER, OWNER, OWNER]);
});

test("saving what a form shows changes nothing", async () => {
  for (const group of ["launch", "founder", "sign-ups", "contact", "emails-and-time", "links"]) {
    expect((await save(group, {})).headers.get("Location"), group).toContain("done=unchanged");
  }
  expect(await rows("settings")).toEqual([]);
});

describe("the send limit", () => {
  test.each([
    ["free", "840", "841", "840"],
    ["paid", "40260", "40261", "40,260"],
  ])("on the %s plan", async (WORKERS_PLAN, most, more, text) => {
    const owner = await signedIn({ ...VARS, WORKERS_PLAN });
    const limit = (mails: string) =>
      owner.post("/owner/settings/emails-and-time", { "mail-per-hour": mails, "owner-time-zone": "UTC" });
    const refused = await limit(more);
    expect(refused.status).toBe(422);
    expect(problemsOf(refused.body)).toEqual({
      "mail-per-hour": `The site can send at most ${text} emails an hour.`,
    });
    expect((await limit(most)).status).toBe(303);
    for (const wrong of ["0", "-1", "1.5", "many"]) expect((await limit(wrong)).status, wrong).toBe(422);
  });
});

describe("notifications", () => {
  const PATH = "/owner/settings/notifications";
  const get = (one: OwnerBrowser, kinds: string[]) => {
    const body = new URLSearchParams(kinds.map((kind) => ["get", kind]));
    return one.request(PATH, { method: "POST", headers: { Origin: env.SITE_URL }, body });
  };

  test("each owner chooses for oneself, everyone sees it, and it is logged", async () => {
    await get(browser, ["alert"]);
    const ada = await signedIn(VARS, env.SITE_URL, ADA);
    const page = visibleText((await ada.request(PATH)).body);
    expect(page).toContain(`Gets ${OWNER} Alerts ${ADA} Daily digest, alerts`);
    expect((await loggedActions())[0]).toEqual([
      "change-setting",
      { setting: `Notifications to ${OWNER}`, from: "Daily digest, alerts", to: "Alerts" },
    ]);
    await Promise.all([get(browser, []), get(ada, ["digest"])]);
    const text = visibleText((await ada.request(PATH)).body);
    expect(text).toContain(`No one gets alerts. Look at the overview now and then`);
    expect(text).toContain(`Gets ${OWNER} None of them ${ADA} Daily digest`);
    await Promise.all([get(browser, ["digest", "alert"]), get(ada, ["digest", "alert"])]);
    expect((await rows("settings"))[0]?.["stored"]).toBe("{}");
  });

  test("an owner who is removed and comes back gets them again", async () => {
    const ada = await signedIn(VARS, env.SITE_URL, ADA);
    await get(ada, []);
    await get(browser, ["digest"]);
    await browser.post("/owner/settings/owners", { intent: "remove", email: ADA });
    await browser.post("/owner/settings/owners", { intent: "add", email: ADA });
    expect(visibleText((await browser.request(PATH)).body)).toContain(
      `Gets ${OWNER} Daily digest ${ADA} Daily digest, alerts`,
    );
  });
});
