import type { EmailStats } from "#app/email/email-stats.server.ts";
import { neverRequeued } from "#app/email/requeue.server.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { reasonText } from "#app/server/db/email-reasons.ts";
import { emailFilterValue, emailStates, isEmailReason, NOT_ATTEMPTED } from "#app/waitlist/email-filter.ts";

/** Why emails are waiting or failed, each with a link to the entries concerned. */
export function EmailReasons({ emails: { reasons } }: { emails: EmailStats }) {
  if (reasons.length === 0) return null;
  return (
    <table className="owner-table">
      <caption>Why emails are waiting or failed</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Reason</th>
          <th scope="col" className="number">
            Emails
          </th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ state, reason, emails }) => (
          <tr key={`${state} ${reason}`}>
            <td>{emailStates[state]}</td>
            <td className="words">
              {reason === null || isEmailReason(reason) ? (
                <a href={`/owner/entries?email=${emailFilterValue({ state, reason })}`}>
                  {reasonText(reason) ?? NOT_ATTEMPTED}
                </a>
              ) : (
                reason
              )}
            </td>
            <td className="number">{formatNumber(emails)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Buttons that requeue dead emails. Those that may have arrived need a decision of their own. */
export function Retry({ emails: { dead, reasons } }: { emails: EmailStats }) {
  const count = (known: readonly string[]) =>
    reasons
      .filter(({ state, reason }) => state === "dead" && known.includes(reason ?? ""))
      .reduce((sum, { emails }) => sum + emails, 0);
  const uncertain = count(["outcome-unknown"]);
  const unwanted = count(neverRequeued);
  const failed = dead - uncertain - unwanted;
  if (dead === 0) return null;
  return (
    <div className="email-retry">
      {failed === 0 ? null : (
        <form method="post" action="/owner/outbox/retry">
          <button className="button button-quiet" type="submit">
            Try again
          </button>
          <p>{`Sends ${emailCount(failed)} again. Do this once the cause is fixed.`}</p>
        </form>
      )}
      {uncertain === 0 ? null : (
        <form method="post" action="/owner/outbox/retry">
          <button className="button button-quiet" type="submit" name="emails" value="outcome-unknown">
            Send again anyway
          </button>
          <p>{`The provider never confirmed ${emailCount(uncertain)}. Some people may get a second copy.`}</p>
        </form>
      )}
      {unwanted === 0 ? null : (
        <p>{`${emailCount(unwanted)} ${unwanted === 1 ? "is" : "are"} never sent again: the address does not accept email, or the person wants none.`}</p>
      )}
    </div>
  );
}

function emailCount(emails: number): string {
  return `${formatNumber(emails)} ${emails === 1 ? "email" : "emails"}`;
}
