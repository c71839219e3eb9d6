import { MAX_OF_ONE_DOMAIN } from "#app/features/referrals/decide.server.ts";
import type { Referral } from "#app/features/referrals/owner/referrals.server.ts";
import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import type { ReferralDecision } from "#app/server/db/schema/referrals.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { MAX_NOTE_LENGTH } from "#app/waitlist/entries/note.ts";
import { countedDecisions } from "#app/waitlist/my-data/friends.server.ts";

export function DecisionText({ decision, note }: Pick<Referral, "decision" | "note">) {
  return (
    <>
      {decision === null ? UNDECIDED : decisionTexts[decision]}
      {note === null ? null : <small className="referral-note">{note}</small>}
    </>
  );
}

interface DecideFormProps {
  referral: Referral;
  /** The path of the form: that of the referral, with what leads back to the page. */
  action: string;
  /** The id of what names the friend in a list. */
  describedBy?: string;
  rejected?: RejectedNote | undefined;
}

/** A note that was not saved, and why. It opens the form. */
export interface RejectedNote {
  text: string;
  problem: string;
}

/** Lets the owner accept a referral that does not count, and refuse one that does. Nothing while it is undecided. */
export function DecideForm({ referral, action, describedBy, rejected }: DecideFormProps) {
  const { entryId, decision } = referral;
  if (decision === null) return null;
  const isCounted = countedDecisions.includes(decision);
  return (
    <details className="confirm confirm-quiet" open={rejected !== undefined}>
      <summary className="button button-quiet" aria-describedby={describedBy}>
        {isCounted ? "Refuse" : decision === "one-domain" ? "Decide" : "Accept"}
      </summary>
      <form className="form" method="post" action={action}>
        <NoteField id={`note-${entryId}`} rejected={rejected} />
        <Actions>
          {isCounted ? null : <Button label="Accept this friend" value="accept" />}
          {isCounted || decision === "one-domain" ? (
            <Button label="Refuse this friend" kind={isCounted ? "main" : "quiet"} value="refuse" />
          ) : null}
        </Actions>
      </form>
    </details>
  );
}

interface DecideManyProps {
  action: string;
  /** How many friends wait. */
  friends: number;
  /** The hash of their domain; null for all who wait. */
  domain: string | null;
  /** When the owner is shown them. */
  seen: EpochMillis;
  label: string;
  describedBy?: string;
  rejected?: RejectedNote | undefined;
}

/** Decides about friends who wait, of one domain or all of them. */
export function DecideManyForm({ action, friends, domain, seen, label, describedBy, rejected }: DecideManyProps) {
  const whom = friends === 1 ? "this friend" : `all ${formatNumber(friends)}`;
  return (
    <details className="confirm confirm-quiet" open={rejected !== undefined}>
      <summary className="button button-quiet" aria-describedby={describedBy}>
        {label}
      </summary>
      <form className="form" method="post" action={action}>
        {domain === null ? null : <input type="hidden" name="domain" value={domain} />}
        <input type="hidden" name="seen" value={seen} />
        <NoteField id={`note-${domain ?? "all"}`} rejected={rejected} />
        <Actions>
          <Button label={`Accept ${whom}`} value="accept" />
          <Button label={`Refuse ${whom}`} kind="quiet" value="refuse" />
        </Actions>
      </form>
    </details>
  );
}

function NoteField({ id, rejected }: { id: string; rejected: RejectedNote | undefined }) {
  return (
    <Field
      name="note"
      id={id}
      label="Note (optional)"
      hint="Why you decide so. The friend can read it in their data, so do not name anyone."
      rows={2}
      maxLength={MAX_NOTE_LENGTH}
      value={rejected?.text}
      problem={rejected?.problem}
    />
  );
}

const decisionTexts: Record<ReferralDecision, string> = {
  counted: "Counted",
  settled: "Counted, but not towards a milestone: the address was not confirmed",
  accepted: "Accepted by an owner",
  "one-domain": `Waits for you: ${MAX_OF_ONE_DOMAIN} people with addresses at the same domain count already`,
  throwaway: "Not counted: throwaway address",
  "own-mailbox": "Not counted: the referrer’s own mailbox",
  "known-mailbox": "Not counted: this mailbox joined before, or has counted already",
  left: "Not counted: left within a day",
  bounced: "Not counted: an email to them bounced",
  refused: "Refused by an owner",
};

const UNDECIDED = "Not decided yet. This happens once they confirm their address, or after a day if they need not.";
