import type { ReactNode } from "react";
import { readSelection } from "#app/features/entries/list-page.server.tsx";
import { backToList, describeSelection, firstPage, withListState } from "#app/features/entries/list-state.ts";
import { ButtonForm, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Page, Problems, Section } from "#app/owner/ui/page.server.tsx";
import * as switches from "#app/switches.ts";
import { countEntries, newestEntry } from "#app/waitlist/filter/list-entries.server.ts";

/** What can be done with all the entries that the list shows. */
export async function showSelected(c: OwnerContext) {
  const { db } = c.var.app;
  const { state, selection, problems: ignored } = readSelection(c);
  const { search } = selection;
  // The newest entry that is counted.
  const [newest, all, mayGetEmail] = await Promise.all([
    newestEntry(db),
    countEntries(db, selection),
    countEntries(db, { ...selection, mayGetEmail: true }),
  ]);
  const filters = describeSelection(state.filter, search);
  const problems = [...ignored, ...(filters.length === 0 ? ["Filter the list, or search it, first."] : [])];
  const path = (name: string) => withListState(name, firstPage(state));
  const isSearched = search !== undefined && search !== "";
  const draft = { action: path("/owner/letters/invite"), hidden: { newest: String(newest) } };
  const invite = <ButtonForm className="flush" label="Draft an invitation" {...draft} />;
  const link = (label: string, name: string) => <ButtonLink kind="quiet" label={label} href={path(name)} />;
  return c.render(
    <Page title="All that match" section="entries" back={backToList(state)}>
      <Problems problems={problems} />
      {problems.length > 0 ? null : (
        <>
          <p className="lead">{counted(all, "entry on the list matches:", "entries on the list match:")}</p>
          <SelectionList filters={filters} />
          {all === 0 ? null : (
            <div className="columns select-actions">
              {switches.letters ? (
                <Action id="invite" title="Invite them" button={isSearched || mayGetEmail === 0 ? null : invite}>
                  {isSearched
                    ? "A letter cannot be addressed by a search, because it would store a part of an address. Use filters instead."
                    : `Makes a draft of a letter for the ${formatNumber(mayGetEmail)} of them who may get email. People who join after this page was opened are not added, even if they match. Nothing is sent before you send it.`}
                </Action>
              ) : null}
              <Action id="export" title="Export them" button={link("Export", "/owner/export")}>
                Downloads them for a spreadsheet or an email service.
              </Action>
              <Action
                id="unsubscribe"
                title="Unsubscribe them"
                button={link("Unsubscribe", "/owner/entries/unsubscribe")}
              >
                Stops all email to them. You can undo it for 30 days.
              </Action>
              <Action id="erase" title="Erase them" button={link("Erase", "/owner/entries/erase")}>
                Removes them with all that is stored about them. This cannot be undone.
              </Action>
            </div>
          )}
        </>
      )}
    </Page>,
  );
}

/** What a selection consists of, in words. */
export function SelectionList({ filters }: { filters: string[] }) {
  return (
    <ul>
      {filters.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

interface ActionProps {
  id: string;
  title: string;
  button: ReactNode;
  children: ReactNode;
}

function Action({ id, title, button, children }: ActionProps) {
  return (
    <Section id={id} title={title} className="panel">
      <p>{children}</p>
      {button}
    </Section>
  );
}
