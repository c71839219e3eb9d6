import type { Page } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import { bulkActions } from "#app/server/db/schema/bulk.server.ts";
import { suppress } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { questions } from "#app/site.ts";
import { findEntry } from "#app/waitlist/entries/entries.server.ts";
import { openLocalDatabase } from "#scripts/lib/local-database.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { expectWholeAddresses } from "#tests/support/browser/broken-addresses.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, type OwnerSite, test, uploadList } from "#tests/support/browser/owner-test.ts";
import { nightly, slow } from "#tests/support/browser/slow.ts";
import { expectSound, type PageState } from "#tests/support/browser/walk.ts";
import type { Switch } from "#tests/support/switched-off.ts";

interface OwnerState extends Omit<PageState, "enter"> {
  enter?: (page: Page, site: OwnerSite) => Promise<unknown>;
  needs?: Switch[];
  /** Without the owner's session. */
  signedOut?: true;
}

const LONG = "many-words-and-one-very-long-word-".repeat(3);
const JOINED = "2026-07-04";

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).first().click();

/** Shows what the page keeps folded. */
const unfold = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

async function upload(page: Page, content: string): Promise<void> {
  await uploadList(page, content);
  await page.locator("button[value=check]").waitFor();
}

async function check(page: Page): Promise<void> {
  await page.locator("input[name=note]").fill("x".repeat(300));
  await page.locator("input[name=consent-date]").fill(JOINED);
  await page.locator("button[value=check]").click();
}

/** Loads the page of a change of many entries, or of an import, until that has ended. */
const untilEnded = (page: Page) =>
  expect(async () => {
    await page.reload();
    expect(await page.locator("progress").count()).toBe(0);
  }).toPass();

async function unsubscribeMany(page: Page): Promise<void> {
  const data = { email: `${Date.now()}@bulk.example.com`, utm_campaign: "bulk" };
  await page.request.post(new URL("/api/signup", page.url()).href, { data });
  await page.reload();
  await page.getByRole("textbox").fill("1");
  await press(page, "Unsubscribe these entries");
  await page.waitForURL(/\/owner\/bulk\/\d+$/);
  await untilEnded(page);
}

/** Shows the newest change of many entries as it is before its first entry. */
async function showUnderWay(page: Page, { persistTo }: OwnerSite): Promise<void> {
  using local = openLocalDatabase(persistTo);
  const changed = eq(bulkActions.id, Number(page.url().split("/").at(-1)));
  const [ended] = await local.db.select().from(bulkActions).where(changed);
  await local.db.update(bulkActions).set({ state: "running", affected: 0, finished_at: null }).where(changed);
  await page.reload();
  await local.db
    .update(bulkActions)
    .set(ended ?? {})
    .where(changed);
}

/** Keeps email from the address of an entry. */
async function suppressEntry({ persistTo }: OwnerSite, id: number): Promise<void> {
  using local = openLocalDatabase(persistTo);
  const entry = await findEntry(local.db, id);
  const hash = await keyedHash("address:v1", entry?.email ?? "", localVars(0)["HASH_KEY"] ?? "");
  await suppress(local.db, { hashes: [hash], reason: "complaint", until: null }, Date.now());
}

/** Dismisses the first of the first steps, if any is left. */
async function dismissStep(page: Page): Promise<void> {
  const steps = page.getByText("First steps", { exact: true });
  if (await steps.isVisible()) {
    await steps.click();
    await press(page, "Not needed");
  }
  await page.goto(new URL("/owner?steps=dismissed", page.url()).href);
  await page.getByRole("button", { name: "Bring back" }).first().waitFor();
}

const addresses = ["potter.of.the.harbour", "a", "woodturner.at.the.mill"].map((name) => `${name}@crafts.example`);
const list = [
  "Email,Name,How they agreed",
  ...addresses.map((address) => `${address},Ada,${"Asked at the stall. ".repeat(8)}`),
  "carol@example,Carol,",
].join("\n");
const question = questions.find(({ answers }) => answers !== undefined);
const open = [`email,status,answer_${question?.key}`, "vip@asked.example,VIP,None of them"].join("\n");

const signingIn: OwnerState[] = [
  { name: "the sign-in page", path: "/owner", signedOut: true },
  { name: "a link to sign in that has expired", isVariant: true, path: "/owner/sign-in/x", signedOut: true },
  { name: "a page that does not exist", isVariant: true, path: "/owner/no-such-page" },
];

/** The days of the last calendar month, in UTC. */
const lastMonth = ((now) => {
  const day = (month: number, day: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, day)).toISOString().slice(0, 10);
  return `from=${day(now.getUTCMonth() - 1, 1)}&until=${day(now.getUTCMonth(), 0)}`;
})(new Date());

const people: OwnerState[] = [
  { name: "the overview, unfolded", path: "/owner", enter: unfold },
  { name: "the overview of a month", path: `/owner?${lastMonth}`, enter: unfold },
  {
    name: "the overview of dates that are none",
    isVariant: true,
    path: "/owner?from=2026-02-02&until=2026-02-01",
  },
  { name: "all campaigns", path: "/owner/groups?by=utm_campaign&days=365" },
  { name: "the list", path: "/owner/entries" },
  {
    name: "the list with filters, unfolded",
    path: "/owner/entries?status=active&utm_campaign=autumn_fair&without=utm_source&answer_role=admin",
    enter: unfold,
  },
  { name: "the list without a match", isVariant: true, path: "/owner/entries?imported=yes" },
  { name: "an entry whose email failed, unfolded", path: "/owner/entries/203", enter: unfold },
  { name: "an entry with a referral that waits, unfolded", path: "/owner/entries/63", enter: unfold },
  { name: "an entry to change", isVariant: true, path: "/owner/entries/203/edit" },
  {
    name: "an entry to change, with an address that is taken",
    path: "/owner/entries/203/edit",
    enter: async (page, site) => {
      const [other] = (await site.rows("waitlist_emails")).filter(({ id }) => id === 210);
      await page.getByLabel("Email address").fill(String(other?.["email"]));
      await press(page, "Save");
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "an entry that two owners change",
    path: "/owner/entries/203/edit",
    enter: async (page) => {
      await page.locator("input[name=version]").evaluate((input) => input.setAttribute("value", "x"));
      await page.getByLabel("Email address").fill(`${LONG}@example.com`.slice(-64));
      await press(page, "Save");
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "a suppressed entry that was unsubscribed, unfolded",
    path: "/owner/entries/205",
    enter: async (page, site) => {
      await suppressEntry(site, 205);
      await page.reload();
      await unfold(page);
      if ((await page.locator("button[value=unsubscribe]").count()) > 0) await press(page, "Unsubscribe this person");
      await page.locator("button[value=allow]").waitFor({ state: "attached" });
      await unfold(page);
    },
  },
  {
    name: "people found by a note",
    isVariant: true,
    path: "/owner/entries/55",
    enter: async (page) => {
      await page.locator("#note").fill("x".repeat(90) + "Met at the Frome market, wants two tables. ".repeat(3));
      await press(page, "Save note");
      await page.getByRole("link", { name: "Back to the list" }).click();
      await page.getByRole("searchbox").fill("frome two");
      await page.getByRole("searchbox").press("Enter");
      await page.getByText("Note: …").waitFor();
    },
  },
  {
    name: "a new entry with mistakes",
    path: "/owner/entries/new",
    enter: (page) => page.locator("main form button").last().click(),
  },
  { name: "an export", isVariant: true, path: "/owner/export?source=landing_page", enter: unfold },
  {
    name: "a selection",
    isVariant: true,
    path: "/owner/entries/select?utm_campaign=autumn_fair&without=referrer_host",
  },
  {
    name: "unsubscribing many, with a wrong number",
    isVariant: true,
    path: "/owner/entries/unsubscribe?utm_campaign=autumn_fair",
    enter: async (page) => {
      await page.getByRole("textbox").fill("1");
      await press(page, "Unsubscribe these entries");
    },
  },
  {
    name: "many who were unsubscribed, with Undo",
    path: "/owner/entries/unsubscribe?utm_campaign=bulk",
    enter: async (page) => {
      await unsubscribeMany(page);
      await unfold(page);
    },
  },
  {
    name: "many who are being unsubscribed",
    path: "/owner/entries/unsubscribe?utm_campaign=bulk",
    enter: async (page, site) => {
      await unsubscribeMany(page);
      await showUnderWay(page, site);
      await unfold(page);
    },
  },
  {
    name: "saved views",
    path: "/owner/entries/views?utm_source=poster",
    enter: async (page) => {
      await page.locator("#name").fill("A name of fifty characters, which is the longest...");
      await press(page, "Save view");
      await unfold(page);
    },
  },
  { name: "the log", isVariant: true, path: "/owner/log", enter: unfold },
  { name: "referrals to check, unfolded", path: "/owner/referrals", enter: unfold, needs: ["referrals"] },
  {
    name: "friends of one domain, and rewards to give, unfolded",
    path: "/owner/referrals?domain=of example.com",
    enter: async (page, { persistTo }) => {
      using local = openLocalDatabase(persistTo);
      await local.db.run(sql`INSERT OR IGNORE INTO reached_milestones
        SELECT entry_id, 3, 1, iif(counted > 3, 2, NULL) FROM referrers WHERE counted > 1`);
      await page.reload();
      await unfold(page);
    },
    needs: ["referrals"],
  },
  { name: "the overview with dismissed steps", isVariant: true, path: "/owner?steps=dismissed", enter: dismissStep },
  { name: "referrals that count", isVariant: true, path: "/owner/referrals?list=counted", needs: ["referrals"] },
];

const imports: OwnerState[] = [
  { name: "imports", isVariant: true, path: "/owner/import" },
  { name: "an import, its columns", isVariant: true, path: "/owner/import", enter: (page) => upload(page, list) },
  {
    name: "an import, checked",
    path: "/owner/import",
    enter: async (page) => {
      await upload(page, list);
      await expectWholeAddresses(page);
      await check(page);
      await page.getByRole("heading", { name: "The first people" }).waitFor();
      await expectWholeAddresses(page);
      await unfold(page);
    },
  },
  {
    name: "an import that leaves something open",
    path: "/owner/import",
    enter: async (page) => {
      await upload(page, open);
      await check(page);
    },
  },
  {
    name: "an import, done",
    isVariant: true,
    path: "/owner/import",
    enter: async (page) => {
      await upload(page, "email\ndone@import.example\nno address\n");
      await check(page);
      await page.locator("button[value=confirm]").click();
      await page.locator("button[value=confirm]").waitFor({ state: "detached" });
      await untilEnded(page);
    },
  },
];

const wordings: OwnerState[] = [
  { name: "the emails", isVariant: true, path: "/owner/emails" },
  {
    name: "the words of the email that asks to confirm",
    isVariant: true,
    path: "/owner/emails/confirm",
    enter: unfold,
  },
  {
    name: "the words of the welcome email, with a mistake",
    isVariant: true,
    path: "/owner/emails/welcome",
    enter: async (page) => {
      await page.locator("#body").fill("# Too large");
      await page.locator("button[value=preview]").click();
      await page.locator("#body-problem").waitFor();
    },
  },
  {
    name: "the words of the welcome email, previewed",
    path: "/owner/emails/welcome",
    enter: async (page) => {
      await page.locator("#heading").fill(LONG);
      await page.locator("button[value=preview]").click();
      await page.getByText("Your words are not saved yet.").waitFor();
    },
  },
];

const settings: OwnerState[] = [
  { name: "all settings", path: "/owner/settings", enter: unfold },
  { name: "the launch", isVariant: true, path: "/owner/settings/launch" },
  { name: "the founder", isVariant: true, path: "/owner/settings/founder" },
  {
    name: "what a launch changes",
    path: "/owner/settings/launch",
    enter: async (page) => {
      await page.locator("#launch-url").fill(`https://app.${"market-".repeat(8)}s.example/welcome`);
      await page.locator("button[value=save]").click();
      await page.locator("button[value=confirm]").waitFor();
    },
  },
  { name: "rewards", isVariant: true, path: "/owner/settings/rewards" },
  { name: "questions", isVariant: true, path: "/owner/settings/questions" },
  {
    name: "questions, with mistakes",
    path: "/owner/settings/questions",
    enter: async (page) => {
      await page.locator("#add-wording").fill("Which?");
      await page.locator("#add-answers").fill("One");
      await page.locator(".actions button[value=save]").last().click();
      await page.locator("main [role=alert]").first().waitFor();
    },
  },
  {
    name: "owners, one who was removed, and an address with a mistake",
    path: "/owner/settings/owners",
    enter: async (page) => {
      for (const name of ["ada.of.the.harbour", "bea"]) {
        await page.locator("form.form #email").fill(`${name}@market.example`);
        await press(page, "Add this owner");
      }
      await page.locator("summary", { hasText: "Remove" }).last().click();
      await press(page, "Remove bea@market.example");
      await page.locator("form.form").evaluate((form: HTMLFormElement) => {
        form.noValidate = true;
      });
      await page.locator("form.form #email").fill(LONG);
      await press(page, "Add this owner");
      await unfold(page);
    },
  },
  { name: "notifications", isVariant: true, path: "/owner/settings/notifications" },
  {
    name: "the contact, with mistakes",
    path: "/owner/settings/contact",
    enter: async (page) => {
      await page.locator("#controller-address").fill("");
      await page.locator("button[value=save]").click();
      await page.locator("#controller-address-problem").waitFor();
    },
  },
];

async function makeLink(page: Page, campaign: string): Promise<void> {
  await page.goto(new URL("/owner/links", page.url()).href);
  await page.locator("#utm_source").fill("fair");
  await page.locator("#utm_campaign").fill(campaign);
  await press(page, "Make the link");
  await page.waitForURL(/\/owner\/links\/\d+/);
}

const labels = "page=/&utm_source=fair&utm_campaign=autumn_fair_2026";
const connections: OwnerState[] = [
  { name: "a link that was made", path: "/owner/links", enter: (page) => makeLink(page, "a_short_one") },
  {
    name: "the list of links, unfolded",
    path: "/owner/links",
    enter: async (page) => {
      await makeLink(page, "another");
      await makeLink(page, LONG.slice(0, 64));
      await page.goto(new URL("/owner/links", page.url()).href);
      await unfold(page);
    },
  },
  { name: "a link that cannot be made", isVariant: true, path: "/owner/links?page=/&utm_source=@" },
  { name: "a poster", path: `/owner/links/print?${labels}` },
  {
    name: "flyers with a headline that is too long",
    isVariant: true,
    path: `/owner/links/print?${labels}&format=flyer-a6&headline=${LONG}`,
  },
  {
    name: "a new API key",
    path: "/owner/api-keys",
    enter: async (page) => {
      await page.getByRole("textbox").first().fill(`Key ${Date.now()}`);
      await page.locator("main form button").first().click();
    },
    needs: ["api"],
  },
  { name: "the API keys", isVariant: true, path: "/owner/api-keys", enter: unfold, needs: ["api"] },
  {
    name: "a webhook whose test failed, unfolded",
    path: "/owner/webhooks",
    enter: async (page) => {
      const url = `https://${"long-name-".repeat(5)}x.example/${"path".repeat(40)}`;
      await page.getByLabel("URL", { exact: true }).fill(url);
      await press(page, "Add the endpoint");
      await press(page, "Send a test event");
      await page.getByRole("alert").waitFor();
      await unfold(page);
    },
    needs: ["webhooks"],
  },
  { name: "webhooks, unfolded", isVariant: true, path: "/owner/webhooks", enter: unfold, needs: ["webhooks"] },
  {
    name: "forms on other sites",
    path: "/owner/embed?form=summer_shop",
    enter: async (page) => {
      await page.getByLabel("Address of the site").fill(`https://${"long-name-".repeat(5)}x.example`);
      await page.getByLabel("Address of the site").press("Enter");
    },
    needs: ["embed"],
  },
  { name: "tablets at the fair", isVariant: true, path: "/owner/fair", needs: ["fair"] },
  {
    name: "the code for a tablet",
    path: "/owner/fair",
    enter: async (page) => {
      await page.getByLabel("Name of the event").fill("Wool and Willow Fair");
      await press(page, "Make the code");
    },
    needs: ["fair"],
  },
];

/** Writes a follow-up, and switches it on if it can be. */
async function writeStep(page: Page, days: string, text: string): Promise<void> {
  await page.getByLabel("Days after joining").fill(days);
  await page.getByLabel("Subject").fill(LONG);
  await page.getByLabel("Text").fill(text);
  await press(page, "Save");
  await press(page, "Switch on");
}

const series: OwnerState[] = [
  {
    name: "a follow-up that cannot be switched on",
    isVariant: true,
    path: "/owner/series/new",
    enter: (page: Page) => writeStep(page, "365", "<b>no</b>"),
  },
  {
    name: "a follow-up that is on",
    path: "/owner/series/new",
    enter: async (page: Page) => {
      await writeStep(page, "300", "Hello.");
      await unfold(page);
    },
  },
  { name: "the follow-ups", path: "/owner/series", enter: unfold },
].map((state) => ({ ...state, needs: ["letters", "series"] }));

for (const state of [...signingIn, ...people, ...imports, ...wordings, ...settings, ...connections, ...series]) {
  test(`${state.name}: is sound`, state.isVariant ? nightly : slow, async ({ page, ownerSite }) => {
    needs(...(state.needs ?? []));
    if (!state.signedOut) await page.context().addCookies(ownerSite.cookies);
    await expectSound(page, { ...state, enter: async () => state.enter?.(page, ownerSite) }, ownerSite.url);
  });
}
