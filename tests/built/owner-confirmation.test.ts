import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { CONSENT_VERSION } from "#app/waitlist/consent-wording.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { ownerBrowser } from "#tests/support/pool/owner.ts";

freshDatabaseForEachTest();
captureLog();

let browser: ReturnType<typeof ownerBrowser>;

beforeEach(async () => {
  browser = ownerBrowser();
  await browser.signIn();
});

const join = (email: string) =>
  addEntry(openDb(env.DB), { email, source: "landing_page", columns: {}, now: Date.now() });

/** The text of a page, with single spaces. */
function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

/** The addresses that a page lists, in order. */
function listed(html: string): string[] {
  return Array.from(html.matchAll(/<a href="\/owner\/entries\/\d+\?[^"]*">([^<]+)/g), ([, email]) => email ?? "");
}

describe("where addresses have to be confirmed", () => {
  const joinUnconfirmed = () =>
    addEntry(openDb(env.DB), {
      email: "ada@example.com",
      source: "stall",
      columns: {},
      now: Date.now(),
      mustConfirm: true,
    });

  test("the overview says how many are unconfirmed, and nothing if none is", async () => {
    await join("bob@example.com");
    expect(textOf((await browser.request("/owner")).body)).not.toContain("Not confirmed yet");
    await joinUnconfirmed();
    await browser.post("/owner/stats?days=30");
    expect(textOf((await browser.request("/owner")).body)).toContain(
      "On the waitlist 2 Not confirmed yet 1 Joined in total 2",
    );
  });

  test("an entry shows its state and consent, and offers the welcome email only once it is confirmed", async () => {
    await joinUnconfirmed();
    const path = "/owner/entries/1";
    const before = (await browser.request(path)).body;
    expect(textOf(before)).toContain("Confirmation Not confirmed yet");
    expect(textOf(before)).toContain(`Wording agreed to ${CONSENT_VERSION}`);
    expect(textOf(before)).toContain("not confirmed yet, so it gets no welcome email");
    expect(before).not.toContain('value="resend"');
    expect((await browser.post(path, { intent: "resend" })).headers.get("Location")).toContain("done=unchanged");
    expect((await rows("email_outbox")).map(({ kind }) => kind)).toEqual(["sign-in", "confirm"]);
    await confirmEntry(openDb(env.DB), 1, Date.now());
    const after = (await browser.request(path)).body;
    expect(textOf(after)).toContain("Confirmation Confirmed");
    expect(after).toContain('value="resend"');
  });

  test("an entry that the owner unsubscribes says so", async () => {
    await join("ada@example.com");
    await browser.post("/owner/entries/1", { intent: "unsubscribe" });
    expect(await rows("waitlist_emails")).toMatchObject([{ unsubscribe_reason: "owner" }]);
    expect(textOf((await browser.request("/owner/entries/1")).body)).toContain("Unsubscribed by The owner");
  });
});

test("the list filters by confirmation, and keeps that filter when paging", async () => {
  const db = openDb(env.DB);
  const email = (n: number) => `person${n}@example.com`;
  for (let n = 1; n <= 30; n += 1)
    await addEntry(db, { email: email(n), source: "stall", columns: {}, now: Date.now(), mustConfirm: n > 2 });
  await confirmEntry(db, 3, Date.now());
  const of = async (confirmation: string) =>
    listed((await browser.request(`/owner/entries?order=oldest&confirmation=${confirmation}`)).body);
  expect(await of("not-asked")).toEqual([email(1), email(2)]);
  expect(await of("confirmed")).toEqual([email(3)]);
  expect(await of("nonsense")).toHaveLength(25);
  const { body } = await browser.request("/owner/entries?order=oldest&confirmation=unconfirmed");
  expect(listed(body)).toEqual(Array.from({ length: 25 }, (_, n) => email(n + 4)));
  expect(body.match(/status-unconfirmed/g)).toHaveLength(25);
  const next = /href="([^"]*)">Next/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(next).toBe("/owner/entries?confirmation=unconfirmed&order=oldest&after=28");
  expect(listed((await browser.request(next)).body)).toEqual([email(29), email(30)]);
});
