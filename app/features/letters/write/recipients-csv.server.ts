import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import { CSV_BOM, csvLine, escapeFormulas } from "#app/owner/ui/csv.ts";
import { downloadCsv } from "#app/owner/ui/download-csv.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { recipientReasons, recipientStates } from "#app/server/db/recipient-reasons.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterBatches, letterRecipients } from "#app/server/db/schema/letters.server.ts";

/** Rows of one query: a few hundred kilobytes. */
const PAGE_SIZE = 2_000;

const HEADER = ["email", "state", "reason", "time", "bounced", "bounced for now", "reported as spam", "unsubscribed"];

/** A POST, so that neither a link nor a prefetch downloads people's data. */
export async function downloadRecipients(c: OwnerContext, letter: Letter) {
  // Recorded at the start, because a download that is broken off has revealed addresses, too.
  await c.var.record("export", { letterId: letter.id });
  const lines = recipientLines(c.var.app.db, letter);
  return downloadCsv(c, `letter-${letter.id}-recipients.csv`, streamText(lines, "letter-recipients-failed"));
}

/** A letter's recipients as CSV, in the order of joining. An erased person's line has no address. */
async function* recipientLines(db: Db, letter: Letter): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(HEADER);
  for (let after = -1; ; ) {
    const page = await recipientsAfter(db, letter, after);
    if (page.length > 0) yield page.map((recipient) => toLine(recipient, letter)).join("");
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)?.position ?? after;
  }
}

type Recipient = Awaited<ReturnType<typeof recipientsAfter>>[number];

function recipientsAfter(db: Db, { id, batch_size }: Letter, after: number) {
  const { letter_id, entry_id, position, state, reason, done_at } = letterRecipients;
  const { bounced_at, bounced_softly, complained_at, unsubscribed_at } = letterRecipients;
  const columns = { position, state, reason, done_at, bounced_at, bounced_softly, complained_at, unsubscribed_at };
  const batch = sql`${position} / ${sql.raw(String(batch_size))}`;
  return db
    .select({ ...columns, email: waitlistEmails.email, tried_at: letterBatches.first_attempt_at })
    .from(letterRecipients)
    .leftJoin(waitlistEmails, eq(waitlistEmails.id, entry_id))
    .leftJoin(letterBatches, and(eq(letterBatches.letter_id, id), eq(letterBatches.number, batch)))
    .where(and(eq(letter_id, id), gt(position, after)))
    .orderBy(asc(position))
    .limit(PAGE_SIZE);
}

function toLine(recipient: Recipient, letter: Letter): string {
  const { email, done_at, bounced_at, bounced_softly, complained_at, unsubscribed_at } = recipient;
  const { state, reason } = outcomeOf(recipient, letter);
  const bounces = bounced_softly ? [null, bounced_at] : [bounced_at, null];
  const times = [done_at, ...bounces, complained_at, unsubscribed_at].map((time) =>
    time === null ? null : new Date(time).toISOString(),
  );
  return csvLine([
    email === null ? null : escapeFormulas(email),
    recipientStates[state],
    reason === null ? null : recipientReasons[reason],
    ...times,
  ]);
}

/** Who waits in a stopped letter is not sent it any more; what the provider was asked to send may have arrived. */
function outcomeOf({ state, reason, tried_at }: Recipient, letter: Letter) {
  if (letter.state !== "stopped" || state !== "pending") return { state, reason };
  return tried_at === null
    ? ({ state: "skipped", reason: "stopped" } as const)
    : ({ state: "unknown", reason: "never-confirmed" } as const);
}
