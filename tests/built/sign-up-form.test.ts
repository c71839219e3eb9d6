import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { newsOnly } from "#app/waitlist/consent-wording.ts";
import { brokenD1 } from "#tests/support/pool/broken-d1.ts";
import { builtWorker, hiddenFields, messageOf, typedEmail } from "#tests/support/pool/built-site.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshStorageForEachTest();
const log = captureLog();

/** Posts the landing page's form as a browser without JavaScript does. */
async function submit(
  fields: Record<string, string> | [string, string][],
  { path = "/", headers = {}, replaced = {} } = {},
) {
  const execution = createExecutionContext();
  const request = new Request(`${env.SITE_URL}${path}`, {
    method: "POST",
    headers: { Origin: env.SITE_URL, ...headers },
    body: new URLSearchParams(fields),
  });
  const response = await builtWorker.fetch(request, { ...env, ...replaced }, execution);
  const html = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, html };
}

test("joins: 201, the message, an empty field, a row, and an email sent after the response", async () => {
  const { binding, accepted } = emailBinding();
  const { status, html } = await submit(
    { email: "Ada@Example.com", source: "landing_page" },
    { replaced: { EMAIL: binding } },
  );

  expect(status).toBe(201);
  expect(messageOf(html)).toEqual({ status: "success", text: "Thanks for joining! Please check your email." });
  expect(typedEmail(html)).toBe("");
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "ada@example.com", source: "landing_page" }]);
  expect(accepted).toEqual(["ada@example.com"]);
});

test("joins again in different case: 409, the message, the typed value preserved", async () => {
  await submit({ email: "ada@example.com" });
  const { status, html } = await submit({ email: "ADA@example.com" });
  expect(status).toBe(409);
  expect(messageOf(html)).toEqual({ status: "error", text: "This email is already on our waitlist!" });
  expect(typedEmail(html)).toBe("ADA@example.com");
});

test("an invalid address: 422, the message, the typed value preserved and escaped", async () => {
  const typed = `"><script>alert(1)</script>`;
  const { status, html } = await submit({ email: typed });
  expect(status).toBe(422);
  expect(messageOf(html)).toEqual({ status: "error", text: "Please enter a valid email address" });
  expect(typedEmail(html)).toBe(typed);
  expect(html).not.toContain("<script>alert(1)");
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("a misspelt address joins as typed; the button on the ticket signs up the suggested one", async () => {
  const { status, html } = await submit({ email: "Ada@Gmial.com" });
  expect(status).toBe(201);
  expect(messageOf(html).text).toBe("Thanks for joining! Please check your email.");
  expect(html).toContain("Did you mean ada@gmail.com?");
  const [button = ""] = /<button[^>]*>Use ada@gmail\.com instead/.exec(html) ?? [];
  for (const attribute of ['type="submit"', 'name="suggestedEmail"', 'form="join"', 'value="ada@gmail.com"'])
    expect(button).toContain(attribute);
  // What the button sends: its own value, then the field, which is empty now.
  const again = await submit([
    ["suggestedEmail", "ada@gmail.com"],
    ["email", ""],
    ["source", "landing_page"],
  ]);
  expect(messageOf(again.html)).toMatchObject({ status: "success" });
  expect(again.html).not.toContain("Did you mean");
  const entries = await rows("waitlist_emails");
  expect(entries.map(({ email }) => email)).toEqual(["ada@gmial.com", "ada@gmail.com"]);
});

test("an address that gets no email joins, and the ticket says so", async () => {
  const { binding, accepted } = emailBinding();
  const { status, html } = await submit({ email: "søren@example.com" }, { replaced: { EMAIL: binding } });
  expect([status, messageOf(html).text]).toEqual([201, "Thanks for joining! Please check your email."]);
  expect(html).toMatch(
    /<section class="ticket".*We can’t send email to addresses with letters such as ø before the @.*<\/section>/s,
  );
  expect(accepted).toEqual([]);
  expect(await rows("email_outbox")).toMatchObject([{ reason: "international-address" }]);
  expect((await submit({ email: "ada@example.com" })).html).not.toContain("letters such as ø");
});

test("an invalid address comes with a suggestion, and markup in it is escaped", async () => {
  expect((await submit({ email: "ada@gmail" })).html).toContain("Use ada@gmail.com instead");
  const { html } = await submit({ email: "'&<b>@gmail.con" });
  expect(html).not.toContain("<b>@");
  expect((await submit({ email: "o'h&m@gmial.com" })).html).toContain("Use o&#x27;h&amp;m@gmail.com instead");
});

test("the list of throwaway domains is served with the site, and marks and refuses addresses", async () => {
  await submit({ email: "ada@mailinator.com" });
  expect(await rows("waitlist_emails")).toMatchObject([{ email: "ada@mailinator.com", disposable: 1 }]);
  const { status, html } = await submit({ email: "bob@yopmail.com" }, { replaced: { DISPOSABLE: "refuse" } });
  expect([status, messageOf(html).text]).toEqual([
    422,
    "This is a throwaway address. Please enter one that you’ll still read when we launch.",
  ]);
  expect(typedEmail(html)).toBe("bob@yopmail.com");
});

test("campaign parameters of the URL are saved with the entry", async () => {
  await submit({ email: "ada@example.com" }, { path: "/?utm_source=fb_ads&utm_campaign=spring" });
  expect(await rows("waitlist_emails")).toMatchObject([{ utm_source: "fb_ads", utm_campaign: "spring" }]);
});

test("a failing database: 503, a message with its reference, the typed value preserved, nothing written", async () => {
  const { status, html } = await submit({ email: "ada@example.com" }, { replaced: { DB: brokenD1 } });

  expect(status).toBe(503);
  const { status: shown, text } = messageOf(html);
  expect(shown).toBe("error");
  expect(text).toContain("something went wrong on our side");
  expect(typedEmail(html)).toBe("ada@example.com");
  expect(html).not.toContain("D1_ERROR");
  const reference = /Reference (\w{4}-\w{4})/.exec(text)?.[1];
  const line = log.map((entry) => JSON.parse(entry)).find((entry) => entry.reference === reference);
  expect(line.error).toContain("D1_ERROR");
  expect(await rows("waitlist_emails")).toEqual([]);
});

describe("bad input", () => {
  test("a body that is not a form: the message for an invalid address", async () => {
    const { status, html } = await submit({}, { headers: { "Content-Type": "application/json" } });
    expect(status).toBe(422);
    expect(messageOf(html).text).toBe("Please enter a valid email address");
  });

  test("a source with markup: 422", async () => {
    expect((await submit({ email: "ada@example.com", source: "<b>" })).status).toBe(422);
  });

  test("5 KB: 413", async () => {
    expect((await submit({ email: "ada@example.com", pad: "x".repeat(5_000) })).status).toBe(413);
  });

  test.each(["https://evil.example", "null"])("Origin %s: 403", async (origin) => {
    expect((await submit({ email: "ada@example.com" }, { headers: { Origin: origin } })).status).toBe(403);
  });

  test("a filled honeypot: the response of a success", async () => {
    const { status } = await submit({ email: "bot@example.com", pitch_remark: "https://spam.example" });
    expect(status).toBe(201);
  });
});

test("a source without a form on the page gets its response in the first form", async () => {
  const { status, html } = await submit({ email: "ada@example.com", source: "partner_page" });
  expect(status).toBe(201);
  expect(messageOf(html)).toMatchObject({ status: "success" });
  expect(await rows("waitlist_emails")).toMatchObject([{ source: "partner_page" }]);
});

test("bytes that are not UTF-8 are not an address", async () => {
  const body = new Uint8Array([
    ...new TextEncoder().encode("email="),
    0xfc,
    ...new TextEncoder().encode("@example.com"),
  ]);
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const request = new Request(env.SITE_URL, { method: "POST", headers, body });
  expect((await builtWorker.fetch(request, env, createExecutionContext())).status).toBe(422);
  expect(await rows("waitlist_emails")).toEqual([]);
});

test.each(["PUT", "PATCH", "DELETE"])("%s is not allowed", async (method) => {
  const request = new Request(env.SITE_URL, { method, body: new URLSearchParams({ email: "ada@example.com" }) });
  const response = await builtWorker.fetch(request, env, createExecutionContext());
  expect(response.status).toBe(405);
  expect(response.headers.get("Allow")).toBe("GET, HEAD, POST");
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("GET and HEAD change nothing, regardless of their query", async () => {
  for (const method of ["GET", "HEAD"]) {
    const request = new Request(`${env.SITE_URL}/?email=ada@example.com&source=landing_page`, { method });
    const execution = createExecutionContext();
    const response = await builtWorker.fetch(request, env, execution);
    await waitOnExecutionContext(execution);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  }
  expect(await rows("waitlist_emails")).toEqual([]);
});

test("the form has a source, a method and a visible label, and works without JavaScript", async () => {
  const html = await (await builtWorker.fetch(new Request(env.SITE_URL), env, createExecutionContext())).text();
  expect(hiddenFields(html)).toEqual({ source: "landing_page", wording: newsOnly.version });
  expect(html).toMatch(/<form[^>]*method="post"/);
  expect(html).toMatch(/<label[^>]*>Your email address<\/label>/);
  expect(html).toMatch(/placeholder="Enter your email"/);
});

test("no address is logged: new, listed, invalid or failed", async () => {
  const attempts = [
    {},
    {},
    { replaced: { DB: brokenD1 } },
    { replaced: { EMAIL: emailBinding({ failures: 1 }).binding } },
  ];
  for (const options of attempts) await submit({ email: "ada@example.com" }, options);
  await submit({ email: "grace@example.com" }, { replaced: { EMAIL: emailBinding({ failures: 1 }).binding } });
  await submit({ email: "ada@example" });
  expect(log.length).toBeGreaterThan(3);
  expect(log.filter((line) => /@|\bada\b|grace/.test(line))).toEqual([]);
});
