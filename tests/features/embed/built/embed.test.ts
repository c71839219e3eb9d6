import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { questions } from "#app/site.ts";
import { newsOnly, wordingTexts } from "#app/waitlist/sign-up/consent-wording.ts";
import { hiddenFields, messageOf, post, read, typedEmail, visibleText } from "#tests/support/pool/built.ts";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { mockFetch, turnstileKeys } from "#tests/support/pool/failures.ts";
import { freshStorageForEachTest, join, needs, rows, storedAnswers } from "#tests/support/pool/start.ts";
import { answerFields, answersToAll } from "#tests/support/site-answers.ts";

needs("embed");
const log = freshStorageForEachTest();

const SHOP = "https://shop.example";
const browser = { Origin: SHOP, Referer: `${SHOP}/`, Accept: "text/html" };

beforeEach(() => env.DB.exec(`INSERT INTO embed_origins VALUES ('${SHOP}', 0)`));

/** Sends the form of the shop, with a wording unless the fields have another. */
function send(fields: Record<string, string>, { headers = {}, replaced = {}, search = "" } = {}) {
  const init = { headers: { ...browser, ...headers }, replaced };
  return post(`/api/embed${search}`, { wording: newsOnly.version, ...fields }, init);
}

/** The hidden fields beside the page's own form, which it sends along. */
function besideForm(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" form="join" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(fields, ([, name = "", value = ""]) => [name, value]));
}

const entries = () => rows<Record<string, unknown>>("waitlist_emails");

describe("a form on an allowed site", () => {
  test("joins as on the site: 201, the message, the ticket, its source, where it was, and the email", async () => {
    const { binding, accepted } = emailBinding();
    const pasted = { email: "\u200b\tO’Brien@Example.com\u00a0\ufeff", source: "shop" };
    const { status, body, headers } = await send(pasted, { replaced: { EMAIL: binding } });
    expect(status).toBe(201);
    expect(messageOf(body)).toEqual({ status: "success", text: "Thanks for joining! Please check your email." });
    expect(body).toContain('<section class="ticket"');
    const stored = { email: "o'brien@example.com", source: "shop", consent_version: newsOnly.version };
    expect(await entries()).toMatchObject([{ ...stored, referrer_host: "shop.example", verified: 0 }]);
    expect(accepted).toEqual(["o'brien@example.com"]);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
  });

  test.each([
    ["joins again", "ADA@example.com", 409, "This email is already on our waitlist!"],
    ["has an invalid address", "ada@example", 422, "Please enter a valid email address"],
  ])("that %s gets the words of the site, and keeps what was typed", async (_, email, code, text) => {
    await join("ada@example.com");
    const { status, body } = await send({ email, source: "shop" });
    expect(status).toBe(code);
    expect(messageOf(body)).toEqual({ status: "error", text });
    expect(typedEmail(body)).toBe(email);
    expect(hiddenFields(body)).toMatchObject({ source: "shop" });
    expect(body).not.toContain('<section class="ticket"');
    expect(await entries()).toHaveLength(1);
  });

  test("counts towards the limits of the client", async () => {
    const CLIENT_LIMIT = { limit: async ({ key }: RateLimitOptions) => ({ success: key !== "signup:203.0.113.9" }) };
    const headers = { "CF-Connecting-IP": "203.0.113.9" };
    const last = await send({ email: "ada@example.com" }, { headers, replaced: { CLIENT_LIMIT } });
    expect([last.status, messageOf(last.body).status]).toEqual([429, "error"]);
    expect(last.headers.get("Retry-After")).toBe("60");
    expect(typedEmail(last.body)).toBe("ada@example.com");
    expect(await entries()).toEqual([]);
    expect(await rows("blocked_attempts")).toMatchObject([{ reason: "rate-limited" }]);
  });

  test.each([
    ["", "embed"],
    ["Autumn Fair!", "autumn_fair"],
    ["constructor", "constructor"],
  ])("with the source %j joins as %s", async (source, stored) => {
    await send({ email: "ada@example.com", source });
    expect(await entries()).toMatchObject([{ source: stored }]);
  });

  test("brings its campaign, from fields or from its URL, also when the address is corrected", async () => {
    const search = "?utm_source=shop&utm_campaign=other";
    const campaign = { utm_campaign: "fair", referrer_host: "news.example" };
    const first = await send({ email: "ada@example", ...campaign }, { search });
    const own = { Origin: env.SITE_URL, Referer: `${env.SITE_URL}/api/embed` };
    await send({ email: "ada@example.com", ...besideForm(first.body) }, { headers: own });
    expect(await entries()).toMatchObject([{ utm_source: "shop", ...campaign }]);
  });

  test("copied with earlier words of consent joins, and has those on record", async () => {
    const [earlier = ""] = Object.keys(wordingTexts);
    expect((await send({ email: "ada@example.com", wording: earlier })).status).toBe(201);
    expect(await entries()).toMatchObject([{ consent_version: earlier }]);
  });

  test.each([
    ["a version that this site never had", { wording: "2024-01" }],
    ["no version of them", {}],
  ])("with %s adds nobody, and shows today's words, with which the address joins", async (_, wording) => {
    const { status, body } = await post("/api/embed", { email: "ada@example.com", ...wording }, { headers: browser });
    expect(status).toBe(409);
    expect(messageOf(body).text).toMatch(/^That form may not show what we promise/);
    expect(visibleText(body)).toContain(newsOnly.text);
    expect(typedEmail(body)).toBe("ada@example.com");
    expect(await entries()).toEqual([]);
    const fields = { ...hiddenFields(body), ...besideForm(body), email: typedEmail(body) };
    const own = { ...browser, Origin: env.SITE_URL };
    expect((await post("/api/embed", fields, { headers: own })).status).toBe(201);
    expect(await entries()).toMatchObject([{ email: "ada@example.com", consent_version: newsOnly.version }]);
  });

  test.skipIf(questions.length === 0)("is followed by the questions, whose answers are stored", async () => {
    const { body } = await send({ email: "ada@example.com", source: "shop" });
    const token = /name="answerToken" value="([^"]+)"/.exec(body)?.[1] ?? "";
    const given = answersToAll(0);
    const fields = answerFields(given);
    const own = { Origin: env.SITE_URL };
    const answered = await send({ ...fields, answerToken: token, source: "shop" }, { headers: own });
    expect(answered.status).toBe(200);
    expect(answered.body).toContain('<section class="ticket"');
    expect(await storedAnswers()).toEqual([given]);
    expect((await send({ ...fields, answerToken: "x", source: "shop" }, { headers: own })).status).toBe(403);
  });
});

describe("where Turnstile is configured", () => {
  test("joins as one who is not verified, without asking Turnstile", async () => {
    mockFetch(() => Promise.reject(new Error("no network")));
    const { status } = await send({ email: "ada@example.com" }, { replaced: turnstileKeys });
    expect(status).toBe(201);
    expect(await entries()).toMatchObject([{ verified: 0 }]);
    expect(log.join()).not.toContain("turnstile-failed");
  });

  test("over the limit of those, the page has the site's form with Turnstile, and keeps the address", async () => {
    const replaced = { ...turnstileKeys, UNVERIFIED_LIMIT: { limit: async () => ({ success: false }) } };
    const { status, body } = await send({ email: "ada@example.com" }, { replaced });
    expect([status, messageOf(body).status]).toEqual([429, "error"]);
    expect(typedEmail(body)).toBe("ada@example.com");
    expect(body).toContain('class="sign-up-challenge"');
    expect(body).toContain(turnstileKeys.TURNSTILE_SITE_KEY);
  });
});

describe("a form that is refused", () => {
  test.each([
    ["not allowed", { Origin: "https://other.example" }],
    ["hidden", { Origin: "null" }],
  ])("because its site is %s gets a page in plain words, with the way to the site's own form", async (_, headers) => {
    const { status, body, headers: received } = await send({ email: "ada@example.com" }, { headers });
    expect(status).toBe(403);
    const text = visibleText(body);
    expect(text).toContain("This form isn’t set up");
    expect(text).toContain("nothing was stored.");
    expect(body).toContain('href="/#join"');
    expect(body).not.toContain("ada@example.com");
    expect(received.get("Cache-Control")).toBe("no-store");
    expect(await entries()).toEqual([]);
  });

  test("because its site cannot be looked up gets the reference of the error in the log", async () => {
    const { status, body } = await send({ email: "ada@example.com" }, { replaced: { DB: brokenD1 } });
    expect(status).toBe(503);
    const reference = /data-reference=""[^>]*>([\w-]+)</.exec(body)?.[1];
    const line = log.map((entry) => JSON.parse(entry)).find((entry) => entry.reference === reference);
    expect(line.error).toContain("D1_ERROR");
    expect(log.join()).not.toContain("ada@");
  });
});

test("GET shows the site's form and changes nothing, HEAD neither", async () => {
  const { status, body, headers, text } = await read("/api/embed?email=ada@example.com&source=shop&utm_source=shop");
  expect(status).toBe(200);
  expect(text).toContain(newsOnly.text);
  expect(hiddenFields(body)).toEqual({ source: "embed", wording: newsOnly.version });
  expect(typedEmail(body)).toBe("");
  expect(body).toContain('<meta name="robots" content="noindex"/>');
  expect([headers.get("Cache-Control"), headers.get("X-Robots-Tag")]).toEqual(["no-store", "noindex"]);
  const head = await read("/api/embed", {}, "HEAD");
  expect([head.status, head.body]).toEqual([200, ""]);
  expect(await entries()).toEqual([]);
});

test("after the launch it leads to the product, and adds nobody", async () => {
  const replaced = { LAUNCH_URL: "https://app.market.example/welcome" };
  const sent = await send({ email: "ada@example.com" }, { replaced });
  expect(sent.status).toBe(410);
  for (const { body } of [await read("/api/embed", replaced), sent]) {
    expect(body).toContain(`href="${replaced.LAUNCH_URL}"`);
    expect(body).not.toContain('name="email"');
  }
  expect(await entries()).toEqual([]);
});
