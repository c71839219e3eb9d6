import type { ReactNode } from "react";
import { SelectionList } from "#app/features/entries/bulk/selection-list.server.tsx";
import { describeSelection } from "#app/features/entries/describe-selection.ts";
import { readSelection } from "#app/features/entries/list-page.server.tsx";
import { firstPage, type ListState, withListState } from "#app/features/entries/list-state.ts";
import { ButtonForm, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import * as switches from "#app/switches.ts";
import { countEntries, newestEntry } from "#app/waitlist/filter/list-entries.server.ts";

/** What can be done with all the entries that the list shows. */
export async function showSelected(c: OwnerContext) {
  const { db } = c.var.app;
  const { state, selection, problems } = readSelection(c);
  const [newest, all, mayGetEmail] = await Promise.all([
    newestEntry(db),
    countEntries(db, selection),
    countEntries(db, { ...selection, mayGetEmail: true }),
  ]);
  const isWholeList = describeSelection(state.filter, selection.search).length === 0;
  const whole = isWholeList ? ["Filter the list, or search it, first."] : [];
  return c.render(
    selectView({ state, search: selection.search, newest, all, mayGetEmail, problems: [...problems, ...whole] }),
  );
}

interface SelectProps {
  state: ListState;
  search: string | undefined;
  /** The newest entry that is counted. */
  newest: number;
  all: number;
  mayGetEmail: number;
  problems: string[];
}

function selectView({ state, search, newest, all, mayGetEmail, problems }: SelectProps) {
  const path = (name: string) => withListState(name, firstPage(state));
  return (
    <Page
      title="All that match"
      section="entries"
      back={{ href: withListState("/owner/entries", state), name: "Back to the list" }}
    >
      <Problems problems={problems} />
      {problems.length > 0 ? null : (
        <>
          <p className="lead">{counted(all, "entry on the list matches:", "entries on the list match:")}</p>
          <SelectionList filters={describeSelection(state.filter, search)} />
          {all === 0 ? null : (
            <div className="columns select-actions">
              {switches.letters ? (
                <Invite action={path("/owner/letters/invite")} {...{ search, newest, mayGetEmail }} />
              ) : null}
              <Action id="export" title="Export them" link={<ButtonLink {...quiet("Export", path("/owner/export"))} />}>
                Downloads them for a spreadsheet or an email service.
              </Action>
              <Action
                id="unsubscribe"
                title="Unsubscribe them"
                link={<ButtonLink {...quiet("Unsubscribe", path("/owner/entries/unsubscribe"))} />}
              >
                Stops all email to them. You can undo it for 30 days.
              </Action>
              <Action
                id="erase"
                title="Erase them"
                link={<ButtonLink {...quiet("Erase", path("/owner/entries/erase"))} />}
              >
                Removes them with all that is stored about them. This cannot be undone.
              </Action>
            </div>
          )}
        </>
      )}
    </Page>
  );
}

function quiet(label: string, href: string) {
  return { label, href, kind: "quiet" } as const;
}

function Action({ id, title, link, children }: { id: string; title: string; link: ReactNode; children: ReactNode }) {
  return (
    <Section id={id} title={title} className="panel">
      <p>{children}</p>
      {link}
    </Section>
  );
}

interface InviteProps extends Pick<SelectProps, "search" | "newest" | "mayGetEmail"> {
  action: string;
}

function Invite({ action, search, newest, mayGetEmail }: InviteProps) {
  const draft = { label: "Draft an invitation", action, hidden: { newest: String(newest) } };
  const isSearched = search !== undefined && search !== "";
  return (
    <Action
      id="invite"
      title="Invite them"
      link={isSearched || mayGetEmail === 0 ? null : <ButtonForm {...draft} kind="quiet" />}
    >
      {isSearched
        ? "A letter cannot be addressed by a search, because it would store a part of an address. Use filters instead."
        : `Makes a draft of a letter for the ${formatNumber(mayGetEmail)} of them who may get email. People who join after this page was opened are not added, even if they match. Nothing is sent before you send it.`}
    </Action>
  );
}
