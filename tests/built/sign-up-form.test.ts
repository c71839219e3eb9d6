import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { hiddenFields, messageOf, post, read, request, typedEmail } from "#tests/support/pool/built.ts";
import { brokenD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/*
 * The landing page's form as a browser without JavaScript sends it. What it refuses as any other form: blocked-forms.test.ts;
 * while the database fails: failure-modes.test.ts.
 */

const log = freshStorageForEachTest();

async function submit(fields: Record<string, string>, { path = "/", headers = {}, replaced = {} } = {}) {
  const { status, body } = await post(path, fields, { headers: { Origin: env.SITE_URL, ...headers }, replaced });
  return { status, html: body, message: messageOf(body), typed: typedEmail(body) };
}

const joined = { status: "success", text: "Thanks for joining! Please check your email." };
const invalid = { status: "error", text: "Please enter a valid email address" };
const entries = () => rows("waitlist_emails");

test("has a source, a method and a visible label, and works without JavaScript", async () => {
  const { body } = await read("/");
  expect(hiddenFields(body)).toEqual({ source: "landing_page", wording: newsOnly.version });
  expect(body).toMatch(/<form[^>]*method="post"/);
  expect(body).toMatch(/<label[^>]*>Your email address<\/label>/);
});

test("a new address joins, with the campaign of the URL, and is sent an email after the response", async () => {
  const { binding, accepted } = emailBinding();
  const sent = { email: "Ada@Example.com", source: "landing_page" };
  const path = "/?utm_source=fb_ads&utm_campaign=spring";
  expect(await submit(sent, { path, replaced: { EMAIL: binding } })).toMatchObject({
    status: 201,
    message: joined,
    typed: "",
  });
  const stored = { email: "ada@example.com", source: "landing_page", utm_source: "fb_ads", utm_campaign: "spring" };
  expect(await entries()).toMatchObject([stored]);
  expect(accepted).toEqual(["ada@example.com"]);
});

test("a listed address in different case: 409, the message, the typed value preserved", async () => {
  await submit({ email: "ada@example.com" });
  const message = { status: "error", text: "This email is already on our waitlist!" };
  expect(await submit({ email: "ADA@example.com" })).toMatchObject({ status: 409, message, typed: "ADA@example.com" });
});

test("an invalid address: 422, the message, the typed value preserved and escaped", async () => {
  const typed = `"><script>alert(1)</script>`;
  const response = await submit({ email: typed });
  expect(response).toMatchObject({ status: 422, message: invalid, typed });
  expect(response.html).not.toContain("<script>alert(1)");
});

test("a misspelt address joins as typed; the button on the ticket signs up the suggested one", async () => {
  const { message, html } = await submit({ email: "Ada@Gmial.com" });
  expect(message).toEqual(joined);
  expect(html).toContain("Did you mean ada@gmail.com?");
  const [button = ""] = /<button[^>]*>Use ada@gmail\.com instead/.exec(html) ?? [];
  for (const attribute of ['type="submit"', 'name="suggestedEmail"', 'form="join"', 'value="ada@gmail.com"'])
    expect(button).toContain(attribute);
  // What the button sends: its own value, then the field, which is empty now.
  const again = await submit({ suggestedEmail: "ada@gmail.com", email: "", source: "landing_page" });
  expect(again.message).toEqual(joined);
  expect(again.html).not.toContain("Did you mean");
  expect((await entries()).map(({ email }) => email)).toEqual(["ada@gmial.com", "ada@gmail.com"]);
});

test("an invalid address comes with a suggestion, and markup in it is escaped", async () => {
  expect((await submit({ email: "ada@gmail" })).html).toContain("Use ada@gmail.com instead");
  expect((await submit({ email: "'&<b>@gmail.con" })).html).not.toContain("<b>@");
  expect((await submit({ email: "o'h&m@gmial.com" })).html).toContain("Use o&#x27;h&amp;m@gmail.com instead");
});

test("an address that gets no email joins, and the ticket says so", async () => {
  const { binding, accepted } = emailBinding();
  const { message, html } = await submit({ email: "søren@example.com" }, { replaced: { EMAIL: binding } });
  expect(message).toEqual(joined);
  const note = /<section class="ticket".*addresses with letters such as ø before the @.*<\/section>/s;
  expect(html).toMatch(note);
  expect(accepted).toEqual([]);
  expect((await submit({ email: "ada@example.com" })).html).not.toMatch(note);
});

test("the list of throwaway domains is served with the site, and marks and refuses addresses", async () => {
  await submit({ email: "ada@mailinator.com" });
  expect(await entries()).toMatchObject([{ email: "ada@mailinator.com", disposable: 1 }]);
  const refused = await submit({ email: "bob@yopmail.com" }, { replaced: { DISPOSABLE: "refuse" } });
  expect(refused).toMatchObject({ status: 422, typed: "bob@yopmail.com" });
  expect(refused.message.text).toContain("throwaway address");
});

describe("bad input", () => {
  test.each<[string, number, Record<string, string>, object?]>([
    ["a body that is not a form", 422, {}, { "Content-Type": "application/json" }],
    ["a source with markup", 422, { email: "ada@example.com", source: "<b>" }],
    ["a filled honeypot, whose answer is that of a success", 201, { email: "bot@example.com", pitch_remark: "x" }],
  ])("%s: %i, and adds nobody", async (_name, status, fields, headers = {}) => {
    expect((await submit(fields, { headers })).status).toBe(status);
    expect(await entries()).toEqual([]);
  });

  test("bytes that are not UTF-8 are not an address", async () => {
    const encoder = new TextEncoder();
    const body = new Uint8Array([...encoder.encode("email="), 0xfc, ...encoder.encode("@example.com")]);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await request(env.SITE_URL, { method: "POST", headers, body }, env)).status).toBe(422);
    expect(await entries()).toEqual([]);
  });
});

test.each(["GET", "HEAD"])("%s changes nothing", async (method) => {
  expect((await read("/?email=ada@example.com&source=landing_page", {}, method)).status).toBe(200);
  expect(await entries()).toEqual([]);
});

test("a source without a form on the page gets its response in the first form", async () => {
  const { message } = await submit({ email: "ada@example.com", source: "partner_page" });
  expect(message).toEqual(joined);
  expect(await entries()).toMatchObject([{ source: "partner_page" }]);
});

test("no address is logged: new, listed, invalid or failed", async () => {
  const failing = () => ({ replaced: { EMAIL: emailBinding({ failures: 1 }).binding } });
  for (const options of [{}, {}, { replaced: { DB: brokenD1 } }]) await submit({ email: "ada@example.com" }, options);
  await submit({ email: "grace@example.com" }, failing());
  await submit({ email: "ada@example" });
  expect(log.length).toBeGreaterThan(2);
  expect(log.filter((line) => /@|\bada\b|grace/.test(line))).toEqual([]);
});
