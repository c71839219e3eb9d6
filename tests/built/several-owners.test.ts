import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { ownerBrowser } from "#tests/support/pool/owner.ts";

freshStorageForEachTest();
const log = captureLog();

const ADA = "ada@market.example";
const BOB = "bob@market.example";
const BOTH = { OWNER_EMAIL: `${ADA}, ${BOB}` };

type Browser = ReturnType<typeof ownerBrowser>;

async function signIn(browser: Browser, email: string) {
  await browser.post("/owner/sign-in", { email });
  return browser.post(browser.signInLink());
}

const statusOf = async (browser: Browser) => (await browser.request("/owner")).status;

test("each owner gets their own link, and acts in their own name", async () => {
  const [ada, bob] = [ownerBrowser(BOTH), ownerBrowser(BOTH)];
  // The minimum time between two links counts for each owner alone.
  for (const [browser, email] of [
    [ada, ADA],
    [bob, "Bob@Market.Example"],
  ] as const) {
    expect((await signIn(browser, email)).headers.get("Location")).toBe("/owner");
    expect(browser.emails.map(({ to }) => to)).toEqual([email.toLowerCase()]);
  }
  await ada.post("/owner/export.csv", { format: "csv" });
  await bob.post("/owner/sign-out");
  expect(
    (await rows<{ actor: string; action: string }>("owner_log")).map(({ actor, action }) => [actor, action]),
  ).toEqual([
    [ADA, "sign-in"],
    [BOB, "sign-in"],
    [ADA, "export"],
    [BOB, "sign-out"],
  ]);
  const { body } = await ada.request("/owner/log");
  expect(body).toContain(`signed in as <strong>${ADA}</strong>`);
  expect(body).toContain(BOB);
  expect([await statusOf(ada), await statusOf(bob)]).toEqual([200, 403]);
  expect(log.join()).not.toContain("@");
});

test("an address removed from OWNER_EMAIL loses its session with the next request, and its links", async () => {
  const [ada, bob] = [ownerBrowser(BOTH), ownerBrowser(BOTH)];
  await signIn(ada, ADA);
  await signIn(bob, BOB);
  await env.DB.exec("UPDATE owner_sign_in_tokens SET created_at = 0");
  await ada.post("/owner/sign-in", { email: ADA });
  const withoutAda = (browser: Browser) => {
    const next = ownerBrowser({ OWNER_EMAIL: BOB });
    for (const [name, value] of browser.cookies) next.cookies.set(name, value);
    return next;
  };
  expect(await statusOf(withoutAda(ada))).toBe(403);
  expect(await statusOf(withoutAda(bob))).toBe(200);
  expect((await withoutAda(ada).request(ada.signInLink())).status).toBe(403);
  expect((await withoutAda(ada).post(ada.signInLink())).status).toBe(403);
  await withoutAda(ada).post("/owner/sign-in", { email: ADA });
  expect(await rows("owner_sign_in_tokens")).toHaveLength(3);
  expect(await statusOf(ada)).toBe(200);
});

test("a phone and a laptop stay signed in together, until the owner signs out everywhere", async () => {
  const [phone, laptop, bob] = [ownerBrowser(BOTH), ownerBrowser(BOTH), ownerBrowser(BOTH)];
  await signIn(phone, ADA);
  await env.DB.exec("UPDATE owner_sign_in_tokens SET created_at = 0");
  await signIn(laptop, ADA);
  await signIn(bob, BOB);
  expect([await statusOf(phone), await statusOf(laptop)]).toEqual([200, 200]);
  expect((await phone.request("/owner/log")).body).toContain("in 2 browsers");
  const { status, headers } = await phone.post("/owner/sign-out-everywhere");
  expect([status, headers.get("Location")]).toEqual([303, "/owner"]);
  expect([...phone.cookies.keys()]).toEqual(["owner-browser"]);
  expect([await statusOf(phone), await statusOf(laptop), await statusOf(bob)]).toEqual([403, 403, 200]);
});

test.each(["/owner/sign-out", "/owner/sign-out-everywhere"])(
  "%s deletes the cookies, except for the one that knows the browser, and nothing else of the site",
  async (path) => {
    const browser = ownerBrowser(BOTH);
    await signIn(browser, ADA);
    await browser.post("/owner/entries", { search: "ada" });
    expect(browser.cookies.size).toBe(3);
    expect((await browser.post(path)).headers.get("Clear-Site-Data")).toBeNull();
    expect([...browser.cookies.keys()]).toEqual(["owner-browser"]);
  },
);

test("a malformed list closes the owner's pages, and the log names the variable without an address", async () => {
  const browser = ownerBrowser({ OWNER_EMAIL: `${ADA}, bob@market` });
  expect((await browser.request("/owner")).status).toBe(404);
  const [line = ""] = log.filter((text) => text.includes("config-problem"));
  expect(JSON.parse(line)).toMatchObject({ name: "OWNER_EMAIL", fatal: false });
  expect(line).not.toContain("@");
});
