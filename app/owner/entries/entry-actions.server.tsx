import type { ReactNode } from "react";
import type { OwnerIntent } from "#app/owner/entries/change-entry.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";

/** Actions on an entry. Those that cannot be undone are inside a closed `<details>`, which serves as the confirmation. */
export function EntryActions({ entry }: { entry: Pick<Entry, "status" | "confirm_by" | "confirmed_at"> }) {
  const active = entry.status === "active";
  return (
    <section className="entry-actions" aria-labelledby="actions">
      <h2 id="actions">Actions</h2>
      {active ? (
        <>
          {confirmationOf(entry) === "unconfirmed" ? (
            <p>This address is not confirmed yet, so it gets no welcome email.</p>
          ) : (
            <Action intent="resend" label="Resend the welcome email" />
          )}
          <details className="entry-confirm">
            <summary className="button button-quiet">Unsubscribe</summary>
            <Action intent="unsubscribe" label="Unsubscribe this person">
              This stops all email to this person. Only they can rejoin, so you cannot undo it.
            </Action>
          </details>
        </>
      ) : (
        <p>This person has unsubscribed. Only they can rejoin, through the link in an email.</p>
      )}
      <details className="entry-confirm entry-erase">
        <summary className="button button-quiet">Erase</summary>
        <Action intent="erase" label="Erase permanently" className="button-danger">
          This permanently removes the entry and its emails. All that remains is an anonymous total, and the entry’s
          number in the log. The database keeps its own history for 30 days.
        </Action>
      </details>
    </section>
  );
}

interface ActionProps {
  intent: OwnerIntent;
  label: string;
  className?: string;
  children?: ReactNode;
}

/** Without an action, the form posts to the URL of the page, which holds the list's filters. */
function Action({ intent, label, className = "button-quiet", children }: ActionProps) {
  return (
    <form method="post">
      {children === undefined ? null : <p>{children}</p>}
      <button className={`button ${className}`} name="intent" value={intent} type="submit">
        {label}
      </button>
    </form>
  );
}
