import type { Locator, Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";

const phone = { width: 360, height: 740 };

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an entry is found by its address, noted on, unsubscribed and erased, each after a second thought", async ({
    owner: page,
    site,
  }) => {
    const address = "to-be-erased@example.com";
    await page.request.post(`${site.url}/api/signup`, { data: { email: address } });
    await page.goto(`${site.url}/owner/entries`);
    await page.getByRole("searchbox").fill("TO-BE-ERASED");
    await page.getByRole("searchbox").press("Enter");
    await page.getByRole("link", { name: address }).click();
    await expect(page).toHaveURL(/\/owner\/entries\/\d+(\?|$)/);
    expect(page.url()).not.toContain("erased");

    await page.getByRole("textbox", { name: "Your note on this person" }).fill("Met at the fair");
    await page.getByRole("button", { name: "Save note" }).click();
    await expect(page).toHaveURL(/done=noted$/);
    await expect(page.locator("textarea")).toHaveValue("Met at the fair");
    await page.getByRole("link", { name: "Back to the list" }).click();
    await expect(page.getByRole("searchbox")).toHaveValue("TO-BE-ERASED");
    await page.getByRole("link", { name: address }).click();
    for (const [change, done] of [
      ["unsubscribe", "unsubscribed"],
      ["erase", "erased"],
    ] as const) {
      const button = page.locator(`button[value=${change}]`);
      await expect(button).toBeHidden();
      await page.locator("details", { has: button }).locator("summary").press("Enter");
      await button.press("Enter");
      await expect(page).toHaveURL(new RegExp(`done=${done}$`));
      await expect(page.getByRole("status")).not.toBeEmpty();
    }
    expect((await site.rows("waitlist_emails")).filter(({ email }) => email === address)).toEqual([]);
  });

  test("what the list shows is downloaded as a file", async ({ owner: page, site }) => {
    await page.goto(`${site.url}/owner/entries?source=landing_page`);
    await page.getByRole("link", { name: "Export", exact: true }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download for a spreadsheet" }).click();
    expect((await download).suggestedFilename()).toMatch(/^waitlist-\d{4}-\d\d-\d\d\.csv$/);
  });
});

test("on a phone the first entry is on the first screen, and 25 people take at most 2,200 pixels, the page 2,600", async ({
  owner: page,
  site,
}) => {
  await page.setViewportSize(phone);
  const rows = page.locator(".lines tbody tr");
  for (const query of ["", "?source=landing_page", "?source=landing_page&status=active&disposable=no"]) {
    await page.goto(`${site.url}/owner/entries${query}`);
    await expect(rows.first(), query).toBeInViewport({ ratio: 0.99 });
  }
  await page.getByRole("searchbox").fill("e");
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL(/search=/);
  await expect(rows.first()).toBeInViewport({ ratio: 0.99 });

  await page.goto(`${site.url}/owner/entries`);
  await expect(rows).toHaveCount(25);
  expect((await page.locator(".lines").boundingBox())?.height).toBeLessThanOrEqual(2_200);

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2_600);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an address is corrected, the person unsubscribed, and that undone", async ({ owner: page, site }) => {
    await page.request.post(`${site.url}/api/signup`, { data: { email: "mistyped@exmaple.com" } });
    await page.goto(`${site.url}/owner/entries`);
    await page.getByRole("searchbox").fill("mistyped");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: "mistyped@exmaple.com" }).click();
    await page.getByRole("link", { name: "Change the details" }).click();
    await page.getByLabel("Email address").fill("well.typed@example.com");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("status")).toContainText("The address is changed.");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("well.typed@example.com");
    const unsubscribe = page.getByRole("button", { name: "Unsubscribe this person" });
    await page
      .locator("details", { has: page.locator("button[value=unsubscribe]") })
      .locator("summary")
      .click();
    await unsubscribe.click();
    await page.getByRole("button", { name: "Undo unsubscribing" }).click();
    await expect(page.getByRole("status")).toContainText("on the list again");
    await expect(page.getByText("Active", { exact: true })).toBeVisible();
  });
});

test("on a phone, places and parts of the list are all within reach of a thumb and the keyboard", async ({
  owner: page,
  site,
}) => {
  for (const width of [360, 390, 720, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${site.url}/owner/entries`);
    const places = page.getByRole("navigation", { name: "Owner" }).getByRole("link");
    for (const place of await places.all()) await expect(place).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize(phone);
  const last = page.getByRole("navigation", { name: "Parts of the list" }).getByRole("link").last();
  await last.focus();
  await expect(last).toBeInViewport({ ratio: 1 });
});

test("the pages load only themselves, one stylesheet, the font and the icons", async ({ owner: page, site }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${site.url}/owner`);
  await page.waitForLoadState("networkidle");
  const files = requests.map((url) => url.replace(site.url, "").replace(/-[\w-]{8}\./, "."));
  const known = ["/owner", "/assets/owner.css", "/assets/fraunces.woff2", "/favicon.svg", "/favicon.ico"];
  expect(files.filter((file) => !known.includes(file))).toEqual([]);
});

test(
  "the edges of unchecked radios and boxes have a contrast of 3:1 in both schemes",
  slow,
  async ({ owner: page, site }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [type, path] of [
        ["radio", "/owner/export"],
        ["checkbox", "/owner/entries"],
      ]) {
        await page.goto(site.url + path);
        await page.locator("details").evaluateAll((all) => {
          for (const details of all) details.setAttribute("open", "");
        });
        const control = page.locator(`main [type=${type}]:not(:checked)`).first();
        expect(await edgeContrast(page, control), `${type}, ${colorScheme}`).toBeGreaterThanOrEqual(3);
      }
    }
  },
);

/** The contrast of the outermost pixel on the left edge of a control, at its middle, with the page behind it. */
async function edgeContrast(page: Page, control: Locator): Promise<number> {
  await control.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, height = 0 } = (await control.boundingBox()) ?? {};
  const clip = { x: Math.floor(x) - 5, y: Math.floor(y + height / 2), width: 9, height: 1 };
  const picture = (await page.screenshot({ clip })).toString("base64");
  // A page without a content security policy, which can read the pixels.
  const reader = await page.context().newPage();
  const contrast = await reader.evaluate(async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const context = new OffscreenCanvas(image.width, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, 1);
    const [outside = 0, ...edge] = Array.from({ length: image.width }, (_, pixel) => luminance(pixel * 4));
    const contrasts = edge.map((line) => (Math.max(line, outside) + 0.05) / (Math.min(line, outside) + 0.05));
    return contrasts.find((found) => found > 1.02) ?? 1;

    function luminance(at: number): number {
      const [red = 0, green = 0, blue = 0] = Array.from(data.slice(at, at + 3), (channel) => {
        const share = channel / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  }, picture);
  await reader.close();
  return contrast;
}
