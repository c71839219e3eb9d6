import { describe, expect, test } from "vitest";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { signedInBrowser } from "#tests/support/pool/owner.ts";
import { db, freshStorageForEachTest, join } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();

const browser = signedInBrowser();

/** The addresses in an export. */
async function exported(path: string, fields: Record<string, string>): Promise<string[]> {
  const { status, body } = await browser.post(path, fields);
  expect(status, path).toBe(200);
  return Array.from(body.matchAll(/[\w+=']+@example\.com/g), ([email]) => email);
}

test("a file for a spreadsheet has every column, and no formulas", async () => {
  await join("=cmd@example.com", { utm_campaign: "@SUM(1+1)", utm_term: 'a "b", c;=1' });
  await join("ada@example.com");
  const { status, headers, body } = await browser.post("/owner/export.csv", { format: "csv" });
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="waitlist-\d{4}-\d\d-\d\d\.csv"$/);
  const lines = body.split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('"id","email","status","source"');
  expect(lines[1]).toContain(`"1","'=cmd@example.com","active","landing_page","true"`);
  expect(lines[1]).toContain(`"'@SUM(1+1)","a ""b"", c;'=1"`);
});

describe("an export has", () => {
  test("people who may get email, or all, as chosen; for an email service never the others", async () => {
    await join("ada@example.com");
    await unsubscribeEntry(db, await join("bob@example.com"), Date.now());
    await join("cyd@example.com", { mustConfirm: true });
    expect(await exported("/owner/export.csv", { format: "csv" })).toEqual(["ada@example.com"]);
    expect(await exported("/owner/export.csv", { format: "csv", people: "all" })).toHaveLength(3);
    for (const format of ["mailchimp", "ghost", "resend", "listmonk"]) {
      expect(await exported("/owner/export.csv", { format, people: "all" })).toEqual(["ada@example.com"]);
    }
  });

  test("what the list shows: its filters and its search, without an address in a URL", async () => {
    for (const name of ["ada", "mada", "bob"]) await join(`${name}@example.com`, { utm_campaign: "fair" });
    await join("adam@example.com");
    const { headers } = await browser.post("/owner/entries?utm_campaign=fair", { search: "ada@" });
    const { body } = await browser.request(headers.get("Location") ?? "");
    const page = /href="(\/owner\/export\?[^"]*)"/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(page).toMatch(/^\/owner\/export\?utm_campaign=fair&search=[0-9a-f]{8}$/);
    const offered = (await browser.request(page)).body;
    expect(visibleText(offered)).toContain("2 entries, of which 2 may get email.");
    const actions = Array.from(offered.matchAll(/action="(\/owner\/export[^"]*)"/g), ([, action = ""]) => action);
    expect(new Set(actions)).toEqual(new Set([page.replace("/export?", "/export.csv?").replace("&", "&amp;")]));
    const action = actions[0]?.replaceAll("&amp;", "&") ?? "";
    expect(await exported(action, { format: "resend" })).toEqual(["ada@example.com", "mada@example.com"]);
  });

  test("nothing, if a filter is not valid, the search has ended, or no format is chosen", async () => {
    await join("ada@example.com");
    for (const path of ["/owner/export.csv?status=activ", "/owner/export.csv?search=0123abcd"]) {
      const { status, headers, body } = await browser.post(path, { format: "csv" });
      expect([status, headers.get("Content-Disposition")]).toEqual([400, null]);
      expect(body).toContain("Nothing was exported.");
      expect(body).not.toContain("ada@");
    }
    const { status, body } = await browser.post("/owner/export.csv", { format: "toString" });
    expect(status).toBe(400);
    expect(body).toContain("Choose a format.");
  });
});

test("if no one may get email, the page offers the others first", async () => {
  await unsubscribeEntry(db, await join("bob@example.com"), Date.now());
  const { body } = await browser.request("/owner/export?status=unsubscribed");
  const choices = Array.from(body.matchAll(/<input type="radio" name="people"[^>]*>/g), ([input]) => input);
  expect(
    choices.filter((input) => input.includes("checked")).map((input) => /value="([^"]+)"/.exec(input)?.[1]),
  ).toEqual(["all"]);
});

test("a link to a download leads to the page that offers it, and logs nothing", async () => {
  const { status, headers } = await browser.request("/owner/export.csv?source=stall");
  expect([status, headers.get("Location")]).toEqual([302, "/owner/export?source=stall"]);
  expect(log.filter((line) => line.includes("list-exported"))).toEqual([]);
});
