import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { confirmEntry } from "#app/waitlist/confirmation.server.ts";
import { newsOnly } from "#app/waitlist/consent-wording.ts";
import { visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { listedAddresses, signedInBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
captureLog();

const browser = signedInBrowser();

describe("where addresses have to be confirmed", () => {
  const joinUnconfirmed = () => join("ada@example.com", { mustConfirm: true });

  test("the overview says how many are unconfirmed, and nothing if none is", async () => {
    await join("bob@example.com");
    expect(visibleText((await browser.request("/owner")).body)).not.toContain("Unconfirmed");
    await joinUnconfirmed();
    await browser.post("/owner/stats?days=30");
    expect(visibleText((await browser.request("/owner")).body)).toContain(
      "1 can get email Unconfirmed 1 Joined in total 2",
    );
  });

  test("an entry shows its state and consent, and offers the welcome email only once it is confirmed", async () => {
    await joinUnconfirmed();
    const path = "/owner/entries/1";
    const before = (await browser.request(path)).body;
    expect(visibleText(before)).toContain("Confirmation Not confirmed yet");
    expect(visibleText(before)).toContain(`Agreed to ${newsOnly.text}`);
    expect(visibleText(before)).toContain("not confirmed yet, so it gets no welcome email");
    expect(before).not.toContain('value="resend"');
    expect((await browser.post(path, { intent: "resend" })).headers.get("Location")).toContain("done=unchanged");
    expect((await rows("email_outbox")).map(({ kind }) => kind)).toEqual(["sign-in", "confirm"]);
    await confirmEntry(openDb(env.DB), 1, Date.now());
    const after = (await browser.request(path)).body;
    expect(visibleText(after)).toContain("Confirmation Confirmed");
    expect(after).toContain('value="resend"');
  });

  test("an entry that the owner unsubscribes says so", async () => {
    await join("ada@example.com");
    await browser.post("/owner/entries/1", { intent: "unsubscribe" });
    expect(await rows("waitlist_emails")).toMatchObject([{ unsubscribe_reason: "owner" }]);
    expect(visibleText((await browser.request("/owner/entries/1")).body)).toContain("Unsubscribed by The owner");
  });
});

test("the list filters by confirmation, and keeps that filter when paging", async () => {
  const db = openDb(env.DB);
  const email = (n: number) => `person${n}@example.com`;
  for (let n = 1; n <= 30; n += 1) await join(email(n), { mustConfirm: n > 2 });
  await confirmEntry(db, 3, Date.now());
  const of = async (confirmation: string) =>
    listedAddresses((await browser.request(`/owner/entries?order=oldest&confirmation=${confirmation}`)).body);
  expect(await of("not-asked")).toEqual([email(1), email(2)]);
  expect(await of("confirmed")).toEqual([email(3)]);
  expect(await of("nonsense")).toHaveLength(25);
  const { body } = await browser.request("/owner/entries?order=oldest&confirmation=unconfirmed");
  expect(listedAddresses(body)).toEqual(Array.from({ length: 25 }, (_, n) => email(n + 4)));
  expect(body.match(/status-unconfirmed/g)).toHaveLength(25);
  const next = /href="([^"]*)">Next/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(next).toBe("/owner/entries?confirmation=unconfirmed&order=oldest&after=28");
  expect(listedAddresses((await browser.request(next)).body)).toEqual([email(29), email(30)]);
});
