import type { ReactNode } from "react";
import type { OwnerIntent } from "#app/owner/change-entry.server.ts";
import { confirmationOf } from "#app/waitlist/confirmation.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";

/** Actions on an entry. The erase button is inside a closed `<details>`, which serves as the confirmation. */
export function EntryActions({ entry }: { entry: Pick<Entry, "status" | "confirm_by" | "confirmed_at"> }) {
  const active = entry.status === "active";
  return (
    <section className="entry-actions" aria-labelledby="actions">
      <h2 id="actions">What to do</h2>
      {active ? (
        <>
          {confirmationOf(entry) === "unconfirmed" ? (
            <p>This address is not confirmed yet, so it gets no welcome email.</p>
          ) : (
            <Action intent="resend" label="Resend the welcome mail" />
          )}
          <Action intent="unsubscribe" label="Unsubscribe" text="No more mail. Only that person can come back." />
        </>
      ) : (
        <p>Whoever has left comes back only by signing up again and agreeing by mail.</p>
      )}
      <details className="entry-erase">
        <summary className="button button-quiet">Erase</summary>
        <Action intent="erase" label="Yes, erase it for good" className="button-danger">
          This removes the entry and its mail at once and cannot be undone. Only the count of erased entries stays, and
          the database's own history for 30 days.
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
