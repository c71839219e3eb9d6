import { ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";
import { confirmationOf } from "#app/waitlist/confirmation.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";

/** Actions on an entry. The forms post to the URL of the page, which holds the list's filters. */
export function EntryActions({ entry }: { entry: Pick<Entry, "status" | "confirm_by" | "confirmed_at"> }) {
  return (
    <Section id="actions" title="Actions" className="entry-actions panel">
      {entry.status !== "active" ? (
        <p>This person has unsubscribed. Only they can rejoin, through the link in an email.</p>
      ) : (
        <>
          {confirmationOf(entry) === "unconfirmed" ? (
            <p>This address is not confirmed yet, so it gets no welcome email.</p>
          ) : (
            <ButtonForm label="Resend the welcome email" value="resend" />
          )}
          <Confirm
            label="Unsubscribe this person"
            question="Unsubscribe"
            kind="quiet"
            value="unsubscribe"
            text="This stops all email to this person. Only they can rejoin, so you cannot undo it."
          />
        </>
      )}
      <Confirm
        label="Erase permanently"
        question="Erase"
        value="erase"
        text="This permanently removes the entry and its emails. All that remains is an anonymous total, and the entry’s number in the log. The database keeps its own history for 30 days."
      />
    </Section>
  );
}
