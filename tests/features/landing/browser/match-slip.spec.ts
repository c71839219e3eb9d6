import type { Page } from "@playwright/test";
import { answerTo, type Choice, choices, type FairDates, fairs } from "#app/features/landing/product/example-fairs.ts";
import { site as product } from "#app/site.ts";
import { hydrate } from "#scripts/lib/hydrated.ts";
import { schemes } from "#scripts/lib/site-paths.ts";
import { violations } from "#tests/support/browser/measure.ts";
import { needs } from "#tests/support/browser/needs.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";
import { sharedSite } from "#tests/support/browser/sites.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

needs("product");

const FIRST: Choice = { craft: "pottery", miles: 25, day: "Saturday" };
const OTHER: Choice = { craft: "bakes", miles: 10, day: "Sunday" };

test.use({ contextOptions: { reducedMotion: "reduce" } });

const slip = (page: Page) => page.locator(".slip");

async function choose(page: Page, { craft, miles, day }: Choice): Promise<void> {
  for (const name of [craft, `${miles} miles`, day]) await page.getByRole("radio", { name, exact: true }).check();
}

/** What the slip shows: the fair, its verdicts, which of them are crossed, the size of the circle and the fair on the map. */
async function shown(page: Page) {
  const lines = (await slip(page).innerText()).split("\n").map((line) => line.trim());
  const { crosses, radius, tents } = await slip(page).evaluate((figure) => {
    const visible = (selector: string) =>
      Array.from(figure.querySelectorAll(selector)).filter((element) => element.getClientRects().length > 0);
    const isBright = (element: Element) => getComputedStyle(element).opacity === "1";
    return {
      crosses: visible("li").map((item) => getComputedStyle(item, "::after").borderStyle === "none"),
      radius: getComputedStyle(figure.querySelector("circle") as Element).r,
      tents: visible("svg g")
        .filter(isBright)
        .map((tent) => tent.getAttribute("class")),
    };
  });
  return { text: lines.filter((line) => line !== ""), crosses, radius, tents };
}

/** What it should show. */
function expected(choice: Choice, dates: FairDates) {
  const { fair: id, verdicts } = answerTo(choice);
  const { name, place, day, miles } = fairs[id];
  return {
    text: [
      name,
      place,
      dates[day],
      `${miles} miles away`,
      ...verdicts.flatMap(({ title, reason }) => [title, reason]),
      "Join, and we’ll tell you when real fairs arrive",
      "An example: these fairs are invented",
    ],
    crosses: verdicts.map(({ isGood }) => !isGood),
    radius: `${choice.miles}px`,
    tents: [expect.stringContaining(id)],
  };
}

/** Of the fairs on Saturday and on Sunday, shown or not. */
async function datesOf(page: Page): Promise<FairDates> {
  const [Saturday = ""] = /Saturday \d+ June \d{4}/.exec((await slip(page).textContent()) ?? "") ?? [];
  const [, day, month, year] = Saturday.split(" ");
  return { Saturday, Sunday: `Sunday ${Number(day) + 1} ${month} ${year}` };
}

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("every choice gets one fair, its three verdicts and its place on the map", slow, async ({ page, site }) => {
    await page.goto(site.url);
    const dates = await datesOf(page);
    expect(await shown(page)).toEqual(expected(FIRST, dates));
    for (const choice of choices) {
      await choose(page, choice);
      expect.soft(await shown(page), JSON.stringify(choice)).toEqual(expected(choice, dates));
    }
  });
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`the paper is tilted, its words are not, with ${reducedMotion} for motion`, async ({ page, site }) => {
    await page.emulateMedia({ reducedMotion });
    await page.goto(site.url);
    const tilts = await slip(page).evaluate((figure) => {
      const paper = figure.querySelector(".slip-paper") as Element;
      const words = [figure, paper, ...paper.querySelectorAll("h3, p, ul, li, strong, span")];
      const turnOf = ({ rotate, transform }: CSSStyleDeclaration) => `${rotate} ${transform}`;
      return {
        paper: getComputedStyle(paper, "::before").rotate,
        words: [...new Set(words.map((element) => turnOf(getComputedStyle(element))))],
      };
    });
    expect(tilts).toEqual({ paper: "-1deg", words: ["none none"] });
  });
}

test("in forced colours the choice and the verdicts can be told apart", async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(site.url);
  await choose(page, OTHER);
  const grounds = await page.locator(".match").evaluate((match) => {
    const groundOf = (selector: string, pseudo?: string) =>
      [...match.querySelectorAll(selector)].map((element) => getComputedStyle(element, pseudo).backgroundColor);
    return {
      page: getComputedStyle(document.body).backgroundColor,
      chosen: groundOf("label:has(:checked)"),
      others: groundOf("label:not(:has(:checked))"),
      verdicts: groundOf(".slip li", "::before"),
    };
  });
  for (const ground of grounds.chosen) expect(grounds.others).not.toContain(ground);
  expect(grounds.verdicts).not.toContain(grounds.page);
  // A cross beside ticks.
  expect(new Set((await shown(page)).crosses)).toEqual(new Set([true, false]));
});

test("the keyboard answers: arrows within a question, Tab to the next one and on to the link", async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  await page.getByRole("radio", { name: FIRST.craft }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  expect(await shown(page)).toEqual(expected(OTHER, await datesOf(page)));
  await page.keyboard.press("Tab");
  await expect(slip(page).getByRole("link")).toBeFocused();
});

test("hydration keeps the choice, and downloads nothing for it", async ({ page, site }) => {
  const downloads: string[] = [];
  page.on("request", (request) => downloads.push(request.url()));
  await page.goto(site.url);
  await choose(page, OTHER);
  const before = await shown(page);
  await hydrate(page);
  expect(await shown(page)).toEqual(before);
  expect(downloads.filter((url) => url.includes("match-slip"))).toEqual([]);
  await choose(page, FIRST);
  expect(await shown(page)).toEqual(expected(FIRST, await datesOf(page)));
});

test("after a visit to another page the slip answers again", async ({ page, site }) => {
  needs("roadmap");
  await page.goto(`${site.url}/roadmap`);
  await hydrate(page);
  await page.getByRole("banner").getByRole("link", { name: product.name }).click();
  await choose(page, OTHER);
  expect(await shown(page)).toEqual(expected(OTHER, await datesOf(page)));
});

test("without :has() there are no questions, and the first fair fits", async ({ page, site }) => {
  // As in browsers that do not know the selector.
  await page.route("**/*.css", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(":has(", ":unknown(") });
  });
  await page.goto(site.url);
  expect(await shown(page)).toEqual(expected(FIRST, await datesOf(page)));
  await expect(page.getByRole("radio")).toHaveCount(0);
});

test("no form sends the answers", async ({ page, site }) => {
  await page.goto(site.url);
  const radios = await page.locator(".match input").evaluateAll((inputs) =>
    inputs.map((input) => {
      const { form, name } = input as HTMLInputElement;
      return { isInForm: form !== null, fields: document.getElementsByName(name).length };
    }),
  );
  expect(radios).toHaveLength(9);
  // As many fields of a name as the question has answers.
  expect(new Set(radios.map(({ fields }) => fields))).toEqual(new Set([4, 3, 2]));
  expect(radios.filter(({ isInForm }) => isInForm)).toEqual([]);
});

test(
  "the slip's last line leads to the form, and is not there after the launch",
  slow,
  async ({ page, site, shared }) => {
    await page.goto(site.url);
    await slip(page).getByRole("link").click();
    await expect(page).toHaveURL(`${site.url}/#join`);
    await expect(formOn(page).email).toBeInViewport();
    const launched = await sharedSite(shared, "launched");
    await page.goto(launched.url);
    await choose(page, OTHER);
    await expect(slip(page).getByRole("heading")).toHaveText(["The Sheepfold Summer Fair"]);
    await expect(slip(page).getByRole("link")).toHaveCount(0);
  },
);

test("a printed page has the answer without the questions", async ({ page, site }) => {
  await page.goto(site.url);
  await choose(page, OTHER);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("radio")).toHaveCount(0);
  await expect(slip(page).getByRole("heading")).toHaveText(["The Sheepfold Summer Fair"]);
});

for (const colorScheme of schemes) {
  test(
    `axe finds nothing in what does not fit, and the pictures of the sides load, ${colorScheme}`,
    slow,
    async ({ page, site }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(site.url);
      await choose(page, OTHER);
      expect(await violations(page)).toEqual([]);
      for (const picture of await page.locator(".side img").all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(400);
        expect(await picture.getAttribute("alt")).toBe("");
        expect(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toContain(`-${colorScheme}.svg`);
      }
    },
  );
}
