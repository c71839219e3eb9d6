import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { post, unescaped } from "#tests/support/pool/built.ts";
import { listedAddresses, OWNER, signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* Addresses arrive with what a clipboard or a word processor adds to them. */

freshStorageForEachTest();

const browser = signedInBrowser({ OWNER_TIME_ZONE: "Europe/London" });
const headers = { Origin: env.SITE_URL };
const PASTED = "\u2068\u200b\tO’Brien@Example.com\u202f\u200f\ufeff";

const ways: Record<string, () => Promise<unknown>> = {
  "the form": () => post("/", { email: PASTED }, { headers }),
  "the button of a suggestion": () => post("/", { suggestedEmail: PASTED, email: "" }, { headers }),
  "/api/signup": () =>
    browser.request("/api/signup", {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ email: PASTED }),
    }),
  "an owner": () =>
    browser.post("/owner/entries/new", { email: PASTED, "consent-date": "2026-07-04", note: "Asked me at the stall" }),
};

test.each(Object.entries(ways))("%s takes them, and stores what was meant", async (_, send) => {
  await send();
  expect((await rows("waitlist_emails")).map(({ email }) => email)).toEqual(["o'brien@example.com"]);
});

test("an owner is sent a link to sign in", async () => {
  await env.DB.exec("UPDATE owner_sign_in_tokens SET created_at = created_at - 600000");
  browser.emails.length = 0;
  await browser.post("/owner/sign-in", { email: `\u00a0${OWNER.toUpperCase()}\u200b` });
  expect(browser.emails.map(({ to }) => to)).toEqual([OWNER]);
});

test.each(["\u200bO’Brien\u00a0", "o'brien@example.com.", "’brien@ex"])("a search for %j finds it", async (search) => {
  for (const email of ["o'brien@example.com", "other@example.com"]) await post("/", { email }, { headers });
  const started = await browser.post("/owner/entries", { search });
  const { body } = await browser.request(started.headers.get("Location") ?? "");
  expect(listedAddresses(body).map(unescaped)).toEqual(["o'brien@example.com"]);
});

test.each(["/", "/owner/sign-in", "/owner/entries/new"])(
  "on %s, browsers check with our pattern only, and correct nothing",
  async (path) => {
    if (path === "/owner/sign-in") browser.cookies.clear();
    const { body } = await browser.request(path === "/owner/sign-in" ? "/owner" : path);
    const [field = ""] = /<input[^>]*name="email"[^>]*>/.exec(body) ?? [];
    expect(field).not.toContain('type="email"');
    expect(field).toContain('autoCorrect="off"');
    const [, pattern = ""] = / pattern="([^"]*)"/.exec(field) ?? [];
    const accepts = new RegExp(`^(?:${unescaped(pattern)})$`, "v");
    const typed = [
      "o'brien@example.com",
      PASTED,
      "søren@münchen.example",
      "ada@example",
      "a b@example.com",
      "ada.example",
    ];
    expect(typed.map((address) => accepts.test(address))).toEqual([true, true, true, false, false, false]);
  },
);
