import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import type { WordedKind } from "#app/email/templates/wording.ts";
import { emailWordings } from "#app/server/db/schema/email.server.ts";
import type { EmailMessage, SendOutcome } from "#app/server/mailer.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { armedDevice } from "#tests/features/fair/pool/fair.ts";
import { countingMailer, scheduledApp } from "#tests/support/pool/emails.ts";
import { db, freshDatabaseForEachTest, needs, rows } from "#tests/support/pool/start.ts";
import { runScheduled } from "#worker/scheduled.ts";

needs("fair");
freshDatabaseForEachTest();

/** 14:05 in Paris. */
const TYPED = Date.UTC(2026, 10, 26, 13, 5);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PLACE = "at Ada’s <Spring> & *Winter* Fair, on 26 November 2026 at 14:05";

const sent: EmailMessage[] = [];
beforeEach(() => void sent.splice(0));

async function runAt(now: number, vars = {}) {
  const mailer = { ...countingMailer().mailer, send };
  await runScheduled({ ...scheduledApp(now, { vars: { OWNER_TIME_ZONE: "Europe/Paris", ...vars } }), mailer });
}

async function send(message: EmailMessage): Promise<SendOutcome> {
  sent.push(message);
  return { state: "sent" };
}

/** The emails that someone is sent who joins at a fair. */
async function joinAtFair(vars = {}) {
  const tablet = await armedDevice({ now: TYPED - MINUTE, event: "Ada’s <Spring> & *Winter* Fair" });
  await tablet.store("ada@example.com", { at: TYPED, now: TYPED + 60 * MINUTE });
  await runAt(TYPED + 61 * MINUTE, vars);
  await runAt(TYPED + 62 * MINUTE, vars);
}

/** A text on one line. */
const plain = (text = "") => text.replace(/\s+/g, " ");

function expectPlace() {
  const [email] = sent;
  expect(sent).toHaveLength(1);
  expect(plain(email?.text)).toContain(PLACE);
  expect(plain(email?.html)).toContain(PLACE.replace("<Spring> &", "&lt;Spring&gt; &amp;"));
  expect(email?.html).not.toContain("<Spring>");
}

const confirming = { CONFIRM_ADDRESSES: "on" };

describe("an email says where and when the address was given", () => {
  test.each<[string, object, WordedKind | null]>([
    ["the welcome email", {}, null],
    ["the welcome email in the owner’s words", {}, "welcome"],
    ["the email that asks to confirm", confirming, null],
    ["the email that asks to confirm in the owner’s words", confirming, "confirm"],
  ])("%s", async (_, vars, own) => {
    const wording = { subject: "Hello", heading: "Hello", body: "My *own* words." };
    if (own !== null) await db.insert(emailWordings).values({ kind: own, ...wording, updated_at: TYPED });
    await joinAtFair(vars);
    expectPlace();
    if (own !== null) expect(sent[0]?.subject).toBe("Hello");
  });

  test("the reminder to confirm", async () => {
    await joinAtFair(confirming);
    sent.splice(0);
    const hour = Date.UTC(2026, 10, 30, 15);
    await runAt(hour, confirming);
    await runAt(hour + MINUTE, confirming);
    expectPlace();
  });

  test("the email to a former subscriber", async () => {
    await addEntry(db, { email: "ada@example.com", source: "stall", columns: {}, now: TYPED - 2 * DAY });
    await unsubscribeEntry(db, 1, TYPED - DAY);
    await env.DB.exec("UPDATE email_outbox SET done_at = created_at");
    await joinAtFair();
    expectPlace();
    // They are asked, and not put back.
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  });
});

test("who asks again on the site is told nothing of the fair", async () => {
  await joinAtFair(confirming);
  sent.splice(0);
  const later = TYPED + 2 * DAY;
  await addEntry(db, { email: "ada@example.com", source: "stall", columns: {}, now: later, mustConfirm: true });
  await runAt(later + MINUTE, confirming);
  expect(sent).toHaveLength(1);
  expect(plain(sent[0]?.text)).not.toContain("Fair");
});
