import type { Page } from "@playwright/test";
import * as switches from "#app/switches.ts";
import { declineCookies } from "#scripts/lib/decline-cookies.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { bannerOn } from "#tests/support/browser/consent.ts";
import { emailedLink, joinByRequest } from "#tests/support/browser/emailed-link.ts";
import { formOn, REFUSED_BY_SERVER } from "#tests/support/browser/sign-up-form.ts";
import { sharedSite, type siteVars } from "#tests/support/browser/sites.ts";
import { nightly, slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { ticketOn } from "#tests/support/browser/ticket.ts";
import { expectSound, type PageState } from "#tests/support/browser/walk.ts";
import { choiceQuestions } from "#tests/support/site-answers.ts";

/* Every public page in every state. The pages of letters, the blog and forms on other sites are in their own files. */

interface State extends Omit<PageState, "path"> {
  path: string | ((page: Page, site: RunningSite) => Promise<string>);
  /** Default: the plain site. */
  on?: keyof typeof siteVars;
  /** Before the page opens. */
  prepare?: (page: Page, url: string) => Promise<unknown>;
}

/** Leads to the page of a kind that is linked in the email to an address. */
const linkedIn =
  (kind: "your-data" | "unsubscribe" | "confirm") => (address: string) => async (page: Page, site: RunningSite) => {
    await joinByRequest(page, site, address);
    return emailedLink(site, address, kind);
  };
const ownPage = linkedIn("your-data");
const unconfirmed = linkedIn("confirm");

async function confirm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’re on the list");
}

async function press(page: Page, intent: "unsubscribe" | "erase"): Promise<void> {
  await page.locator(`button[value=${intent}]`).click();
  await expect(page).toHaveURL(new RegExp(`done=${intent}$`));
}

const openErasure = (page: Page) => page.locator("summary", { hasText: "Erase my entry" }).click();

async function join(page: Page, address: string): Promise<void> {
  await hydrate(page);
  await formOn(page).submit(address);
  await expect(ticketOn(page)).toBeVisible();
}

const pages: State[] = [...paths.filter((path) => path !== "/letters"), "/privacy?cookies=settings"].map((path) => ({
  name: path,
  path,
}));

const states: State[] = [
  { name: "a URL that cannot be decoded", isVariant: true, path: "/50%" },
  {
    name: "/ after the cookie choice",
    isVariant: true,
    path: "/",
    prepare: (page, url) => declineCookies(page.context(), url),
  },
  {
    name: "/ with the cookies’ categories open, under Global Privacy Control",
    path: "/",
    prepare: (page) => page.setExtraHTTPHeaders({ "Sec-GPC": "1" }),
    enter: async (page) => {
      await bannerOn(page).categories.click();
      await expect(bannerOn(page).toggle("Analytics")).toBeVisible();
    },
  },
  {
    name: "/ with the menu open",
    path: "/",
    upTo: 360,
    enter: (page) => page.getByRole("banner").getByRole("button", { name: "Menu" }).click(),
  },
  {
    name: "/ with an address refused",
    path: "/",
    enter: async (page) => {
      await hydrate(page);
      await formOn(page).submit("ada@example");
      await expect(formOn(page).message).not.toBeEmpty();
    },
  },
  {
    name: "/ with a correction suggested",
    path: "/",
    enter: async (page) => {
      await hydrate(page);
      await formOn(page).email.fill("curie@gmial.com");
      await formOn(page).email.blur();
      await expect(page.locator("form#join .sign-up-suggestion")).toBeVisible();
    },
  },
  {
    name: "/ with the ticket of a misspelt address",
    isVariant: true,
    path: "/",
    enter: async (page) => {
      await join(page, "state-ticket@gmial.com");
      // Its doubt shows once the success message has gone.
      await expect(formOn(page).message).toBeEmpty();
      await expect(ticketOn(page)).toContainText("Did you mean");
    },
  },
  {
    name: "/ with a question answered",
    path: "/",
    enter: async (page) => {
      await join(page, "state-answer@example.com");
      const [words] = Object.values(choiceQuestions[0]?.answers ?? {});
      if (words === undefined) return;
      await ticketOn(page).getByRole("button", { name: words, exact: true }).click();
      await expect(ticketOn(page)).toContainText("You can change this any time");
    },
  },
  { name: "an entry’s page", path: ownPage("state-entry@example.com") },
  {
    name: "an entry’s page with erasing open",
    isVariant: true,
    path: ownPage("state-open@example.com"),
    enter: openErasure,
  },
  {
    name: "an entry’s data",
    path: ownPage("state-data@example.com"),
    enter: (page) => page.getByRole("button", { name: "Show my data" }).click(),
  },
  {
    name: "an entry’s page after unsubscribing",
    isVariant: true,
    path: ownPage("state-left@example.com"),
    enter: (page) => press(page, "unsubscribe"),
  },
  {
    name: "an entry’s page after erasing",
    path: ownPage("state-erased@example.com"),
    enter: async (page) => {
      await openErasure(page);
      await press(page, "erase");
    },
  },
  { name: "a broken link to an entry", path: "/your-data/1.broken" },
  { name: "the page to unsubscribe", path: linkedIn("unsubscribe")("state-unsubscribe@example.com") },
  { name: "the page to confirm an address", path: unconfirmed("state-confirm@example.com"), on: "dressed" },
  { name: "a confirmed address", path: unconfirmed("state-done@example.com"), on: "dressed", enter: confirm },
  {
    name: "an address confirmed earlier",
    isVariant: true,
    path: unconfirmed("state-earlier@example.com"),
    on: "dressed",
    enter: async (page) => {
      const link = page.url();
      await confirm(page);
      await page.goto(link);
    },
  },
  { name: "/ with every optional link", path: "/", on: "dressed" },
];

if (switches.features)
  states.push({
    name: "/ with a group of features open",
    path: "/",
    enter: (page) => page.locator("details[name] > summary").first().click(),
  });
if (switches.product)
  states.push({
    name: "/ with a fair that does not fit",
    path: "/",
    enter: async (page) => {
      for (const name of ["bakes", "10 miles", "Sunday"]) await page.getByRole("radio", { name, exact: true }).check();
    },
  });
if (switches.survey) states.push({ name: "/survey with its frame", path: "/survey", on: "dressed" });
for (const path of ["/", ...(switches.survey ? ["/survey"] : []), ...(switches.roadmap ? ["/roadmap"] : [])])
  states.push({ name: `${path} after the launch`, path, on: "launched", isVariant: path !== "/" });
if (switches.api) {
  const unfold = (page: Page) =>
    page.locator("details").evaluateAll((all) => {
      for (const details of all) (details as HTMLDetailsElement).open = true;
    });
  states.push({ name: "the page of the API, unfolded", isLong: true, path: "/api/v1", enter: unfold });
}
if (switches.referrals)
  states.push(
    { name: "/ with a friend’s link", path: "/?via=abcd2345" },
    {
      name: "an entry’s friends, with the rules open",
      path: ownPage("state-friends@example.com"),
      enter: async (page) => {
        await page.getByText("Which friends count").click();
      },
    },
  );

const statesWithoutJavaScript: State[] = [
  { name: "/", path: "/" },
  {
    name: "/ with an address refused",
    path: "/",
    enter: async (page) => {
      await formOn(page).submit(REFUSED_BY_SERVER);
      await expect(formOn(page).message).not.toBeEmpty();
    },
  },
  {
    name: "/ with the ticket of a misspelt address",
    path: "/",
    enter: async (page) => {
      await formOn(page).submit("state-plain@gmial.com");
      await expect(ticketOn(page)).toContainText("Did you mean");
    },
  },
  {
    name: "a form that is too long",
    isVariant: true,
    path: "/",
    enter: async (page) => {
      await page.locator("form#join").evaluate((form) => {
        form.append(Object.assign(document.createElement("input"), { name: "notes", value: "a".repeat(5_000) }));
      });
      await formOn(page).submit("state-long@example.com");
      await expect(page.getByRole("heading", { level: 1 })).not.toContainText("stall");
    },
  },
];

function define(state: State, part: object): void {
  test(`${state.name} is sound`, state.isVariant ? nightly : part, async ({ page, shared }) => {
    test.slow(state.isLong === true);
    const { on = "plain", prepare, path, ...rest } = state;
    const site = await sharedSite(shared, on);
    await page.route("https://forms.example/**", (route) =>
      route.fulfill({ contentType: "text/html", body: '<!doctype html><html lang="en"><title>Form</title>' }),
    );
    await prepare?.(page, site.url);
    const address = typeof path === "string" ? path : await path(page, site);
    await expectSound(page, { ...rest, path: address }, site.url);
  });
}

for (const page of pages) define(page, page.path === "/" || page.path === "/privacy" ? {} : slow);
for (const state of states) define(state, slow);

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const state of statesWithoutJavaScript) define(state, slow);
});
