import { and, lte, type SQL, sql } from "drizzle-orm";
import { affectedEntries, isConcerned } from "#app/features/entries/bulk/affected.server.ts";
import { changedToday, findRunningBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { CHUNK } from "#app/features/entries/bulk/change-jobs.server.ts";
import { describeSelection } from "#app/features/entries/describe-selection.ts";
import { readSelection } from "#app/features/entries/list-page.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { BulkKind } from "#app/server/db/schema/bulk.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { newestEntry } from "#app/waitlist/filter/list-entries.server.ts";

/** What an owner starts on a page that shows what it would do. */
export type StartedKind = Exclude<BulkKind, "undo">;

/** @param shown the newest entry when the owner was shown the number: later ones are left alone */
export async function readBulk(c: OwnerContext, kind: StartedKind, shown?: number) {
  const { db, now, plan } = c.var.app;
  const { state, selection, problems } = readSelection(c);
  const newest = shown ?? (await newestEntry(db));
  const { search = null, timeZone: time_zone = "UTC", ...filter } = selection;
  const isAffected = isConcerned(db, { kind, undoes: null, filter, search, time_zone }, now());
  const [running, today, affected] = await Promise.all([
    findRunningBulkAction(db),
    changedToday(db, now()),
    countAffected(db, kind, and(isAffected, lte(waitlistEmails.id, newest))),
  ]);
  const isWholeList = describeSelection(state.filter, selection.search).length === 0;
  const whole = isWholeList ? [wholeList[kind]] : [];
  return {
    kind,
    state,
    selection,
    problems: [...problems, ...whole],
    newest,
    running,
    affected,
    takes: durationText(affected, today, plan),
  };
}

export interface Affected {
  entries: number;
  /** Emails to them in the outbox: all, and those that wait to be sent. */
  emails: number;
  waiting: number;
  /** Their copies of letters. */
  copies: number;
  /** Records that are changed: the entries, and what is linked to them. */
  records: number;
}

export async function countAffected(db: Db, kind: BulkKind, condition: SQL | undefined): Promise<Affected> {
  const total = (name: string) => sql`coalesce(sum(${sql.raw(name)}), 0) AS ${sql.raw(name)}`;
  const totals = sql.join(["emails", "waiting", "copies", "records"].map(total), sql`, `);
  const [counted] = await db.all<Affected>(
    sql`SELECT count(*) AS entries, ${totals} FROM ${affectedEntries(db, kind, condition, Number.MAX_SAFE_INTEGER)}`,
  );
  return counted ?? { entries: 0, emails: 0, waiting: 0, copies: 0, records: 0 };
}

function durationText(
  { entries, records }: Affected,
  today: number,
  { changedRecordsADay, jobsOfEachKind }: PlanLimits,
) {
  const days = Math.ceil((today + records) / changedRecordsADay);
  if (days > 1) {
    const cap = counted(changedRecordsADay, "record", "records");
    return `Up to ${days} days, so that the database can still store people who sign up.\nAdvanced: on the free Workers plan, at most ${cap} a day are changed: an entry, or an email, a copy of a letter or a friend of one.`;
  }
  const chunks = Math.max(entries / CHUNK.entries, records / CHUNK.records);
  return `About ${counted(Math.ceil(chunks / Math.min(jobsOfEachKind, CHUNKS_A_MINUTE)), "minute", "minutes")}.`;
}

/** On the paid plan, while no emails are being sent. */
const CHUNKS_A_MINUTE = 80;

const wholeList: Record<StartedKind, string> = {
  erase: "The whole list cannot be erased here. Filter it, or search it, first.",
  unsubscribe: "The whole list cannot be unsubscribed here. Filter it, or search it, first.",
};
