import { eq, type SQL, sql } from "drizzle-orm";
import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { greetReader } from "#app/email/greet-reader.server.ts";
import { entryTemplates, renderEntryEmail } from "#app/email/render-email.server.ts";
import { confirmReminderWording, confirmWording } from "#app/email/templates/entry-emails.server.ts";
import { welcomeWording } from "#app/email/templates/welcome-email.server.ts";
import type { EmailWording, WordedKind } from "#app/email/templates/wording.ts";
import type { EmailContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailWordings } from "#app/server/db/schema/email.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { type NamedSql, runBatch } from "#app/server/db/sql-batch.server.ts";
import type { EmailMessage } from "#app/server/mailer.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/*
 * The owners' words in place of the original ones. Emails get theirs by the statement that claims them (`outbox.server.ts`),
 * so one that was queued before a change is sent with the new words.
 */

export async function listWordings(db: Db) {
  return db.select().from(emailWordings);
}

export async function findEmailWording(db: Db, kind: WordedKind) {
  const [found] = await db.select().from(emailWordings).where(eq(emailWordings.kind, kind));
  return found ?? null;
}

interface Saving {
  typed: EmailWording;
  /** As it was read; null for the original words. */
  stored: typeof emailWordings.$inferSelect | null;
  now: EpochMillis;
}

/**
 * Saves words in place of those that were read.
 *
 * @param before statements for the same batch, which go before the change
 * @returns whether they were still the same
 */
export async function saveWording(
  db: Db,
  kind: WordedKind,
  { typed, stored, now }: Saving,
  before: (isUnchanged: SQL) => NamedSql[] = () => [],
): Promise<boolean> {
  const row = { ...typed, updated_at: Math.max(now, (stored?.updated_at ?? 0) + 1) };
  const since = stored?.updated_at ?? null;
  const isUnchanged = sql`(SELECT updated_at FROM email_wordings WHERE kind = ${kind}) IS ${since}`;
  const change = sql`INSERT INTO email_wordings (kind, subject, heading, body, updated_at)
    SELECT ${kind}, ${row.subject}, ${row.heading}, ${row.body}, ${row.updated_at} WHERE ${isUnchanged}
    ON CONFLICT (kind) DO UPDATE SET subject = excluded.subject, heading = excluded.heading, body = excluded.body,
      updated_at = excluded.updated_at
    RETURNING kind`;
  const results = await runBatch(db, [...before(isUnchanged), change]);
  return (results.at(-1) ?? []).length > 0;
}

/**
 * Goes back to the original words.
 *
 * @param stored the words as they were read
 * @param before statements for the same batch, which go before the change
 * @returns whether they were still the same
 */
export async function deleteWording(
  db: Db,
  { kind, updated_at }: typeof emailWordings.$inferSelect,
  before: (isUnchanged: SQL) => NamedSql[],
): Promise<boolean> {
  const isStored = sql`kind = ${kind} AND updated_at = ${updated_at}`;
  const isUnchanged = sql`EXISTS (SELECT 1 FROM email_wordings WHERE ${isStored})`;
  const results = await runBatch(db, [
    ...before(isUnchanged),
    sql`DELETE FROM email_wordings WHERE ${isStored} RETURNING kind`,
  ]);
  return (results.at(-1) ?? []).length > 0;
}

export function originalWording(kind: WordedKind, occasion: Parameters<typeof welcomeWording>[0]): EmailWording {
  if (kind === "welcome") return welcomeWording(occasion);
  return kind === "confirm" ? confirmWording() : confirmReminderWording();
}

/**
 * An email with an owner's words, as its recipients get it. Its links lead nowhere.
 *
 * @param answers for its greetings; null for the words of people without an answer
 */
export function previewWording(
  kind: WordedKind,
  wording: EmailWording,
  { siteUrl, launchUrl, controller }: EmailContext,
  answers: Answers | null,
) {
  const pathTo = (folder: string) => `${siteUrl}/${folder}/…`;
  const content = entryTemplates[kind]({
    siteUrl,
    launchUrl,
    controller,
    dataUrl: pathTo("your-data"),
    confirmUrl: pathTo("confirm"),
    unsubscribeUrl: pathTo("unsubscribe"),
    wording,
  });
  const rendered = renderContent(content);
  return kind === "welcome" ? greetReader(rendered, answers) : rendered;
}

/** A test of an email for an owner, as people without answers get it. Its links are to an entry that does not exist. */
export async function testOfWording(
  kind: WordedKind,
  wording: EmailWording,
  { to, now, context }: { to: string; now: EpochMillis; context: EmailContext },
): Promise<EmailMessage> {
  const email = { kind, entryId: 0, email: to, createdAt: now, wording: JSON.stringify(wording) };
  const none = { wasAddedByOwner: false, consentVersion: null, data: null };
  return renderEntryEmail({ ...email, ...none }, context);
}
