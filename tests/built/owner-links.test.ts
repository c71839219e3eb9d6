import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { readFirstSteps } from "#app/owner/overview/first-steps.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { freshStorageForEachTest } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { ownerBrowser, signedInBrowser } from "#tests/support/pool/owner.ts";
import { technicalWords } from "#tests/support/pool/owner-words.ts";

freshStorageForEachTest();
captureLog();

const browser = signedInBrowser();

const autumn = {
  page: "/privacy",
  utm_source: "fair",
  utm_medium: "print",
  utm_campaign: "autumn fair 2026",
};
const db = openDb(env.DB);

/** The address after a post, and the page there. */
async function make(fields: Record<string, string>) {
  const { status, headers, body } = await browser.post("/owner/links", fields);
  const location = headers.get("Location") ?? "";
  return { status, body, location, made: status === 303 ? (await browser.request(location)).body : "" };
}

test("makes a link with the labels that were filled in", async () => {
  const { status, made } = await make(autumn);
  expect(status).toBe(303);
  const link = `${env.SITE_URL}/privacy?utm_source=fair&amp;utm_medium=print&amp;utm_campaign=autumn+fair+2026`;
  expect(made).toContain(`href="${link}"`);
  const short = await make({ page: "/", utm_source: " poster ", utm_medium: "", utm_campaign: "" });
  expect(short.made).toContain(`href="${env.SITE_URL}/?utm_source=poster"`);
});

test("the pages are in words, but for the link itself", async () => {
  for (const path of ["/owner/links", (await make(autumn)).location]) {
    expect(technicalWords((await browser.request(path)).body)).toEqual([]);
  }
});

/** The tag of an input in a page. */
const inputOf = (html: string, name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0];

test.each([
  [{ page: "/owner" }, "page"],
  [{ page: "https://evil.example/" }, "page"],
  [{ utm_source: " " }, "utm_source"],
  [{ utm_campaign: "ada@example.com" }, "utm_campaign"],
  [{ utm_campaign: "x".repeat(65) }, "utm_campaign"],
  [{ utm_medium: "<b>" }, "utm_medium"],
  [{ utm_source: "東".repeat(64) }, "utm_campaign"],
])("refuses %j beside the field, and keeps what was typed", async (wrong, field) => {
  const { status, body } = await make({ ...autumn, ...wrong });
  expect(status).toBe(422);
  expect(body).toContain(`id="${field}-problem"`);
  expect(body).not.toContain("qr-code");
  const { page, ...typed } = { ...autumn, ...wrong };
  for (const [name, value] of Object.entries(typed)) {
    const escaped = value.trim().replace("<", "&lt;").replace(">", "&gt;");
    expect(inputOf(body, name), name).toContain(`value="${escaped}"`);
  }
  expect((await readFirstSteps(db)).link).toBe(false);
});

test("a wrong address shows no link, page to print or code", async () => {
  expect((await browser.request("/owner/links?page=/no&utm_source=x")).status).toBe(422);
  expect((await browser.request("/owner/links/print?page=/no")).headers.get("Location")).toBe(
    "/owner/links?page=%2Fno",
  );
  expect((await browser.request("/owner/links/qr.svg?page=/no")).status).toBe(404);
});

test("suggests the labels that people joined by", async () => {
  await join("ada@example.com", { utm_source: "makers_post", utm_campaign: "spring" });
  const { body } = await browser.request("/owner/links");
  for (const used of ["makers_post", "spring"]) expect(body).toContain(`<option value="${used}">`);
  await join("bob@example.com", { utm_source: "Makers_Post", utm_campaign: "Spring" });
  const again = (await browser.request("/owner/links")).body;
  expect(again.match(/<option value="(makers_post|spring)">/gi)).toHaveLength(2);
});

test("the first link is recorded by its post only, and outlives an erasure", async () => {
  await browser.request(`/owner/links?${new URLSearchParams(autumn)}`);
  expect((await readFirstSteps(db)).link).toBe(false);
  expect((await browser.request("/owner")).body).toContain("<h2>Make a link");
  await make(autumn);
  await make(autumn);
  expect((await readFirstSteps(db)).link).toBe(true);
  expect((await browser.request("/owner")).body).toContain("Done: </span>Make a link");
  await eraseEntry(db, await join("ada@example.com"), Date.now());
  expect((await readFirstSteps(db)).link).toBe(true);
});

test("the QR code is a file of its own, without a script or a foreign address", async () => {
  const { status, headers, body } = await browser.request(`/owner/links/qr.svg?${new URLSearchParams(autumn)}`);
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toBe("image/svg+xml");
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="qr-code.svg"');
  expect(body).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"[^>]*><rect[^>]*\/><path[^>]*\/><\/svg>\n$/,
  );
});

test("without a session there is nothing to see", async () => {
  const stranger = ownerBrowser();
  for (const path of ["/owner/links", "/owner/links/print", "/owner/links/qr.svg"]) {
    expect((await stranger.request(path)).body).toContain("Owner sign-in");
  }
});
