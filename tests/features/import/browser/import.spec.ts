import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { questions } from "#app/site.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { expect, test, uploadList } from "#tests/support/browser/owner-test.ts";

/** Two days ago, because entries that joined too long ago are refused. */
const JOINED = new Date(Date.now() - 2 * 24 * 3_600_000).toISOString().slice(0, 10);

async function choose(page: Page, site: RunningSite, content: string) {
  await page.goto(`${site.url}/owner/import`);
  await uploadList(page, content);
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a list is uploaded, checked, its problems downloaded, and imported", async ({ owner: page, site }) => {
    const list =
      'Email address;Full name;Campaign;Where\nada@list.example;Ada;host;"A barn;\nand a field"\nbob@list;Bob;;\n';
    await choose(page, site, list);
    await page.waitForURL(/\/owner\/import\/\d+$/);
    await page.locator("select[name=c3]").selectOption("source");
    await page.locator("input[name=note]").fill("Ticked the box on the paper list");
    await page.locator("input[name=consent-date]").fill(JOINED);
    await page.locator("button[value=check]").click();
    await expect(page.locator(".tile dd")).toHaveText(["1", "0", "1"]);
    const download = page.waitForEvent("download");
    await page.locator("form[action$='problems.csv'] button").click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    const imported = async () =>
      (await site.rows("waitlist_emails")).filter(({ email }) => String(email).includes("list.example"));
    expect(await imported()).toEqual([]);
    await page.locator("button[value=confirm]").click();
    await expect.poll(imported).toMatchObject([{ email: "ada@list.example", utm_campaign: "host" }]);
  });
});

test("the import waits until the owner has said what the file means", async ({ owner: page, site }) => {
  const question = questions.find(({ answers }) => answers !== undefined);
  test.skip(question === undefined, "No question has answers to choose from: see app/site.ts");
  const { key = "", answers = {} } = question ?? {};
  const [first = "", second = ""] = Object.keys(answers);
  const [year, month] = JOINED.split("-");
  const rows = [`VIP,${first}`, "active,None of them", `cancelled,${first}`].map(
    (cells, index) => `${index}@open.example,${cells},01/${Number(month) === 1 ? "02" : "03"}/${year}`,
  );
  await choose(page, site, [`email,status,answer_${key},joined`, ...rows, ""].join("\n"));
  await page.locator("input[name=note]").fill("Paper list");
  await page.locator("select[name=consent-from]").selectOption("joined");
  await page.locator("button[value=check]").click();
  await expect(page.locator("button[value=confirm]")).toHaveCount(0);
  await expect(page.getByText("leaves something open")).toBeVisible();
  await page.getByLabel("“vip” (1 row)").selectOption("active");
  await page.getByLabel("“none of them” (1 row)").selectOption(second);
  await page.locator("select[name=dates]").selectOption("day-first");
  await page.locator("button[value=settle]").click();
  await page.locator("button[value=confirm]").click();
  await expect.poll(async () => (await site.rows("imports")).at(-1)?.["state"]).toBe("done");
  const entries = (await site.rows("waitlist_emails")).filter(({ email }) => `${email}`.endsWith("@open.example"));
  expect(entries.map((entry) => [entry["status"], entry["answers"]])).toEqual([
    ["active", JSON.stringify({ [key]: first })],
    ["active", JSON.stringify({ [key]: second })],
    ["unsubscribed", JSON.stringify({ [key]: first })],
  ]);
  expect(entries[0]?.["consent_at"]).toBe(entries[0]?.["created_at"]);
});

test("no address is broken on the way, on any screen", async ({ owner: page, site }) => {
  const names = ["potter.of.the.harbour", "a", "woodturner.at.the.mill"];
  const lines = names.map((name) => `${name}@crafts.example,${JOINED},${"Asked at the stall. ".repeat(8)},Fair`);
  await choose(page, site, ["Email,Joined on,How they agreed,Source", ...lines, ""].join("\n"));
  await expect(page.getByLabel("Joined on", { exact: true })).toHaveAccessibleDescription(
    `${JOINED}, ${JOINED}, ${JOINED}`,
  );
  const whole = async () => {
    for (const width of [390, 800, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(brokenAddresses), `${width} px`).toEqual([]);
    }
  };
  await whole();
  await page.locator("input[name=note]").fill("Asked at the stall. ".repeat(12));
  await page.locator("input[name=consent-date]").fill(JOINED);
  await page.locator("button[value=check]").click();
  await page.getByRole("heading", { name: "Summary" }).waitFor();
  await whole();
});

/** Runs in the page. Its addresses that begin on one line and end on another. */
function brokenAddresses(): string[] {
  const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  let seen = 0;
  while (texts.nextNode()) {
    for (const { 0: address, index } of (texts.currentNode.textContent ?? "").matchAll(/[\w.]+@[\w.]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + address.length);
      seen += 1;
      if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) broken.push(address);
    }
  }
  return seen < 3 ? [`only ${seen} addresses`] : broken;
}

/** A server that stops reading resets the connection, so that the browser shows an error of its own. */
test("a file of 26 MB is refused with a sentence that the browser shows", async ({ owner: page, site }, info) => {
  const file = info.outputPath("large.csv");
  writeFileSync(file, `email\n${"a@b.example\n".repeat(2_300_000)}`);
  await page.goto(`${site.url}/owner/import`);
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator("main button").first().click();
  await expect(page.getByRole("alert")).toContainText("25 MB");
});
