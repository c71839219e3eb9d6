import { describeSelection } from "#app/owner/entries/describe-selection.ts";
import type { ErasedRows } from "#app/owner/entries/erase-many/erased-rows.server.ts";
import { describePlan, type ErasingPlan } from "#app/owner/entries/erase-many/erasing-plan.server.ts";
import type { Erasure } from "#app/owner/entries/erase-many/erasures.server.ts";
import { SelectionList } from "#app/owner/entries/erase-many/selection-list.server.tsx";
import { firstPage, type ListState, withListState } from "#app/owner/entries/list-state.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { Lines, Message, Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import type { EntrySelection } from "#app/waitlist/entry-conditions.server.ts";

export interface ErasingProps {
  state: ListState;
  selection: EntrySelection;
  /** Why these entries cannot be erased, in sentences. */
  problems: string[];
  /** The newest entry that is counted. */
  newest: number;
  rows: ErasedRows;
  plan: ErasingPlan;
  /** An erasure that has not ended. */
  running: Erasure | null;
  /** A number that was refused. */
  typed?: string;
}

/** What erasing the entries of a list would do. */
export function eraseView({ problems, ...props }: ErasingProps) {
  const { state, selection, rows, running } = props;
  const mayStart = problems.length === 0 && running === null && rows.entries > 0;
  return (
    <Page
      title="Erase entries"
      section="entries"
      back={{ href: withListState("/owner/entries", state), name: "Back to the list" }}
    >
      <Problems problems={problems} />
      {problems.length > 0 ? null : (
        <>
          <p className="lead">{counted(rows.entries, "entry on the list matches:", "entries on the list match:")}</p>
          <SelectionList filters={describeSelection(state.filter, selection.search)} />
        </>
      )}
      {running === null ? null : (
        <Message>
          Entries are being erased already. Another erasure can start once{" "}
          <a href={`/owner/erasures/${running.id}`}>that one</a> has ended.
        </Message>
      )}
      {mayStart ? <ConfirmErasing {...props} /> : null}
    </Page>
  );
}

function ConfirmErasing({ state, newest, rows, plan, typed }: Omit<ErasingProps, "problems">) {
  const { entries, waiting, emails, recipients } = rows;
  const others = emails - waiting;
  const all = formatNumber(entries);
  return (
    <>
      <Facts
        facts={[
          ["Erases", `${counted(entries, "entry", "entries")} with all that is stored about these people`],
          ["Waiting emails", waiting === 0 ? null : `${formatNumber(waiting)}, which are not sent any more`],
          ["Other emails", others === 0 ? null : `The records of ${formatNumber(others)} that were sent or failed`],
          [
            "Letters",
            recipients === 0
              ? null
              : `${counted(recipients, "copy stays", "copies stay")} in the counts, without a name`,
          ],
          [
            "Remains",
            "The list of addresses that get no email, an anonymous total, and the number of entries in the log. The database keeps its own history for 30 days.",
          ],
          ["Later sign-ups", "People who join after this page was opened are not erased."],
          ["Takes", <Lines key="takes" text={describePlan(plan, entries)} />],
        ]}
      />
      <Section id="confirm" title="Erase them">
        <form className="form" method="post" action={withListState("/owner/entries/erase", firstPage(state))}>
          <input type="hidden" name="newest" value={newest} />
          <Field
            name="count"
            label={`To confirm, type the number of entries (${all})`}
            inputMode="numeric"
            value={typed}
            problem={typed === undefined ? undefined : countProblem(typed, entries)}
          />
          <p className="hint">This cannot be undone. You can stop it, which keeps the entries that are left.</p>
          <Button label="Erase these entries" kind="danger" />
        </form>
      </Section>
    </>
  );
}

function countProblem(typed: string, entries: number): string {
  if (typed === "") return "Type the number of entries.";
  return `This would erase ${counted(entries, "entry", "entries")}. Type that number if this is what you want.`;
}
