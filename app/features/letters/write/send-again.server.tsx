import { and, desc, eq, sql } from "drizzle-orm";
import { readListState, withListState } from "#app/features/entries/list-state.ts";
import { sendRepeated } from "#app/features/entries/send-repeated.server.ts";
import { findLetter } from "#app/features/letters/send/letters.server.ts";
import { CAN_REPEAT, repeatLetter } from "#app/features/letters/send/repeat-letter.server.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

const LISTED_LETTERS = 100;

/** On the page of an entry: sends its person a letter again that they were sent, or whose email failed. */
export async function entryLetters(c: OwnerContext, entryId: number) {
  const { db, now } = c.var.app;
  const found = await lettersToRepeat(db, entryId, now());
  if (found.length === 0) return null;
  return (
    <Section key="send-again" id="send-again" title="Send a letter again">
      <details className="confirm confirm-quiet">
        <summary className="button button-quiet">Choose a letter</summary>
        <form className="form" method="post" action={withListState("/owner/letters/again", listState(c))}>
          <input type="hidden" name="entry" value={entryId} />
          <Field
            name="letter"
            label="Letter"
            hint="Sent to this person alone, with their present answers and links. The letter’s numbers stay as they are."
            options={found.map(({ id, subject }) => [`${id}`, fillGreetings(subject, null)])}
          />
          <Button label="Send it again" kind="quiet" />
        </form>
      </details>
    </Section>
  );
}

export async function sendAgain(c: OwnerContext) {
  const { app, form } = c.var;
  const entryId = parseId(fieldText(form, "entry"));
  const letter = await findLetter(app.db, parseId(fieldText(form, "letter")) ?? 0);
  if (entryId === undefined || letter === null) return c.notFound();
  const repeated = await repeatLetter(app.db, letter, entryId, app.now());
  if (repeated.kind === "queued") await c.var.record("repeat-letter", { entryId, letter: `${letter.id}` });
  const outcome = await sendRepeated(app, repeated);
  logInfo("letter-repeated", { letterId: letter.id, entryId, outcome });
  return c.redirect(withListState(`/owner/entries/${entryId}`, listState(c), outcome), 303);
}

function listState(c: OwnerContext) {
  return readListState(new URL(c.req.url).searchParams).state;
}

/** Newest first; none for someone who may not get email now. */
function lettersToRepeat(db: Db, entryId: number, now: EpochMillis) {
  const { id, subject } = letters;
  const mayGetEmail = sql`${waitlistEmails.status} = 'active' AND NOT ${isConfirmation.unconfirmed} AND NOT ${isSuppressed(now)}`;
  return db
    .select({ id, subject })
    .from(letterRecipients)
    .innerJoin(letters, eq(id, letterRecipients.letter_id))
    .innerJoin(waitlistEmails, eq(waitlistEmails.id, letterRecipients.entry_id))
    .where(and(eq(letterRecipients.entry_id, entryId), sql.raw(CAN_REPEAT), mayGetEmail))
    .orderBy(desc(id))
    .limit(LISTED_LETTERS);
}
