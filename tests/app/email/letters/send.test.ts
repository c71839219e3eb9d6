import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { pauseLetter, resumeLetter, stopLetter } from "#app/email/letters/letter-states.server.ts";
import { readLetterStats } from "#app/email/letters/letter-stats.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { eraseEntry } from "#app/waitlist/erase-entries.server.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { addPeople, HOUR, letterHarness, MINUTE, recipients } from "#tests/support/pool/letter-harness.ts";
import { db, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test("sends a letter to everybody once, in batches of 100, and finishes", async () => {
  const people = await addPeople(250);
  const { start, sweep, accepted, letter, resend, db } = await letterHarness();
  const id = await start();
  await sweep();
  expect(await accepted()).toEqual(people);
  expect((await resend.state()).requests).toBe(3);
  const sent = await letter(id);
  expect(sent.state).toBe("finished");
  expect(await readLetterStats(db, sent, "UTC")).toMatchObject({ expected: 250, sent: 250, pending: 0, reasons: [] });
  await sweep();
  expect((await resend.state()).requests).toBe(3);
});

test("each email has its recipient's link to unsubscribe, and tags that find them without their address", async () => {
  await addPeople(2);
  const { start, sweep, resend, letter } = await letterHarness();
  const { key } = await letter(await start());
  await sweep();
  const { accepted } = await resend.state();
  expect(accepted.map(({ tags }) => tags)).toEqual([
    { letter: key, entry: "1" },
    { letter: key, entry: "2" },
  ]);
  const links = accepted.map((email) => email.links.filter((link) => link.includes("/unsubscribe/")));
  expect(new Set(links.flat()).size).toBe(4);
});

test("writes at most four rows for each recipient of an invitation", async () => {
  await addPeople(500);
  const metered = meteredD1();
  const { start, sweep } = await letterHarness({ d1: metered.d1 });
  await start({ is_invitation: true });
  await sweep();
  const { results } = await env.DB.prepare("SELECT invited_at FROM waitlist_emails WHERE invited_at IS NOT NULL").all();
  expect(results).toHaveLength(500);
  expect((await recipients()).every(({ state }) => state === "sent")).toBe(true);
  // Batches and the letter itself come on top: a few hundredths of a row for each recipient.
  expect(metered.rowsWritten() / 500).toBeLessThan(4.1);
});

test("people who leave, are erased or suppressed before their turn are skipped with the reason, and the numbers add up", async () => {
  await addPeople(6);
  const { start, sweep, accepted, letter, db, clock } = await letterHarness();
  const id = await start();
  // Recipients are written, but nothing is sent yet.
  await sweep(20);
  expect(await recipients()).toHaveLength(6);
  expect(await accepted()).toEqual([]);
  await unsubscribeEntry(db, 1, clock.now);
  await eraseEntry(db, 2, clock.now);
  await env.DB.exec(
    `INSERT INTO suppressions SELECT address_hash, 'hard-bounce', NULL, 0 FROM waitlist_emails WHERE id = 3`,
  );
  await env.DB.exec("UPDATE waitlist_emails SET confirm_by = 1 WHERE id = 4");
  await sweep();
  expect(await accepted()).toEqual(["person5@example.com", "person6@example.com"]);
  const stats = await readLetterStats(db, await letter(id), "UTC");
  expect(stats).toMatchObject({ expected: 6, sent: 2, skipped: 4, failed: 0, unknown: 0, pending: 0 });
  expect(stats.reasons.map(({ reason }) => reason).toSorted()).toEqual([
    "erased",
    "suppressed",
    "unconfirmed",
    "unsubscribed",
  ]);
  expect((await letter(id)).state).toBe("finished");
});

test("an address whose suppression has ended gets letters", async () => {
  const people = await addPeople(2);
  const { start, sweep, accepted, clock } = await letterHarness();
  await env.DB.exec(
    `INSERT INTO suppressions SELECT address_hash, 'soft-bounces', ${clock.now - 1}, 0 FROM waitlist_emails WHERE id = 1`,
  );
  await start();
  await sweep();
  expect(await accepted()).toEqual(people);
});

test("people who leave the audience before they are written count as skipped", async () => {
  const people = await addPeople(4);
  const { start, sweep, accepted, letter, db, clock } = await letterHarness();
  const id = await start();
  await unsubscribeEntry(db, 1, clock.now);
  await eraseEntry(db, 2, clock.now);
  await sweep();
  expect(await accepted()).toEqual(people.slice(2));
  expect(await readLetterStats(db, await letter(id), "UTC")).toMatchObject({
    expected: 4,
    sent: 2,
    skipped: 2,
    reasons: [{ state: "skipped", reason: "left-audience", people: 2 }],
  });
});

test("an erased recipient stays in the numbers, without a link to the entry", async () => {
  await addPeople(2);
  const { start, sweep, letter, db, clock } = await letterHarness();
  const id = await start();
  await sweep();
  await eraseEntry(db, 1, clock.now);
  expect(await recipients()).toMatchObject([
    { entry_id: null, state: "sent" },
    { entry_id: 2, state: "sent" },
  ]);
  expect(await readLetterStats(db, await letter(id), "UTC")).toMatchObject({ expected: 2, sent: 2 });
});

test("one bad address fails alone; the others of its batch are sent", async () => {
  const people = await addPeople(5);
  await env.DB.exec("UPDATE waitlist_emails SET email = 'not\"an\"address@example.com' WHERE id = 3");
  const { start, sweep, accepted, letter, db } = await letterHarness();
  const id = await start();
  await sweep();
  expect(await accepted()).toEqual(people.filter((email) => email !== "person3@example.com"));
  expect(await readLetterStats(db, await letter(id), "UTC")).toMatchObject({
    sent: 4,
    failed: 1,
    reasons: [{ state: "failed", reason: "rejected", people: 1 }],
  });
});

test("a welcome email that falls due while a letter is sent goes out before the next batches, within the same run", async () => {
  await addPeople(900);
  const { start, sweep, resend, deps, clock } = await letterHarness();
  await start();
  const { batch, ...mailer } = deps.mailer;
  let joined = false;
  const joining = {
    ...mailer,
    async batch(...emails: Parameters<NonNullable<typeof batch>>) {
      const entry = { source: "stall", columns: {}, verified: true, mustConfirm: false, now: clock.now };
      if (!joined) await addEntry(deps.db, { email: "new@example.com", ...entry });
      joined = true;
      return batch?.(...emails) ?? Promise.reject(new Error("no batches"));
    },
  };
  await sweep(undefined, { mailer: joining });
  const { accepted } = await resend.state();
  expect(accepted).toHaveLength(901);
  expect(accepted.findIndex(({ to }) => to === "new@example.com")).toBe(800);
});

test("two runs at once send each batch once", async () => {
  const people = await addPeople(1_000);
  const { start, sweep, accepted, resend } = await letterHarness();
  await start();
  await Promise.all([sweep(), sweep(), sweep()]);
  await sweep();
  expect(await accepted()).toEqual(people);
  expect((await resend.state()).requests).toBe(10);
});

test("paused and resumed five times, it is sent to everybody once", async () => {
  const people = await addPeople(4_200);
  const { start, sweep, accepted, letter, db, clock } = await letterHarness();
  const id = await start();
  for (let n = 0; n < 5; n += 1) {
    // Enough for one group of batches.
    await sweep(30);
    expect(await pauseLetter(db, id, clock.now)).toBe(true);
    const before = (await accepted()).length;
    await sweep();
    expect(await accepted()).toHaveLength(before);
    expect(await resumeLetter(db, id)).toBe(true);
  }
  await sweep();
  expect(await accepted()).toEqual(people);
  expect((await letter(id)).state).toBe("finished");
});

test("a stopped letter sends no more, and its numbers add up", async () => {
  await addPeople(1_000);
  const { start, sweep, accepted, letter, db, clock } = await letterHarness();
  const id = await start();
  await sweep(35);
  expect(await stopLetter(db, id, clock.now)).toBe(true);
  await sweep();
  const sent = (await accepted()).length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(1_000);
  expect(await readLetterStats(db, await letter(id), "UTC")).toMatchObject({
    sent,
    skipped: 1_000 - sent,
    pending: 0,
    reasons: [{ reason: "stopped", people: 1_000 - sent }],
  });
  expect(await resumeLetter(db, id)).toBe(false);
});

test("the first 1,000 go out, then it pauses for half an hour", async () => {
  const people = await addPeople(1_300);
  const { start, sweep, accepted, letter, pass } = await letterHarness();
  const id = await start();
  await sweep();
  expect(await accepted()).toHaveLength(1_000);
  expect(await letter(id)).toMatchObject({ pause: { reason: "first-recipients" } });
  await pass(29 * MINUTE);
  await sweep();
  expect(await accepted()).toHaveLength(1_000);
  await pass(2 * MINUTE);
  await sweep();
  expect(await accepted()).toEqual(people);
  expect((await letter(id)).state).toBe("finished");
});

test("the owner can skip that pause", async () => {
  await addPeople(1_100);
  const { start, sweep, accepted, db } = await letterHarness();
  const id = await start();
  await sweep();
  expect(await resumeLetter(db, id)).toBe(true);
  await sweep();
  expect(await accepted()).toHaveLength(1_100);
});

test("a letter leaves a quarter of the send limit to the site's own emails", async () => {
  await addPeople(600);
  const { start, sweep, accepted, pass } = await letterHarness({ perHour: 500 });
  await start();
  for (let minute = 0; minute < 5; minute += 1) {
    await sweep();
    await pass(MINUTE);
  }
  expect(await accepted()).toHaveLength(300);
  await pass(HOUR);
  await sweep();
  expect(await accepted()).toHaveLength(600);
});

test("with a low send limit, the batches are smaller", async () => {
  await addPeople(60);
  const { start, sweep, accepted, pass } = await letterHarness({ perHour: 40 });
  await start();
  await sweep();
  expect(await accepted()).toHaveLength(30);
  await pass(HOUR);
  await sweep();
  expect(await accepted()).toHaveLength(60);
});

test("the site's own emails stay within the send limit together with letters", async () => {
  await addPeople(300);
  const { start, sweep, clock } = await letterHarness({ perHour: 400 });
  await start();
  await sweep();
  const insert = "INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, next_attempt_at, created_at)";
  await env.DB.exec(`${insert} SELECT id, id, 'welcome', id, 1, 0, 0 FROM waitlist_emails`);
  const claims = await claimDue(db, { now: clock.now, limit: 500, perHour: 400, owners: [] });
  expect(claims).toHaveLength(100);
});

test.each([60, 120])(
  "a run with %i statements and requests left makes no more, and uses most of them",
  async (subrequests) => {
    await addPeople(4_000);
    const metered = meteredD1();
    const { start, sweep, resend } = await letterHarness({ d1: metered.d1 });
    const id = await start({ is_invitation: true });
    await env.DB.prepare("UPDATE letters SET had_first_pause = 1 WHERE id = ?").bind(id).run();
    metered.reset();
    await sweep(subrequests);
    const made = metered.executed.length + (await resend.state()).requests;
    expect(made).toBeLessThanOrEqual(subrequests);
    expect(made).toBeGreaterThan(subrequests / 3);
  },
);
