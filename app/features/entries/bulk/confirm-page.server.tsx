import { and, lte } from "drizzle-orm";
import type { ReactNode } from "react";
import { type Affected, countAffected, isConcerned } from "#app/features/entries/bulk/affected.server.ts";
import { changedToday, findRunningBulkAction, undoesImport } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { startAction } from "#app/features/entries/bulk/bulk-page.server.tsx";
import { CHUNK } from "#app/features/entries/bulk/change-jobs.server.ts";
import { SelectionList } from "#app/features/entries/bulk/select-page.server.tsx";
import { readSelection } from "#app/features/entries/list-page.server.tsx";
import { backToList, describeSelection, firstPage, withListState } from "#app/features/entries/list-state.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Lines, Message, Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import { isTypedCount } from "#app/owner/ui/typed-count.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { BulkKind } from "#app/server/db/schema/bulk.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { newestEntry } from "#app/waitlist/filter/list-entries.server.ts";

/** What an owner starts on a page that shows what it would do. */
type StartedKind = Exclude<BulkKind, "undo">;

export async function showConfirmation(c: OwnerContext, kind: StartedKind) {
  return c.render(confirmView(await readBulk(c, kind)));
}

/** Starts an action, if the number of entries was typed and is still the same. */
export async function confirmBulkAction(c: OwnerContext, kind: StartedKind) {
  const { form } = c.var;
  const bulk = await readBulk(c, kind, parseId(fieldText(form, "newest")));
  const { selection, newest, affected, mayStart } = bulk;
  const typed = fieldText(form, "count");
  if (!mayStart || !isTypedCount(typed, affected.entries)) {
    c.status(422);
    return c.render(confirmView({ ...bulk, typed }));
  }
  const started = await startAction(c, { kind, selection, newestEntryId: newest, expected: affected.entries });
  // Null if another owner was quicker.
  return started ?? showConfirmation(c, kind);
}

/** @param shown the newest entry when the owner was shown the number: later ones are left alone */
async function readBulk(c: OwnerContext, kind: StartedKind, shown?: number) {
  const { db, now, plan } = c.var.app;
  const { state, selection, problems: ignored } = readSelection(c);
  const newest = shown ?? (await newestEntry(db));
  const { search = null, timeZone: time_zone = "UTC", ...filter } = selection;
  const isAffected = isConcerned(db, { kind, undoes: null, filter, search, time_zone }, now());
  const [running, today, affected] = await Promise.all([
    findRunningBulkAction(db),
    changedToday(db, now()),
    countAffected(db, kind, and(isAffected, lte(waitlistEmails.id, newest))),
  ]);
  const filters = describeSelection(state.filter, selection.search);
  const problems = [...ignored, ...(filters.length === 0 ? [words[kind].wholeList] : [])];
  // With a filter left out, more would be changed than the owner asked for.
  const mayStart = problems.length === 0 && running === null && affected.entries > 0;
  const takes = durationText(affected, today, plan);
  return { kind, state, selection, filters, problems, newest, running, affected, takes, mayStart };
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

const words: Record<
  StartedKind,
  Record<"title" | "heading" | "button" | "would" | "note" | "wholeList", string> & {
    counts: [one: string, many: string];
  }
> = {
  erase: {
    title: "Erase entries",
    counts: ["entry on the list matches:", "entries on the list match:"],
    heading: "Erase them",
    button: "Erase these entries",
    would: "This would erase",
    note: "This cannot be undone. You can stop it, which keeps the entries that are left.",
    wholeList: "The whole list cannot be erased here. Filter it, or search it, first.",
  },
  unsubscribe: {
    title: "Unsubscribe entries",
    counts: ["entry that matches is still subscribed:", "entries that match are still subscribed:"],
    heading: "Unsubscribe them",
    button: "Unsubscribe these entries",
    would: "This would unsubscribe",
    note: "You can stop it, and undo it for 30 days.",
    wholeList: "The whole list cannot be unsubscribed here. Filter it, or search it, first.",
  },
};

/** `typed` is a number that was refused. */
type ConfirmProps = Awaited<ReturnType<typeof readBulk>> & { typed?: string };

function confirmView(props: ConfirmProps) {
  const { kind, state, filters, problems, affected, running } = props;
  return (
    <Page title={words[kind].title} section="entries" back={backToList(state)}>
      <Problems problems={problems} />
      {problems.length > 0 ? null : (
        <>
          <p className="lead">{counted(affected.entries, ...words[kind].counts)}</p>
          <SelectionList filters={filters} />
        </>
      )}
      {running === null ? null : (
        <Message>
          Entries are being changed already. Another change can start once{" "}
          <a href={`/owner/bulk/${running.id}`}>that one</a> has ended.
        </Message>
      )}
      {props.mayStart ? <Confirmation {...props} /> : null}
    </Page>
  );
}

function Confirmation({ kind, state, newest, affected, takes, typed }: ConfirmProps) {
  const { entries } = affected;
  const { heading, button, note } = words[kind];
  const facts = kind === "erase" ? erasing(affected) : unsubscribing(affected, undoesImport({ kind, ...state }));
  return (
    <>
      <Facts facts={[...facts, ["Takes", <Lines key="takes" text={takes} />]]} />
      <Section id="confirm" title={heading}>
        <form className="form" method="post" action={withListState(`/owner/entries/${kind}`, firstPage(state))}>
          <input type="hidden" name="newest" value={newest} />
          <Field
            name="count"
            label={`To confirm, type the number of entries (${formatNumber(entries)})`}
            inputMode="numeric"
            value={typed}
            problem={typed === undefined ? undefined : countProblem(kind, typed, entries)}
          />
          <p className="hint">{note}</p>
          <Button label={button} kind="danger" />
        </form>
      </Section>
    </>
  );
}

type Fact = [name: string, value: ReactNode];

function erasing({ entries, waiting, emails, copies }: Affected): Fact[] {
  const others = emails - waiting;
  return [
    ["Erases", `${counted(entries, "entry", "entries")} with all that is stored about these people`],
    ["Waiting emails", waiting === 0 ? null : `${formatNumber(waiting)}, which are not sent any more`],
    ["Other emails", others === 0 ? null : `The records of ${formatNumber(others)} that were sent or failed`],
    ["Letters", copies === 0 ? null : `${counted(copies, "copy stays", "copies stay")} in the counts, without a name`],
    [
      "Remains",
      "The list of addresses that get no email, an anonymous total, and the number of entries in the log. The database keeps its own history for 30 days.",
    ],
    ["Later sign-ups", "People who join after this page was opened are not erased."],
  ];
}

function unsubscribing({ entries, waiting }: Affected, isUndoneImport: boolean): Fact[] {
  return [
    ["Unsubscribes", `${counted(entries, "entry", "entries")}. Those who have left already stay as they are.`],
    [
      "Waiting emails",
      waiting === 0 ? null : `${formatNumber(waiting)}, which are not sent any more, even after an undo`,
    ],
    [
      "Undo",
      "Possible for 30 days. It puts back the people whom this has unsubscribed, except those who have left since, or whose address gets no email any more. People can also rejoin by themselves.",
    ],
    [
      "Afterwards",
      isUndoneImport
        ? "This undoes an import: those whom you have not put back within 30 days are then erased for good."
        : null,
    ],
    ["Later sign-ups", "People who join after this page was opened are not unsubscribed."],
  ];
}

function countProblem(kind: StartedKind, typed: string, entries: number): string {
  if (typed === "") return "Type the number of entries.";
  return `${words[kind].would} ${counted(entries, "entry", "entries")}. Type that number if this is what you want.`;
}
