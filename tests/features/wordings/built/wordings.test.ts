import { expect, test } from "vitest";
import { originalWording } from "#app/features/wordings/wordings.server.ts";
import { site } from "#app/site.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { escaped, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, problemsOf, signedIn, signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join, rows } from "#tests/support/pool/start.ts";

/* Owners change the words of the emails that the site sends by itself. */

freshStorageForEachTest();

const browser = signedInBrowser();

const body = "Good to **see** you.\r\n\r\n- [The map](https://map.example/?a=1&b=2)\r\n- More";
const words = { subject: "Welcome & hello", heading: "You are <in>", body };

/** As people who join now are sent it. */
const originalWelcome = () =>
  originalWording("welcome", { launchUrl: undefined, promise: newsOnly.text, now: Date.now() });

const page = async (path: string, by = browser) => (await by.request(path)).body;
const edit = (kind: string, fields: Record<string, string>, by = browser) =>
  by.post(`/owner/emails/${kind}`, { ...words, intent: "save", ...fields });
const next = async (fields: Record<string, string>) => (await edit("welcome", fields)).headers.get("Location");
const emailsTo = (email: string, by = browser) => by.emails.filter(({ to }) => to === email);

test("the words of the welcome email are shown, previewed, changed and put back", async () => {
  const original = originalWelcome();
  expect(await page("/owner")).toContain('href="/owner/emails"');
  expect(visibleText(await page("/owner/emails"))).toContain("Welcome To everyone who joins Original");
  const before = await page("/owner/emails/welcome");
  expect(before).toContain(`value="${escaped(original.subject)}"`);
  expect(visibleText(before)).toContain("This email has its original words.");

  const preview = await edit("welcome", { intent: "preview" });
  expect(preview.status).toBe(200);
  expect(visibleText(preview.body)).toContain("Your words are not saved yet.");
  // In both schemes, in frames that run nothing.
  const frames = preview.body.matchAll(/<iframe srcDoc="[^"]*?@media (not all|all)\{[^"]*"[^>]*sandbox=""/gi);
  expect(Array.from(frames, ([, scheme]) => scheme)).toEqual(["not all", "all"]);
  expect(preview.body).toContain("Good to see you.\n\n- The map (https://map.example/?a=1&amp;b=2)\n- More");
  expect(await rows("email_wordings")).toEqual([]);
  expect(await loggedActions()).toEqual([]);

  expect(await next({})).toBe("/owner/emails/welcome?done=worded");
  expect(await next({})).toContain("done=unchanged");
  expect(visibleText(await page("/owner/emails"))).toMatch(/Welcome To everyone who joins Changed \d/);
  expect(await page("/owner/emails/welcome")).toContain('value="Welcome &amp; hello"');

  expect(await next({ intent: "restore" })).toBe("/owner/emails/welcome?done=restored");
  expect(await page("/owner/emails/welcome")).toContain(`value="${escaped(original.subject)}"`);
  for (const fields of [{ intent: "restore" }, { ...original, intent: "save" }])
    expect(await next(fields)).toContain("done=unchanged");
  const logged = ["edit-email", "restore-email"].map((action) => [action, { email: "Welcome" }]);
  expect(await loggedActions()).toEqual(logged);
  expect(visibleText(await page("/owner/log"))).toContain("Changed the words: email Welcome");
});

test("an email that was queued before has the words of the moment it is sent, with the fixed parts", async () => {
  await join("ada@example.com");
  await edit("welcome", {});
  await browser.runCron();
  const [email] = emailsTo("ada@example.com");
  expect(email?.subject).toBe("Welcome & hello");
  expect(email?.text).toContain("You are <in>\n\nGood to see you.\n\n- The map (https://map.example/?a=1&b=2)\n- More");
  expect(email?.html).toContain("You are &lt;in&gt;</h1>");
  for (const part of ["Unsubscribe: ", "See or erase your entry: ", "You are receiving this email because", "Sent by "])
    expect(email?.text).toContain(part);
  await edit("welcome", { intent: "restore" });
  await join("bob@example.com");
  await browser.runCron();
  expect(emailsTo("bob@example.com")[0]?.subject).toBe(originalWelcome().subject);
});

test("an email that asks for confirmation keeps its button and what happens without it, and has no links", async () => {
  const owner = await signedIn({ CONFIRM_ADDRESSES: "on" });
  expect(visibleText(await page("/owner/emails/confirm", owner))).toContain("must not contain promotion");
  const linked = await edit("confirm", {}, owner);
  expect([linked.status, problemsOf(linked.body)]).toEqual([422, { body: expect.stringContaining("no links") }]);
  await edit("confirm", { body: "Please **confirm**." }, owner);
  await join("ada@example.com", { mustConfirm: true });
  await owner.runCron();
  const [email] = emailsTo("ada@example.com", owner);
  expect(email?.subject).toBe("Welcome & hello");
  const button = /Please confirm\.\n\nConfirm my address: http\S+\/confirm\/\S+\n\nIf you didn’t enter it/;
  expect(email?.text).toMatch(button);
  expect(email?.text).toContain(`Sent by ${site.name}`);
});

test("what cannot be sent is shown again with a sentence beside its field, and changes nothing", async () => {
  const wrong = { subject: "News\r\nBcc: eve@example.com", heading: " ", body: "[x](javascript:alert(1))" };
  for (const [field, text] of Object.entries(wrong)) {
    for (const intent of ["save", "preview"]) {
      const { status, body } = await edit("welcome", { [field]: text, intent });
      expect([status, Object.keys(problemsOf(body))]).toEqual([422, [field]]);
      expect(body).not.toContain("<iframe");
    }
  }
  expect((await browser.post("/owner/emails/welcome", { intent: "x" })).status).toBe(400);
  expect((await browser.request("/owner/emails/rejoin")).status).toBe(404);
  expect(await rows("email_wordings")).toEqual([]);
});
