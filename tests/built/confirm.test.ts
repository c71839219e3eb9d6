import { env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { site as product } from "#app/site.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import {
  confirmToken,
  createEntry,
  hiddenFields,
  messageOf,
  postForm,
  request,
  site,
  visibleText,
} from "#tests/support/pool/built.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { db, freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

/* What confirming an address leads to. The link itself: links.slow.matrix.test.ts. */

freshStorageForEachTest();

/** An entry that waits, and the page behind its link. */
async function unconfirmed() {
  const id = await createEntry("unconfirmed", "ada@example.com");
  return { id, page: `${site.SITE_URL}/confirm/${await confirmToken(id)}` };
}

/** Presses the page's button and follows the redirect. */
async function press(page: string, overrides: object = {}): Promise<string> {
  const { headers } = await postForm(page, {}, overrides);
  return visibleText((await request(new URL(headers["location"] ?? "", page).href)).body);
}

test("confirming sends the welcome email, once", async () => {
  const { page } = await unconfirmed();
  const { binding, accepted } = emailBinding();
  await env.DB.exec("UPDATE email_outbox SET done_at = 1");
  for (const _time of [1, 2]) await press(page, { EMAIL: binding });
  expect(accepted).toEqual(["ada@example.com"]);
  const emails = await rows("email_outbox");
  expect(emails).toMatchObject([{ kind: "confirm" }, { kind: "welcome", done_at: expect.any(Number) }]);
  const { body } = await request(page);
  expect(visibleText(body)).toContain(`You’re ${product.pioneer.one}`);
  expect(body).not.toContain("Confirm my address");
});

test("an address is confirmed even if the welcome email cannot be sent at once", async () => {
  const { page } = await unconfirmed();
  expect(await press(page, { EMAIL: emailBinding({ failures: 1 }).binding })).toContain("Your address is confirmed.");
  expect(await rows("email_outbox")).toMatchObject([{ kind: "welcome", done_at: null, attempts: 1 }]);
});

test("confirming does not put someone back who has left since", async () => {
  const { id, page } = await unconfirmed();
  await unsubscribeEntry(db, id, 0);
  const before = await rows("waitlist_emails");
  expect(visibleText((await request(page)).body)).toContain("is no longer on the waitlist");
  const text = await press(page);
  expect(text).toContain("is no longer on the waitlist");
  expect(text).not.toContain("confirmed");
  expect(await rows("waitlist_emails")).toEqual(before);
});

describe("the sign-up form", () => {
  async function submit(overrides: object) {
    const form = await request(site.SITE_URL, {}, overrides);
    const fields = { ...hiddenFields(form.body), email: "bob@example.com" };
    const { status, body } = await postForm(site.SITE_URL, fields, overrides);
    return { form: visibleText(form.body), answer: [status, messageOf(body).text] };
  }

  test("has the same words and answers with CONFIRM_ADDRESSES as without, and sends the confirmation email", async () => {
    const { binding, accepted } = emailBinding();
    const first = await submit({ CONFIRM_ADDRESSES: "on", EMAIL: binding });
    expect(first.answer).toEqual([201, "Thanks for joining! Please check your email."]);
    expect(accepted).toEqual(["bob@example.com"]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "confirm", done_at: expect.any(Number) }]);
    const again = await submit({ CONFIRM_ADDRESSES: "off" });
    expect(again).toEqual({ form: first.form, answer: [409, "This email is already on our waitlist!"] });
  });

  test("sends the welcome email at once without it", async () => {
    await submit({ CONFIRM_ADDRESSES: "off" });
    expect(await rows("email_outbox")).toMatchObject([{ kind: "welcome" }]);
    expect(await rows("waitlist_emails")).toMatchObject([{ confirm_by: null, confirmed_at: null }]);
  });
});
