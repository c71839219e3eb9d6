import type { ReactNode } from "react";
import type { BulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import type { Affected, StartedKind } from "#app/features/entries/bulk/read-bulk.server.ts";
import { SelectionList } from "#app/features/entries/bulk/selection-list.server.tsx";
import { describeSelection } from "#app/features/entries/describe-selection.ts";
import { firstPage, type ListState, withListState } from "#app/features/entries/list-state.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { Lines, Message, Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";

export interface ConfirmProps {
  kind: StartedKind;
  state: ListState;
  selection: EntrySelection;
  problems: string[];
  /** The newest entry that is counted. */
  newest: number;
  affected: Affected;
  takes: string;
  running: BulkAction | null;
  /** A number that was refused. */
  typed?: string;
}

interface Words {
  title: string;
  counts: [one: string, many: string];
  heading: string;
  button: string;
  would: string;
  note: string;
}

const words: Record<StartedKind, Words> = {
  erase: {
    title: "Erase entries",
    counts: ["entry on the list matches:", "entries on the list match:"],
    heading: "Erase them",
    button: "Erase these entries",
    would: "This would erase",
    note: "This cannot be undone. You can stop it, which keeps the entries that are left.",
  },
  unsubscribe: {
    title: "Unsubscribe entries",
    counts: ["entry that matches is still subscribed:", "entries that match are still subscribed:"],
    heading: "Unsubscribe them",
    button: "Unsubscribe these entries",
    would: "This would unsubscribe",
    note: "You can stop it, and undo it for 30 days.",
  },
};

export function confirmView({ problems, ...props }: ConfirmProps) {
  const { kind, state, selection, affected, running } = props;
  const mayStart = problems.length === 0 && running === null && affected.entries > 0;
  return (
    <Page
      title={words[kind].title}
      section="entries"
      back={{ href: withListState("/owner/entries", state), name: "Back to the list" }}
    >
      <Problems problems={problems} />
      {problems.length > 0 ? null : (
        <>
          <p className="lead">{counted(affected.entries, ...words[kind].counts)}</p>
          <SelectionList filters={describeSelection(state.filter, selection.search)} />
        </>
      )}
      {running === null ? null : (
        <Message>
          Entries are being changed already. Another change can start once{" "}
          <a href={`/owner/bulk/${running.id}`}>that one</a> has ended.
        </Message>
      )}
      {mayStart ? <Confirmation {...props} /> : null}
    </Page>
  );
}

function Confirmation({ kind, state, newest, affected, takes: duration, typed }: Omit<ConfirmProps, "problems">) {
  const { entries } = affected;
  const { heading, button, note } = words[kind];
  const takes: Fact = ["Takes", <Lines key="takes" text={duration} />];
  return (
    <>
      <Facts facts={[...(kind === "erase" ? erasing(affected) : unsubscribing(affected)), takes]} />
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

function unsubscribing({ entries, waiting }: Affected): Fact[] {
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
    ["Later sign-ups", "People who join after this page was opened are not unsubscribed."],
  ];
}

function countProblem(kind: StartedKind, typed: string, entries: number): string {
  if (typed === "") return "Type the number of entries.";
  return `${words[kind].would} ${counted(entries, "entry", "entries")}. Type that number if this is what you want.`;
}
