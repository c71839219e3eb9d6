import type { ReactNode } from "react";
import type { OwnerIntent } from "#app/owner/change-entry.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";

/** Actions on an entry. The erase button is inside a closed `<details>`, which serves as the confirmation. */
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
          <Action
            intent="unsubscribe"
            label="Unsubscribe"
            text="Stops all email to this person. Only they can rejoin."
          />
        </>
      ) : (
        <p>This person has unsubscribed. Only they can rejoin, through the link in an email.</p>
      )}
      <details className="entry-erase">
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
  text?: string;
  className?: string;
  children?: ReactNode;
}

function Action({ intent, label, text, className = "button-quiet", children }: ActionProps) {
  return (
    <form method="post">
      {children === undefined ? null : <p>{children}</p>}
      <button className={`button ${className}`} name="intent" value={intent} type="submit">
        {label}
      </button>
      {text === undefined ? null : <p>{text}</p>}
    </form>
  );
}
