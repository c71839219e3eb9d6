import type { StoredNotification } from "#app/email/notifications.server.ts";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { EmailReasons, Retry } from "#app/owner/ui/email-reasons.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { reasonText } from "#app/server/db/email-reasons.ts";
import type { NotificationKind } from "#app/server/db/schema/email.server.ts";
import { emailStates, NOT_ATTEMPTED } from "#app/waitlist/email-filter.ts";

interface EmailStateProps {
  stats: Stats;
  notifications: StoredNotification[];
  timeZone: string;
  requeued: number | null;
  /** Why all email waits, in words. */
  pause: string | null;
}

/** Sent, waiting and dead emails with the reasons, and the owner's notifications. */
export function EmailState({ stats: { emails }, notifications, timeZone, requeued, pause }: EmailStateProps) {
  return (
    <section aria-labelledby="emails">
      <h2 id="emails">Emails</h2>
      {requeued === null ? null : (
        <p className="owner-answer" role="status">
          {`${formatNumber(requeued)} ${requeued === 1 ? "email is" : "emails are"} queued again and will be sent within a minute.`}
        </p>
      )}
      {pause === null ? null : <p className="owner-answer">{`${pause}.`}</p>}
      <dl className="tiles">
        {(["sent", "waiting", "dead"] as const).map((state) => (
          <div className="tile" key={state}>
            <dt>{emailStates[state]}</dt>
            <dd>
              <a className="quiet-link" href={`/owner/entries?email=${state}`}>
                {formatNumber(emails[state])}
              </a>
            </dd>
          </div>
        ))}
      </dl>
      <EmailReasons emails={emails} />
      <Retry emails={emails} />
      {notifications.length === 0 ? null : <Notifications notifications={notifications} timeZone={timeZone} />}
    </section>
  );
}

const notificationNames: Record<NotificationKind, string> = {
  digest: "Daily digest",
  alert: "Alert",
  "send-limit": "Send limit reached",
};

/** The state of the owner's notifications: the only place that shows a failed one. */
function Notifications({ notifications, timeZone }: { notifications: StoredNotification[]; timeZone: string }) {
  return (
    <table className="owner-table">
      <caption>Latest emails to you</caption>
      <thead>
        <tr>
          <th scope="col">Email</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {notifications.map(({ kind, sent_at, dead_at, reason }) => (
          <tr key={kind}>
            <th scope="row">{notificationNames[kind]}</th>
            <td className="words">
              {sent_at !== null
                ? `Sent ${formatTime(sent_at, timeZone)}`
                : `${dead_at === null ? "Waiting" : "Failed"}: ${reasonText(reason) ?? NOT_ATTEMPTED.toLowerCase()}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
