import { expect, test } from "vitest";
import { resendMailer } from "#app/email/providers/resend/mailer.server.ts";
import { renderEmail } from "#app/email/render-email.server.ts";
import { requeueDead, requeueWelcome } from "#app/email/requeue.server.ts";
import { saveWording } from "#app/features/wordings/wordings.server.ts";
import { setAnswers } from "#app/waitlist/entries/entries.server.ts";
import type { Failure } from "#scripts/lib/resend-account.ts";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { openResendAccount } from "#tests/support/pool/resend-account.ts";
import { execute, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

/* Greetings in the welcome email, with the answers of sampleQuestions. */

freshDatabaseForEachTest();

const HOUR = 3_600_000;
const words = {
  subject: "Hello {{town|you}}",
  heading: "{{ role |Friend}} & {{town|friend}}",
  body: "**{{town|a < b}}**",
};

/** Someone from Hay whose welcome email waits, with an owner's words, and an account at Resend. */
async function welcome(wording = words) {
  const account = await openResendAccount({ apiKey: "re_1" });
  const outbox = outboxHarness();
  outbox.deps.mailer = resendMailer({ apiKey: "re_1", from: "hello@waitlist-site.example", url: account.url });
  await saveWording(outbox.db, "welcome", { typed: wording, stored: null, now: 0 });
  await outbox.join("ada@example.com");
  const answer = (answers: Record<string, string | null>) => setAnswers(outbox.db, 1, answers, 0);
  await answer({ town: "Hay", role: "host", craft: "Pots" });
  return {
    ...outbox,
    account,
    answer,
    data: async () => (await rows<{ data: string | null }>("email_outbox"))[0]?.data ?? null,
    subjects: async () => (await account.state()).accepted.map(({ subject }) => subject),
  };
}

test("fills in the reader's answers as plain text, keeps only those that are used, and forgets them once it is sent", async () => {
  const { claim, data, sweep, subjects, clock, deps } = await welcome();
  const [claimed] = await claim();
  expect(claimed?.data).toEqual({ answers: { town: "Hay", role: "host" } });
  const email = claimed && (await renderEmail(claimed, deps.emailContext));
  expect(email?.subject).toBe("Hello Hay");
  expect(email?.text).toContain("Event host & Hay\n\nHay\n");
  expect(email?.html).toContain("Event host &amp; Hay</h1>");
  clock.now += HOUR;
  await sweep();
  expect(await subjects()).toEqual(["Hello Hay"]);
  expect(await data()).toBe("{}");
});

test.each<Failure>(["accepted-with-error", "accepted-without-response"])(
  "a retry after an attempt that was %s says the same although the answer has changed",
  async (failure) => {
    const { account, sweep, answer, clock, subjects, data } = await welcome();
    await account.fail(failure);
    await sweep();
    expect(JSON.parse((await data()) ?? "")).toEqual({ answers: { town: "Hay", role: "host" } });
    await answer({ town: "Ross", role: null });
    clock.now += HOUR;
    await account.advance(HOUR);
    expect(await sweep()).toMatchObject({ sent: 1 });
    expect(await subjects()).toEqual(["Hello Hay"]);
    expect(await rows("email_outbox")).toMatchObject([{ dead_at: null, reason: null, data: "{}" }]);
  },
);

test("an answer is kept as long as the email keeps its idempotency key, and taken anew with a new one", async () => {
  const { db, claim, answer, clock, data } = await welcome();
  await claim();
  await answer({ town: "Ross" });
  const answers = async () => JSON.parse((await data()) ?? "{}").answers?.town;
  clock.now += HOUR;
  expect([await requeueWelcome(db, 1, clock.now), await answers()]).toEqual(["queued", "Hay"]);
  expect((await claim())[0]?.data).toMatchObject({ answers: { town: "Hay" } });
  for (const [reason, town] of [
    ["timed-out", "Hay"],
    ["outcome-unknown", "Ross"],
  ] as const) {
    await execute("UPDATE email_outbox SET dead_at = 1, reason = ?", reason);
    await requeueDead(db, clock.now, reason === "timed-out" ? "failed" : reason);
    expect((await claim())[0]?.data, reason).toMatchObject({ answers: { town } });
  }
});

test("words without greetings store no answers, nor do other emails", async () => {
  const { claim } = await welcome({ subject: "Hello", heading: "Hello", body: "town role {town|" });
  expect((await claim())[0]?.data).toBeNull();
  const confirmation = outboxHarness({ mustConfirm: true });
  await confirmation.join("bob@example.com");
  confirmation.clock.now += 1;
  const [email] = await confirmation.claim();
  expect([email?.kind, email?.data]).toEqual(["confirm", null]);
});

test.each([
  ["Anne-Marie O’Neill", "Anne-Marie O’Neill"],
  ["J. Zoë", "J. Zoë"],
  ["Win a prize now please", "you"],
  ["visit evil.example", "you"],
  ["Call 555 123", "you"],
  ["x".repeat(31), "you"],
  ["<b>Ada</b>", "you"],
  ["Ada\nLove", "you"],
  ["{{role|x}}", "you"],
])("greets with the typed answer %j as %j, since anyone can enter it with another's address", async (town, greeted) => {
  const { answer, sweep, subjects } = await welcome();
  await answer({ town });
  await sweep();
  expect(await subjects()).toEqual([`Hello ${greeted}`]);
});
