import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { armedDevice, inbox } from "#tests/features/fair/pool/fair.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, signedInBrowser, technicalWords, withCookiesOf } from "#tests/support/pool/owner.ts";
import { execute, freshStorageForEachTest, join, needs, rows } from "#tests/support/pool/start.ts";

needs("fair");
const log = freshStorageForEachTest();
const browser = signedInBrowser();
const { post, request } = browser;

const HOUR = 3_600_000;
const fairCode = /\/fair#([\da-f]{64})/;

const textOf = async (path: string) => visibleText((await request(path)).body);
const make = (fields: Record<string, string> = {}) =>
  post("/owner/fair", { event: "Spring Fair", days: "2", ...fields });

/** Decides with what the page of tablet 1 shows. */
async function decide(intent: string) {
  const { body } = await request("/owner/fair/1");
  const seen = /name="seen" value="(\d+)"/.exec(body)?.[1] ?? "";
  return (await post("/owner/fair/1", { intent, seen })).headers.get("Location");
}

/** A revoked tablet with as many sign-ups held. */
async function revokedTablet(...emails: string[]) {
  const tablet = await armedDevice({ now: Date.now() - HOUR });
  await post(`/owner/fair/${tablet.device}`, { intent: "revoke" });
  for (const [index, email] of emails.entries())
    await tablet.store(email, { at: Date.now() - HOUR / 2 + index, now: Date.now() });
  return tablet;
}

describe("setting up a tablet", () => {
  test("shows the code once, in the response to the form, and the tablet can use it", async () => {
    const { status, headers, body } = await make();
    expect([status, headers.get("Location"), headers.get("Cache-Control")]).toEqual([200, null, "no-store"]);
    const code = fairCode.exec(body)?.[1] ?? "none";
    expect(body).toContain(`<code class="code-block">${env.SITE_URL}/fair#${code}</code>`);
    expect(body).toContain('aria-label="QR code that sets up the tablet"');
    for (const path of ["/owner/fair", "/owner/fair/1", "/owner/log"])
      expect((await request(path)).body).not.toContain(code);
    expect(JSON.stringify([await loggedActions(), log])).not.toContain(code);
    expect(await loggedActions()).toEqual([["make-fair-device", { deviceId: 1, event: "Spring Fair", days: 2 }]]);
    expect(await textOf("/owner/fair")).toMatch(/Spring Fair.*Code works until \d\d:\d\d/);
    const key = "k".repeat(43);
    const armed = await browser.request("/fair/arm", {
      method: "POST",
      headers: { Origin: env.SITE_URL, "Content-Type": "application/json", Cookie: "" },
      body: JSON.stringify({ code, key }),
    });
    expect([armed.status, JSON.parse(armed.body)]).toEqual([200, expect.objectContaining({ device: 1 })]);
    expect(await textOf("/owner/fair")).toMatch(/In use until \d+ \w+, \d\d:\d\d/);
  });

  test.each([
    [{ event: "" }, "event"],
    [{ event: "x".repeat(61) }, "event"],
    [{ event: "ada@example.com" }, "event"],
    [{ days: "4" }, "days"],
    [{ days: "" }, "days"],
  ])("refuses %j beside the field", async (fields, field) => {
    const { status, body } = await make(fields);
    expect(status).toBe(422);
    expect(body).toContain(`id="${field}-problem"`);
    expect(await loggedActions()).toEqual([]);
  });

  test("is not possible with twenty tablets, nor after the launch", async () => {
    for (let n = 0; n < 20; n += 1) expect((await make()).status).toBe(200);
    expect(await textOf("/owner/fair")).toContain("There are 20 tablets");
    expect((await make()).status).toBe(422);
    const launched = withCookiesOf(browser, { LAUNCH_URL: "https://app.example" });
    expect(visibleText((await launched.request("/owner/fair")).body)).toContain("has launched, so no one can join");
    await env.DB.exec("DELETE FROM fair_devices");
    expect((await launched.post("/owner/fair", { event: "Fair", days: "1" })).status).toBe(422);
    expect(await loggedActions()).toHaveLength(20);
  });
});

describe("a tablet", () => {
  test("is revoked at once", async () => {
    const tablet = await armedDevice({ now: Date.now() - HOUR });
    const { headers } = await post("/owner/fair/1", { intent: "revoke" });
    expect(headers.get("Location")).toBe("/owner/fair/1?done=revoke-fair-device");
    expect(await textOf("/owner/fair/1?done=revoke-fair-device")).toMatch(/The tablet is revoked.*Revoked/);
    await tablet.store("ada@example.com", { now: Date.now() });
    expect(await inbox()).toMatchObject([{ state: "held", reason: "revoked" }]);
    expect((await post("/owner/fair/1", { intent: "revoke" })).headers.get("Location")).toContain("unchanged");
    expect(await loggedActions()).toEqual([["revoke-fair-device", { deviceId: 1 }]]);
  });

  test("in words: expired, not scanned in time, and without technical words", async () => {
    await make();
    await armedDevice({ now: Date.now() - 25 * HOUR });
    await execute("UPDATE fair_devices SET created_at = ? WHERE id = 1", Date.now() - HOUR);
    const { body } = await request("/owner/fair");
    expect(visibleText(body)).toMatch(/Expired.*Code not scanned in time/);
    expect(technicalWords(body)).toEqual([]);
    expect(body).toContain('<a href="/owner/fair" aria-current="page">At the fair</a>');
  });

  test("that does not exist has no page, and an unknown change is refused", async () => {
    expect((await request("/owner/fair/7")).status).toBe(404);
    expect((await post("/owner/fair/7", { intent: "explode" })).status).toBe(400);
    expect((await post("/owner/fair/7", { intent: "accept" })).status).toBe(400);
    expect((await post("/owner/fair/7", { intent: "close" })).headers.get("Location")).toContain("unchanged");
    expect(await loggedActions()).toEqual([]);
  });
});

describe("what is held", () => {
  test("is on the overview, on the list and on the tablet's page, with addresses, and never in a log", async () => {
    await revokedTablet("ada@example.com", "bob@example.com");
    await join("eve@example.com");
    expect(await textOf("/owner")).toContain("2 sign-ups wait for your decision, from tablet 1 at “Spring Fair”.");
    const { body } = await request("/owner/fair/1");
    expect(visibleText(body)).toMatch(/The tablet was revoked first: 2.*ada@example\.com.*bob@example\.com/);
    expect(technicalWords(body)).toEqual([]);
    expect((await request("/owner/fair")).body).not.toContain("ada@example.com");
    expect(JSON.stringify([await loggedActions(), log])).not.toContain("example.com");
  });

  test.each([
    ["accept", ["ada@example.com", "bob@example.com"], /About to be added 2.*You can close the tablet once/],
    ["discard", [], /Revoked/],
  ])("is added by the cron job, or deleted, as the owner decides: %s", async (decision, added, text) => {
    await revokedTablet("ada@example.com", "bob@example.com");
    const action = `${decision}-fair-sign-ups`;
    expect(await decide(decision)).toBe(`/owner/fair/1?done=${action}`);
    expect((await loggedActions()).at(-1)).toEqual([action, { deviceId: 1, people: 2 }]);
    expect(await textOf("/owner/fair/1")).toMatch(text);
    await browser.runCron();
    expect((await rows("waitlist_emails")).map(({ email }) => email)).toEqual(added);
    expect(await inbox()).toEqual([]);
  });

  test("has pages of twenty", async () => {
    await revokedTablet(...Array.from({ length: 21 }, (_, n) => `person${n}@example.com`));
    const first = (await request("/owner/fair/1")).body;
    expect(first.match(/person\d+@example\.com/g)).toHaveLength(20);
    expect(first).toContain('href="/owner/fair/1?page=2#held"');
    expect(await textOf("/owner/fair/1?page=2")).toContain("person20@example.com");
  });
});

describe("closing", () => {
  test("says what may be lost", async () => {
    const tablet = await revokedTablet("ada@example.com");
    await tablet.send([], Date.now(), 3);
    const text = await textOf("/owner/fair/1");
    expect(text).toMatch(/3 sign-ups were still on the tablet.*1 sign-up that waits for your decision will be deleted/);
    expect((await post("/owner/fair/1", { intent: "close" })).headers.get("Location")).toContain("close-fair-device");
    expect(await textOf("/owner/fair")).toMatch(/Closed tablets.*Spring Fair/);
    expect((await loggedActions()).at(-1)).toEqual(["close-fair-device", { deviceId: 1 }]);
  });

  test("a tablet that has sent everything loses nothing", async () => {
    const tablet = await revokedTablet();
    await tablet.send([], Date.now() + 1, 0);
    expect(await textOf("/owner/fair/1")).toContain("Any sign-ups still on it will be lost");
    await tablet.send([], Date.now() + 2, 0, true);
    expect(await textOf("/owner/fair/1")).toContain("The tablet has sent everything that it had.");
  });
});
