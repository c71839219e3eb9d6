import { expect, test } from "vitest";
import { originalWording } from "#app/features/wordings/wordings.server.ts";
import { questions, site } from "#app/site.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { escaped, visibleText } from "#tests/support/pool/built.ts";
import { loggedActions, OWNER, problemsOf, signedIn, signedInBrowser } from "#tests/support/pool/owner.ts";
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
  for (const part of ["Unsubscribe: ", "See or erase your entry: ", "You’re receiving this email because", "Sent by "])
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

test("a test sends the owner the words that are typed, saved or not; refused by the provider, the page says why", async () => {
  browser.emails.length = 0;
  const unsaved = await edit("welcome", { intent: "test", subject: "Not saved" });
  expect([unsaved.status, emailsTo(OWNER).map(({ subject }) => subject)]).toEqual([200, ["[Test] Not saved"]]);
  for (const part of [`The test has been sent to ${OWNER}.`, "Your words are not saved yet."])
    expect(visibleText(unsaved.body)).toContain(part);
  expect(unsaved.body).toContain('value="Not saved"');
  expect(await rows("email_wordings")).toEqual([]);
  await edit("welcome", {});
  expect(await next({ intent: "test" })).toBe("/owner/emails/welcome?done=email-tested");
  expect((await edit("welcome", { intent: "test", heading: "" })).status).toBe(422);
  expect(emailsTo(OWNER)).toHaveLength(2);
  const confirmation = await signedIn({ CONFIRM_ADDRESSES: "on" });
  const original = originalWording("confirm", { launchUrl: undefined, promise: "", now: 0 });
  await edit("confirm", { ...original, intent: "test" }, confirmation);
  const [email] = emailsTo(OWNER, confirmation).slice(-1);
  expect(email?.subject).toBe(`[Test] ${original.subject}`);
  // Its button is nobody's.
  const path = /\/confirm\/[\w.-]+/.exec(email?.text ?? "")?.[0] ?? "";
  await confirmation.post(path);
  expect(await rows("waitlist_emails")).toEqual([]);
  const refusing = {
    EMAIL: { send: () => Promise.reject(Object.assign(new Error("no"), { code: "E_SENDER_NOT_VERIFIED" })) },
  };
  const other = await signedIn({ ...refusing, MAIL_FROM: "hello@waitlist-site.example" });
  const refused = await edit("welcome", { intent: "test" }, other);
  expect([refused.status, problemsOf(refused.body)["test"]]).toEqual([502, expect.stringContaining("was not sent")]);
  expect((await loggedActions()).filter(([action]) => action === "test-email")).toHaveLength(3);
});

test.skipIf(questions.length === 0)(
  "a greeting is shown with an answer and without, and filled in for each reader",
  async () => {
    const { key, label } = questions[0] ?? { key: "", label: "" };
    const subject = `Hello, {{${key}|friend}}`;
    const shown = async (fields: Record<string, string>) =>
      /Subject: ([^.]+?) In the light/.exec(visibleText((await edit("welcome", { subject, ...fields })).body))?.[1];
    expect(await shown({ intent: "preview-fallback" })).toBe("Hello, friend");
    expect(await shown({ intent: "preview" })).not.toMatch(/friend|\{\{/);
    await edit("welcome", { subject });
    const saved = await page("/owner/emails/welcome?greeting=fallback");
    expect(visibleText(saved)).toContain("Subject: Hello, friend");
    expect(saved).toContain('href="/owner/emails/welcome#preview">With an answer<');
    expect(visibleText(saved)).toContain(`becomes the reader’s answer to “${label}”`);
    await join("ada@example.com");
    await browser.runCron();
    expect(emailsTo("ada@example.com")).toMatchObject([{ subject: "Hello, friend" }]);
    const asked = await edit("confirm", { subject }, await signedIn({ CONFIRM_ADDRESSES: "on" }));
    expect(problemsOf(asked.body)["subject"]).toContain("no greetings");
  },
);
