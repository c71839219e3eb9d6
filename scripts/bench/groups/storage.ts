import { forgetSentEmails } from "#app/email/forget-sent.server.ts";
import { claimDue } from "#app/email/outbox.server.ts";
import { recordResults } from "#app/email/record-results.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { SENT_EMAIL_RETENTION_DAYS } from "#app/waitlist/retention.ts";
import { BYTES, growthTable, ROWS } from "#scripts/bench/growth-costs.ts";
import { startLocalD1 } from "#scripts/bench/local-d1.ts";
import { atMost, type Outcome } from "#scripts/bench/outcome.ts";
import { printTable } from "#scripts/bench/report.ts";
import { recordEntry } from "#scripts/bench/sign-up-batch.ts";

const SIGN_UPS = 20_000;

/** Sign-ups in one batch, which costs the rows and bytes of as many batches. */
const TOGETHER = 100;

/** Emails claimed at once: more than a sweep does, which changes neither rows written nor bytes. */
const CLAIMED = 500;

const HOUR = 3_600_000;

/** How much the bytes may differ from those that the costs are computed with: UUIDs fill the indexes at random. */
const TOLERANCE = 1.05;

/** Measures the rows and bytes of sign-ups, of their emails, and of deleting those, in a local D1. */
export async function measure(): Promise<Outcome> {
  await using d1 = await startLocalD1();
  const { db } = d1;
  const start = Date.now();
  const { bytes: empty } = await d1.measure(async () => void (await d1.batch([{ sql: "SELECT 1", params: [] }])));
  const joined = await d1.measure(async () => {
    for (let person = 0; person < SIGN_UPS; person += TOGETHER) await d1.batch(await signUps(person, start));
  });
  const sent = await d1.measure(async () => {
    while ((await sendSome(db, start + HOUR)) > 0);
  });
  const claim = (now: number) => d1.measure(async () => void (await claimDue(db, { ...claiming, now, limit: 1 })));
  const busy = await claim(start + HOUR + 1);
  const quiet = await claim(start + 2 * HOUR + 1);
  const forgetAt = start + (SENT_EMAIL_RETENTION_DAYS + 1) * 24 * HOUR;
  const forgotten = await d1.measure(async () => {
    while ((await forgetSentEmails(db, forgetAt, "paid")) > 0);
  });
  const bytesEach = ({ bytes }: typeof joined) => Math.round((bytes - empty) / SIGN_UPS);
  const rowsEach = ({ rowsWritten }: typeof joined) => rowsWritten / SIGN_UPS;
  const countedEach = (busy.rowsRead - quiet.rowsRead) / SIGN_UPS;
  printTable(growthTable());
  return {
    figures: [
      atMost("sign-up with its sent email, bytes in D1", bytesEach(sent), BYTES.sent * TOLERANCE, "number"),
      atMost(
        "sign-up whose email is deleted, bytes in D1",
        bytesEach(forgotten),
        BYTES.forgotten * TOLERANCE,
        "number",
      ),
      atMost(
        "sign-up, its email and deleting it, rows written",
        rowsEach(joined) + rowsEach(sent) + rowsEach(forgotten),
        ROWS.written,
        "number",
      ),
      atMost("claiming an email, rows read for each one sent within the hour", countedEach, ROWS.readByClaim, "ratio"),
    ],
    tables: [
      {
        title: `What a sign-up stores, measured with ${SIGN_UPS.toLocaleString("en-GB")}`,
        head: ["", "rows written for each", "bytes of each after it"],
        rows: [
          ["entry with its queued email", rowsEach(joined), bytesEach(joined)],
          ["email sent", rowsEach(sent), bytesEach(sent)],
          [`email deleted after ${SENT_EMAIL_RETENTION_DAYS} days`, rowsEach(forgotten), bytesEach(forgotten)],
        ],
      },
      {
        title: "Claiming one email",
        head: ["emails sent within the hour", "rows read", "ms"],
        rows: [
          [SIGN_UPS, busy.rowsRead, Math.round(busy.milliseconds)],
          [0, quiet.rowsRead, Math.round(quiet.milliseconds)],
        ],
      },
    ],
  };
}

/** Without a send limit. */
const claiming = { limit: CLAIMED, perHour: Number.MAX_SAFE_INTEGER, owners: [] };

/** The statements of some sign-ups, a millisecond apart, with addresses of 24 characters or less and without a campaign. */
async function signUps(from: number, start: number) {
  const recorded = [];
  for (let person = from; person < from + TOGETHER; person += 1) {
    const email = `visitor${person}@example.com`;
    const [addressHash, mailboxHash] = await Promise.all([
      keyedHash("address:v1", email, "bench"),
      keyedHash("mailbox:v1", email, "bench"),
    ]);
    const now = start + person;
    recorded.push(
      ...(await recordEntry({ email, source: "landing_page", columns: {}, addressHash, mailboxHash, now })),
    );
  }
  return recorded.map(({ sql, parameters }) => ({ sql, params: parameters }));
}

/** Claims due emails and records them as sent. @returns how many */
async function sendSome(db: Db, now: number): Promise<number> {
  const claims = await claimDue(db, { ...claiming, now });
  await recordResults(
    db,
    claims.map(({ id }) => ({ id, state: "sent" })),
    now,
  );
  return claims.length;
}
