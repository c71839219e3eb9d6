import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { claimDue } from "#app/email/outbox.server.ts";
import { pauseLetter, resumeLetter, stopLetter } from "#app/features/letters/send/letter-states.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { HOUR, MINUTE, recipients, startedLetter } from "#tests/features/letters/pool/letter-harness.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

test("a letter is sent to everybody once, in batches of 100, each with their link to unsubscribe and tags that find them without their address", async () => {
  const { sweep, accepted, people, letter, stats, resend } = await startedLetter(250);
  await sweep();
  await sweep();
  expect(await accepted()).toEqual(people);
  const state = await resend.state();
  expect(state.requests).toBe(3);
  const { key, state: end } = await letter();
  expect(end).toBe("finished");
  expect(await stats()).toMatchObject({ expected: 250, sent: 250, pending: 0, reasons: [] });
  // Batches may arrive in any order.
  for (const { to, tags } of state.accepted)
    expect(tags).toEqual({ letter: key, entry: /^person(\d+)@/.exec(to)?.[1] });
  const links = state.accepted.flatMap((email) => email.links.filter((link) => link.includes("/unsubscribe/")));
  expect(new Set(links).size).toBe(2 * 250);
});

test("writes at most four rows for each recipient of an invitation", async () => {
  const metered = meteredD1();
  const { sweep } = await startedLetter(500, { d1: metered.d1 }, { is_invitation: true });
  await sweep();
  expect((await rows("waitlist_emails")).filter(({ invited_at }) => invited_at !== null)).toHaveLength(500);
  expect((await recipients()).every(({ state }) => state === "sent")).toBe(true);
  // Batches and the letter itself come on top: a few hundredths of a row for each recipient.
  expect(metered.rowsWritten() / 500).toBeLessThan(4.1);
});

test("people who leave, are erased or suppressed before their turn are skipped with the reason, and the numbers add up", async () => {
  const { sweep, accepted, letter, stats, db, clock } = await startedLetter(6);
  // Recipients are written, but nothing is sent yet.
  await sweep(20);
  expect(await recipients()).toHaveLength(6);
  expect(await accepted()).toEqual([]);
  await unsubscribeEntry(db, 1, clock.now);
  await eraseEntry(db, 2, clock.now);
  const suppress = "INSERT INTO suppressions SELECT address_hash,";
  await env.DB.exec(`${suppress} 'hard-bounce', NULL, 0 FROM waitlist_emails WHERE id = 3`);
  await env.DB.exec("UPDATE waitlist_emails SET confirm_by = 1 WHERE id = 4");
  // One that has ended.
  await env.DB.exec(`${suppress} 'soft-bounces', ${clock.now - 1}, 0 FROM waitlist_emails WHERE id = 5`);
  await sweep();
  expect(await accepted()).toEqual(["person5@example.com", "person6@example.com"]);
  const counted = { expected: 6, sent: 2, skipped: 4, failed: 0, unknown: 0, pending: 0 };
  expect(await stats()).toMatchObject(counted);
  const reasons = (await stats()).reasons.map(({ reason }) => reason);
  expect(reasons.toSorted()).toEqual(["erased", "suppressed", "unconfirmed", "unsubscribed"]);
  expect((await letter()).state).toBe("finished");
  // Erased after it was sent, without a link to the entry.
  await eraseEntry(db, 6, clock.now);
  expect((await recipients()).slice(-2)).toMatchObject([{ entry_id: 5 }, { entry_id: null, state: "sent" }]);
  expect(await stats()).toMatchObject(counted);
});

test("people who leave the audience before they are written count as skipped; one whose suppression has ended is in it", async () => {
  const { sweep, accepted, people, stats, db, clock } = await startedLetter(4);
  await unsubscribeEntry(db, 1, clock.now);
  await eraseEntry(db, 2, clock.now);
  const end = clock.now - 1;
  await env.DB.exec(
    `INSERT INTO suppressions SELECT address_hash, 'soft-bounces', ${end}, 0 FROM waitlist_emails WHERE id = 3`,
  );
  await sweep();
  expect(await accepted()).toEqual(people.slice(2));
  const reasons = [{ state: "skipped", reason: "left-audience", people: 2 }];
  expect(await stats()).toMatchObject({ expected: 4, sent: 2, skipped: 2, reasons });
});

test("one bad address fails alone; the others of its batch are sent", async () => {
  const { sweep, accepted, people, stats } = await startedLetter(5);
  await env.DB.exec("UPDATE waitlist_emails SET email = 'not\"an\"address@example.com' WHERE id = 3");
  await sweep();
  expect(await accepted()).toEqual(people.filter((email) => email !== "person3@example.com"));
  const reasons = [{ state: "failed", reason: "rejected", people: 1 }];
  expect(await stats()).toMatchObject({ sent: 4, failed: 1, reasons });
});

test("a welcome email that falls due while a letter is sent goes out before the next batches, within the same run", async () => {
  const { sweep, resend, deps, clock } = await startedLetter(900);
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

test("three runs at once send each batch once", async () => {
  const { sweep, accepted, people, resend } = await startedLetter(1_000);
  await Promise.all([sweep(), sweep(), sweep()]);
  await sweep();
  expect(await accepted()).toEqual(people);
  expect((await resend.state()).requests).toBe(10);
});

test("paused and resumed twice, it is sent to everybody once", async () => {
  const { id, sweep, accepted, people, letter, db, clock } = await startedLetter(1_800);
  for (let n = 0; n < 2; n += 1) {
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
  expect((await letter()).state).toBe("finished");
});

test("a stopped letter sends no more, and its numbers add up", async () => {
  const { id, sweep, accepted, stats, db, clock } = await startedLetter(1_000);
  await sweep(35);
  expect(await stopLetter(db, id, clock.now)).toBe(true);
  await sweep();
  const sent = (await accepted()).length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(1_000);
  const skipped = 1_000 - sent;
  const reasons = [{ reason: "stopped", people: skipped }];
  expect(await stats()).toMatchObject({ sent, skipped, pending: 0, reasons });
  expect(await resumeLetter(db, id)).toBe(false);
});

test.each(["half an hour", "the owner skips it"])("the first 1,000 go out, then it pauses until %s", async (until) => {
  const { id, sweep, accepted, people, letter, pass, db } = await startedLetter(1_100);
  await sweep();
  expect(await letter()).toMatchObject({ pause: { reason: "first-recipients" } });
  await pass(29 * MINUTE);
  await sweep();
  expect(await accepted()).toHaveLength(1_000);
  if (until === "half an hour") await pass(2 * MINUTE);
  else expect(await resumeLetter(db, id)).toBe(true);
  await sweep();
  expect(await accepted()).toEqual(people);
  expect((await letter()).state).toBe("finished");
});

test.each([
  // Full batches, and smaller ones.
  { perHour: 500, share: 300 },
  { perHour: 40, share: 30 },
])("of $perHour emails an hour, a letter leaves a quarter to the site's own", async ({ perHour, share }) => {
  const { sweep, accepted, pass } = await startedLetter(2 * share, { perHour });
  for (let minute = 0; minute < 5; minute += 1) {
    await sweep();
    await pass(MINUTE);
  }
  expect(await accepted()).toHaveLength(share);
  await pass(HOUR);
  await sweep();
  expect(await accepted()).toHaveLength(2 * share);
});

test("the site's own emails stay within the send limit together with letters", async () => {
  const { sweep, db, clock } = await startedLetter(300, { perHour: 400 });
  await sweep();
  const insert = "INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, next_attempt_at, created_at)";
  await env.DB.exec(`${insert} SELECT id, id, 'welcome', id, 1, 0, 0 FROM waitlist_emails`);
  const claims = await claimDue(db, { now: clock.now, limit: 500, perHour: 400, owners: [] });
  expect(claims).toHaveLength(100);
});

test.each([60, 120])(
  "a run with %i statements and requests left makes no more, and uses most of them",
  async (subrequests) => {
    const metered = meteredD1();
    const { sweep, resend } = await startedLetter(4_000, { d1: metered.d1 }, { is_invitation: true });
    await env.DB.exec("UPDATE letters SET had_first_pause = 1");
    metered.reset();
    await sweep(subrequests);
    const made = metered.executed.length + (await resend.state()).requests;
    expect(made).toBeLessThanOrEqual(subrequests);
    expect(made).toBeGreaterThan(subrequests / 3);
  },
);
