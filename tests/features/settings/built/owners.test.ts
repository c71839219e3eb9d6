import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, OWNER, type OwnerBrowser, ownerBrowser, signedIn } from "#tests/support/pool/owner.ts";
import { db, execute, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* Owners add, remove and sign out owners on a page. */

freshStorageForEachTest();

const PATH = "/owner/settings/owners";
const ADA = "ada@market.example";
const EVE = "eve@market.example";

let browser: OwnerBrowser;

beforeEach(async () => {
  browser = await signedIn({});
});

/** @returns the outcome that the page shows then */
async function change(by: OwnerBrowser, intent: string, email: string) {
  const response = await by.post(PATH, { intent, email });
  return { ...response, done: /done=([\w-]+)/.exec(response.headers.get("Location") ?? "")?.[1] };
}

const stored = async () => JSON.parse(String((await rows("settings"))[0]?.["stored"] ?? "{}"));
const statusOf = async (one: OwnerBrowser) => (await one.request(PATH)).status;
const page = async (one = browser) => visibleText((await one.request(PATH)).body);
const recipients = (one: OwnerBrowser) => one.emails.map(({ to, text = "" }) => [to, text] as const);

/** What each owner is told about a change of owners. */
async function told(one = browser) {
  one.emails.length = 0;
  await one.runCron();
  return recipients(one)
    .map(([to, text]) => [to, /Owners: .*/.exec(text)?.[0]])
    .toSorted();
}

test("an owner who is added can sign in, and is listed with where they come from and since when they are signed in", async () => {
  expect((await signedIn({}, env.SITE_URL, ADA)).cookies.size).toBe(0);
  expect((await change(browser, "add", " Ada@Market.example ")).done).toBe("owners-changed");
  expect(await stored()).toEqual({ OWNERS_ADDED: ADA });
  const ada = await signedIn({}, env.SITE_URL, ADA);
  expect(await statusOf(ada)).toBe(200);
  const text = await page(ada);
  expect(text).toMatch(RegExp(`${OWNER} Deployed with the site .*${ADA} \\(you\\) Added here`));
  expect(text).not.toContain("Not signed in");
  expect((await loggedActions()).slice(0, 1)).toEqual([
    ["change-setting", { setting: "Owners", from: OWNER, to: `${OWNER}, ${ADA}` }],
  ]);
  expect((await change(browser, "add", ADA)).done).toBe("unchanged");
});

test("both, old and new, get one email about each change, with who did it", async () => {
  await change(browser, "add", ADA);
  await change(browser, "add", EVE);
  await change(browser, "remove", ADA);
  const changes = [
    `Owners: ${OWNER}, ${ADA}. Before: ${OWNER}.`,
    `Owners: ${OWNER}, ${ADA}, ${EVE}. Before: ${OWNER}, ${ADA}.`,
    `Owners: ${OWNER}, ${EVE}. Before: ${OWNER}, ${ADA}, ${EVE}.`,
  ];
  const all = [ADA, OWNER].flatMap((to) => changes.map((text) => [to, text]));
  expect(await told()).toEqual([...all, ...changes.slice(1).map((text) => [EVE, text])].toSorted());
  expect(recipients(browser)[0]?.[1]).toContain(`${OWNER} changed this on`);
  expect(await told()).toEqual([]);
});

test("who is removed is out at once: no session, no link from before, no link from then on, and the site's variable does not let in", async () => {
  const vars = { OWNER_EMAIL: `${OWNER}, ${ADA}` };
  const boss = await signedIn(vars);
  const ada = await signedIn(vars, env.SITE_URL, ADA);
  const link = (await createSignInLink(db, { siteUrl: env.SITE_URL, email: ADA }, Date.now())).slice(
    env.SITE_URL.length,
  );
  expect(await statusOf(ada)).toBe(200);
  expect((await change(boss, "remove", ADA)).done).toBe("owners-changed");
  expect(await stored()).toEqual({ OWNERS_REMOVED: ADA });
  expect(await statusOf(ada)).toBe(403);
  expect((await ada.post(link)).status).toBe(403);
  ada.emails.length = 0;
  await ada.post("/owner/sign-in", { email: ADA });
  expect(ada.emails).toEqual([]);
  expect((await signedIn(vars, env.SITE_URL, ADA)).cookies.size).toBe(0);
  expect(await page(boss)).toContain(
    `Removed owners They cannot sign in, even if the site is deployed with their address. Address Change ${ADA}`,
  );

  // Back again.
  expect((await change(boss, "add", ADA)).done).toBe("owners-changed");
  expect(await stored()).toEqual({});
  expect(await statusOf(await signedIn(vars, env.SITE_URL, ADA))).toBe(200);
  // The session from before stays ended.
  expect(await statusOf(ada)).toBe(403);
});

test("an emailed link that still waits for an owner who is removed is not sent", async () => {
  await change(browser, "add", ADA);
  const offline = ownerBrowser({ EMAIL: { send: () => Promise.reject(new Error("E_INTERNAL_SERVER_ERROR")) } });
  await offline.post("/owner/sign-in", { email: ADA });
  expect((await rows("email_outbox")).map(({ kind }) => kind)).toContain("sign-in");
  await change(browser, "remove", ADA);
  expect((await rows("email_outbox")).map(({ kind }) => kind)).not.toContain("sign-in");
});

test("the last owner cannot be removed, and one who removes oneself is signed out", async () => {
  expect(await page()).toContain("The last owner cannot be removed");
  expect((await change(browser, "remove", OWNER)).done).toBe("last-owner");
  await change(browser, "add", ADA);
  expect(await page()).toContain("You remove yourself.");
  const left = await change(browser, "remove", OWNER);
  expect(visibleText(left.body)).toContain("You are no longer an owner");
  expect(browser.cookies.has("owner") || browser.cookies.has("__Host-owner")).toBe(false);
  expect(await statusOf(browser)).toBe(403);
  const ada = await signedIn({}, env.SITE_URL, ADA);
  expect((await change(ada, "remove", ADA)).done).toBe("last-owner");
  expect(await told(ada)).toContainEqual([OWNER, `Owners: ${ADA}. Before: ${OWNER}, ${ADA}.`]);
});

test("two owners who remove each other at the same time: one of them stays, and the other's change is refused", async () => {
  for (let round = 0; round < 5; round += 1) {
    await execute("DELETE FROM settings");
    const vars = { OWNER_EMAIL: `${OWNER}, ${ADA}` };
    const both = await Promise.all([OWNER, ADA].map((email) => signedIn(vars, env.SITE_URL, email)));
    const responses = await Promise.all(both.map((one, index) => change(one, "remove", index === 0 ? ADA : OWNER)));
    expect(responses.map(({ done, status }) => done ?? status).toSorted()).toEqual(["owners-changed", 403].toSorted());
    expect(await Promise.all(both.map(statusOf))).toEqual(responses.map(({ done }) => (done ? 200 : 403)));
    await execute("DELETE FROM saved_versions");
  }
});

test("three owners who each remove the next one at the same time leave at least one, and each change is told once", async () => {
  const emails = [OWNER, ADA, EVE];
  const vars = { OWNER_EMAIL: emails.join() };
  const all = await Promise.all(emails.map((email) => signedIn(vars, env.SITE_URL, email)));
  const responses = await Promise.all(all.map((one, index) => change(one, "remove", emails[(index + 1) % 3] ?? "")));
  const removals = responses.filter(({ done }) => done === "owners-changed").length;
  const removed = String((await stored()).OWNERS_REMOVED).split(", ");
  expect([removals, removed.length]).toEqual([removed.length, removals]);
  expect(removals).toBeLessThan(3);
  expect((await rows("email_outbox")).filter(({ kind }) => kind === "settings-changed")).toHaveLength(
    removals === 1 ? 3 : 5,
  );
});

test("signing an owner out ends their sessions and their unused links, and nobody else's", async () => {
  await change(browser, "add", ADA);
  const ada = await signedIn({}, env.SITE_URL, ADA);
  const link = (await createSignInLink(db, { siteUrl: env.SITE_URL, email: ADA }, Date.now())).slice(
    env.SITE_URL.length,
  );
  expect((await change(browser, "sign-out", ADA)).done).toBe("owner-signed-out");
  expect([await statusOf(ada), (await ada.post(link)).status, await statusOf(browser)]).toEqual([403, 403, 200]);
  expect((await loggedActions()).at(-1)).toEqual(["sign-out-owner", { owner: ADA }]);
  // They may sign in again.
  expect(await statusOf(await signedIn({}, env.SITE_URL, ADA))).toBe(200);
});

describe("refused", () => {
  test.each(["", "ada", "ada@market", "a@b.example, c@d.example"])("an address that is none: %s", async (email) => {
    const { status, body } = await change(browser, "add", email);
    expect([status, body.includes('id="email-problem"')]).toEqual([422, true]);
    expect(await rows("settings")).toEqual([]);
  });

  test("a form from another site, without a session, without a button that exists, and of an earlier version", async () => {
    const fields = { intent: "add", email: ADA };
    expect((await browser.post(PATH, fields, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await ownerBrowser().post(PATH, fields)).status).toBe(403);
    expect((await browser.request(`${PATH}?intent=add&email=${ADA}`)).status).toBe(200);
    expect((await change(browser, "constructor", ADA)).status).toBe(400);
    expect(await rows("settings")).toEqual([]);
    await change(browser, "add", ADA);
    await browser.post(PATH, { intent: "save", "owners-added": EVE, "owners-removed": OWNER });
    expect(await stored()).toEqual({ OWNERS_ADDED: ADA });
  });
});

test("every address of OWNER_EMAIL may have been removed: nobody gets in, and a new address in it does", async () => {
  await change(browser, "add", ADA);
  await change(browser, "remove", OWNER);
  // The row lost whom it had added.
  await execute("UPDATE settings SET stored = json_remove(stored, '$.OWNERS_ADDED')");
  expect((await signedIn({})).cookies.size).toBe(0);
  expect(await statusOf(await signedIn({ OWNER_EMAIL: `${OWNER}, ${EVE}` }, env.SITE_URL, EVE))).toBe(200);
});
