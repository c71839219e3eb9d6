import type { Locator, Page } from "@playwright/test";
import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/owner-test.ts";
import { slow } from "#tests/support/browser/slow.ts";
import { expectSound } from "#tests/support/browser/walk.ts";
import { pastedSamples } from "#tests/support/pasted-samples.ts";

needs("letters");

const NEW = "/owner/letters/new";

const body = (page: Page) => page.locator("#body");
const tool = (page: Page, name: string) => page.getByRole("toolbar").getByRole("button", { name });

/** Opens an empty letter, which is not saved by itself: each autosave is answered as `autosaves` says. */
async function open(page: Page, url: string, path = NEW) {
  const saves: URLSearchParams[] = [];
  const answer = { status: 200, body: { action: "/owner/letters/999", version: "2" } as object, offline: false };
  await page.route("**/owner/letters**", async (route) => {
    const fields = new URLSearchParams(route.request().postData() ?? "");
    if (route.request().method() !== "POST" || !fields.has("autosave")) return route.fallback();
    if (answer.offline) return route.abort("internetdisconnected");
    saves.push(fields);
    return route.fulfill({ status: answer.status, json: answer.body });
  });
  await page.goto(url + path);
  return { saves, answer };
}

/** As without a connection, also while the page is being left, when routes of the test may be passed by. */
async function neverAutosave(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (input, init) =>
      `${init?.body}`.includes("autosave=yes") ? Promise.reject(new TypeError("no connection")) : fetch(input, init);
  });
}

/** As programs put it on the clipboard. */
async function paste(target: Locator, html: string, text = "plain"): Promise<boolean> {
  return target.evaluate(
    (element, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", data.html);
      clipboardData.setData("text/plain", data.text);
      return element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    { html, text },
  );
}

test("the toolbar writes Markdown by keyboard alone, and Ctrl+Z takes it back", async ({ owner: page, ownerSite }) => {
  await open(page, ownerSite.url);
  const text = body(page);
  await text.fill("Dear friends");
  await text.selectText();
  await text.press("Control+b");
  await expect(text).toHaveValue("**Dear friends**");
  await text.press("Control+b");
  await expect(text).toHaveValue("Dear friends");
  await text.press("Control+z");
  await text.press("Control+z");
  await expect(text).toHaveValue("Dear friends");
  await text.press("End");
  // One Tab leads out of the text, and one back into the toolbar, in which arrows move.
  await text.press("Shift+Tab");
  await expect(tool(page, "Bold")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(tool(page, "Greeting")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Text on the button")).toBeFocused();
  await page.keyboard.type("Open the map");
  await page.keyboard.press("Tab");
  await page.keyboard.type("map.example/a(b)");
  await page.keyboard.press("Enter");
  await expect(text).toBeFocused();
  await expect(text).toHaveValue("Dear friends\n\n**[Open the map](https://map.example/a%28b%29)**");
  await text.press("Control+z");
  await expect(text).toHaveValue("Dear friends");
  await text.press("Control+k");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await text.selectText();
  await tool(page, "Link").click();
  const { origin } = new URL(page.url());
  await page.getByLabel("Address").fill(`${origin}/roadmap`);
  await page.getByLabel("Count the visits that it brings").selectOption("Yes");
  await page.getByRole("button", { name: "Insert" }).click();
  await expect(text).toHaveValue("[Dear friends]({{counted}}/roadmap)");
  await text.press("Control+z");
  await expect(text).toHaveValue("Dear friends");
  await text.selectText();
  await tool(page, "Heading").press("Enter");
  await tool(page, "Heading").press("Enter");
  await expect(text).toHaveValue("## Dear friends");
  await text.press("End");
  await text.press("Enter");
  await tool(page, "List").press("Enter");
  await page.keyboard.type("bread");
  await tool(page, "Greeting").click();
  await page.getByLabel("For people without an answer").fill("friend");
  await page.keyboard.press("Enter");
  await expect(text).toHaveValue(/^## Dear friends\n\n- bread\{\{\w+\|friend\}\}$/);
});

for (const { program, html, markdown } of pastedSamples) {
  test(`what is pasted from ${program} becomes Markdown`, async ({ owner: page, ownerSite }) => {
    await open(page, ownerSite.url);
    await body(page).fill("Before");
    await paste(body(page), html);
    await expect(body(page)).toHaveValue(`Before\n\n${markdown}`);
    await body(page).press("Control+z");
    await expect(body(page)).toHaveValue("Before");
  });
}

test("plain text is pasted as it is, also what an editor of code has coloured", async ({ owner: page, ownerSite }) => {
  await open(page, ownerSite.url);
  expect(await paste(body(page), "", "# *a*")).toBe(true);
  expect(await paste(body(page), '<div style="white-space: pre;"><span># *a*</span></div>', "# *a*")).toBe(true);
  await page.evaluate(() => {
    document.addEventListener("copy", (event) => {
      event.clipboardData?.setData("text/plain", "5*3 # _a_");
      event.preventDefault();
    });
  });
  await page.locator("#subject").fill("copied");
  await page.locator("#subject").selectText();
  await page.keyboard.press("Control+c");
  await body(page).focus();
  await page.keyboard.press("Control+v");
  await expect(body(page)).toHaveValue("5*3 # _a_");
});

test("the preview follows the text, keeps its place and the focus, and adds nothing to Back", async ({
  owner: page,
  ownerSite,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, ownerSite.url);
  const before = await page.evaluate(() => history.length);
  const frame = page.locator(".preview-frames iframe:not(.preview-loading)");
  await expect(frame.contentFrame().getByRole("heading", { name: "No preview yet" })).toBeVisible();
  await body(page).fill(`# Hello\n\n${"A long text.\n\n".repeat(60)}`);
  await expect(frame.contentFrame().getByRole("heading", { name: "Hello" })).toBeVisible();
  const scrolled = () => frame.evaluate((element: HTMLIFrameElement) => element.contentWindow?.scrollY);
  await frame.evaluate((element: HTMLIFrameElement) => element.contentWindow?.scrollTo(0, 900));
  await body(page).pressSequentially("The end https://map.example.");
  await expect(frame.contentFrame().getByRole("link", { name: "https://map.example" })).toBeAttached();
  expect(await scrolled()).toBe(900);
  await expect(body(page)).toBeFocused();
  const width = () => frame.evaluate((element) => element.clientWidth);
  expect(await width()).toBeGreaterThan(450);
  await page.getByLabel("Phone").check();
  expect(await width()).toBe(375);
  await page.getByLabel("Dark").check();
  const page1 = frame.contentFrame().locator("body");
  await expect
    .poll(() => page1.evaluate((element) => getComputedStyle(element).backgroundColor))
    .toBe("rgb(20, 27, 45)");
  expect(await page.evaluate(() => history.length)).toBe(before);
});

test("what is typed is kept, offered on return, put back, and forgotten once it is saved", async ({
  owner: page,
  ownerSite,
}) => {
  await neverAutosave(page);
  await open(page, ownerSite.url);
  await body(page).fill("Words that were typed");
  await page.locator("#reply-to").fill("ada@example.com");
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.type());
    return dialog.accept();
  });
  await page.reload();
  expect(dialogs).toEqual(["beforeunload"]);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("ada@");
  await expect(body(page)).toHaveValue("");
  await expect(page.getByText(/^Text from \d\d:\d\d was not saved\.$/)).toBeVisible();
  // What is typed now does not replace what was kept.
  await body(page).fill("Others");
  await page.reload();
  await expect(page.getByText(/was not saved/)).toHaveCount(2);
  await page.getByText("Others").locator("..").getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Put it back" }).click();
  await expect(body(page)).toHaveValue("Words that were typed");
  await page.locator("button[value=save]").click();
  await page.waitForURL(/done=saved$/);
  expect(dialogs).toHaveLength(2);
  await page.goto(ownerSite.url + NEW);
  await expect(page.getByRole("toolbar")).toBeVisible();
  await expect(page.getByText(/was not saved/)).toHaveCount(0);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test("kept texts go with another owner and after 12 hours; a full storage breaks nothing", async ({
  owner: page,
  ownerSite,
}) => {
  await neverAutosave(page);
  await open(page, ownerSite.url);
  const keys = () => page.evaluate(() => Object.keys(localStorage));
  await body(page).fill("Kept");
  await page.evaluate(() => {
    const [key = ""] = Object.keys(localStorage);
    const kept = JSON.parse(localStorage.getItem(key) ?? "");
    localStorage.setItem(`${key}2`, JSON.stringify({ ...kept, owner: "another" }));
    localStorage.setItem(`${key}3`, JSON.stringify({ ...kept, at: Date.now() - 12 * 3_600_000 }));
    localStorage.setItem(`${key}4`, "broken");
    localStorage.setItem("others", "stay");
  });
  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await expect(page.getByText(/was not saved/)).toHaveCount(1);
  expect(await keys()).toHaveLength(2);
  await body(page).fill("x".repeat(1_100_000));
  await expect(page.getByText("This browser cannot keep what you type")).toBeVisible();
});

test("the session is renewed while one types; once it has ended, a line says so until one signs in", async ({
  owner: page,
  ownerSite,
}) => {
  let renewals = 0;
  let status = 204;
  await page.route("**/owner/session", (route) => {
    renewals += 1;
    return status === 204 ? route.fallback() : route.fulfill({ status });
  });
  await page.clock.install();
  const { answer } = await open(page, ownerSite.url);
  answer.offline = true;
  await body(page).pressSequentially("a");
  await page.clock.fastForward("05:00");
  expect(renewals).toBe(0);
  const renewed = page.waitForResponse("**/owner/session");
  await body(page).pressSequentially("bc");
  expect((await renewed).status()).toBe(204);
  expect(renewals).toBe(1);
  status = 403;
  await page.clock.fastForward("05:00");
  await body(page).pressSequentially("d");
  const alert = page.getByRole("alert").filter({ hasText: "Your session has ended." });
  await expect(alert).toBeVisible();
  await expect(alert).toBeInViewport();
  await expect(alert.getByRole("link")).toHaveAttribute("target", "_blank");
  status = 204;
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(alert).toBeHidden();
});

test("a draft saves itself, one request at a time, also after it was offline; a conflict stops it", async ({
  owner: page,
  ownerSite,
}) => {
  await page.clock.install();
  const { saves, answer } = await open(page, ownerSite.url);
  const line = page.locator(".typed-line");
  answer.offline = true;
  await body(page).fill("One");
  await page.clock.runFor(3_100);
  await expect(line).toHaveText("Not saved: no connection. It is kept in this browser.");
  answer.offline = false;
  await page.clock.runFor(30_100);
  await expect(line).toHaveText(/^Saved \d\d:\d\d$/);
  expect(saves.map((fields) => fields.get("body"))).toEqual(["One"]);
  expect(new URL(page.url()).pathname).toBe("/owner/letters/999");
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await body(page).fill("Two");
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => saves.length).toBe(2);
  answer.status = 409;
  await body(page).fill("Three");
  await page.clock.runFor(3_100);
  await expect(line).toHaveText(/This letter was changed in the meantime/);
  await body(page).fill("Four");
  await page.clock.runFor(60_000);
  expect(saves).toHaveLength(3);
});

test("a double click saves one letter, with the button's own value", async ({ owner: page, ownerSite }) => {
  await open(page, ownerSite.url);
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.isNavigationRequest() && request.frame() === page.mainFrame())
      posts.push(request.postData() ?? "");
  });
  await page.locator("#subject").fill("Twice");
  await page.locator(".actions button[value=preview]").dblclick();
  await page.waitForURL(/\/preview\?done=saved$/);
  expect(posts).toEqual([expect.stringContaining("intent=preview")]);
});

test("without JavaScript, there is a preview behind a button, and nothing else of it", async ({
  browser,
  ownerSite,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies(ownerSite.cookies);
  const page = await context.newPage();
  await page.goto(ownerSite.url + NEW);
  await body(page).fill("# Hello");
  await page.getByText("How the letter looks").click();
  await page.getByLabel("Dark").check();
  await page.getByRole("button", { name: "Update the preview" }).click();
  const email = page.locator("iframe").contentFrame();
  await expect(email.getByRole("heading", { name: "Hello" })).toBeVisible();
  await expect(body(page)).toHaveValue("# Hello");
  await expect(page.getByRole("toolbar")).toHaveCount(0);
  await expect(page.getByText("How to write headings")).toBeVisible();
  await context.close();
});

const writing = async (page: Page) => {
  await body(page).fill(`# Hello\n\n${"See **us** on Friday. ".repeat(20)}`);
  await page.locator("details[data-preview]").evaluate((element: HTMLDetailsElement) => {
    element.open = true;
  });
  await expect(
    page.locator(".preview-frames iframe").last().contentFrame().getByRole("heading", { name: "Hello" }),
  ).toBeVisible();
};

test("the page to write on is sound", slow, async ({ owner: page, ownerSite }) => {
  await expectSound(page, { name: "a letter that is written", path: NEW, enter: writing }, ownerSite.url);
});
