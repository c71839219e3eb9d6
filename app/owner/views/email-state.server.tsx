import type { StoredNotification } from "#app/email/notifications.server.ts";
import { reasonText } from "#app/email/reasons.ts";
import { formatNumber, formatTime } from "#app/owner/labels.ts";
import type { EmailStats, Stats } from "#app/owner/stats.server.ts";
import type { NotificationKind } from "#app/server/db/schema.server.ts";

interface EmailStateProps {
  stats: Stats;
  notifications: StoredNotification[];
  timeZone: string;
  requeued: number | null;
  /** Why all email waits, in words. */
  hold: string | null;
}

/** Sent, waiting and dead emails with the reasons, and the owner's notifications. */
export function EmailState({ stats: { emails }, notifications, timeZone, requeued, hold }: EmailStateProps) {
  return (
    <section aria-labelledby="emails">
      <h2 id="emails">Mail</h2>
      {requeued === null ? null : (
        <p className="owner-answer" role="status">
          {`${formatNumber(requeued)} ${requeued === 1 ? "mail gets" : "mails get"} another round. The next sweep begins within five minutes.`}
        </p>
      )}
      {hold === null ? null : <p className="owner-answer">{hold}</p>}
      <dl className="tiles">
        {(["sent", "waiting", "dead"] as const).map((state) => (
          <div className="tile" key={state}>
            <dt>{stateNames[state]}</dt>
            <dd>{formatNumber(emails[state])}</dd>
          </div>
        ))}
      </dl>
      {emails.reasons.length === 0 ? null : <Reasons emails={emails} />}
      {emails.dead === 0 ? null : (
        <form method="post" action="/owner/outbox/retry">
          <button className="button button-quiet" type="submit">
            Try all dead mail again
          </button>
        </form>
      )}
      {notifications.length === 0 ? null : <Notifications notifications={notifications} timeZone={timeZone} />}
    </section>
  );
}

const stateNames = { sent: "Sent", waiting: "Waiting", dead: "Dead" } as const;

function Reasons({ emails }: { emails: EmailStats }) {
  return (
    <table className="owner-table">
      <caption>Why</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Reason</th>
          <th scope="col" className="number">
            Mails
          </th>
        </tr>
      </thead>
      <tbody>
        {emails.reasons.map(({ state, reason, emails }) => (
          <tr key={`${state} ${reason}`}>
            <td>{stateNames[state]}</td>
            <td className="words">{reasonText(reason) ?? "Not tried yet"}</td>
            <td className="number">{formatNumber(emails)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const notificationNames: Record<NotificationKind, string> = {
  digest: "Daily digest",
  alert: "Alert",
  "send-limit": "Mail is waiting for the ceiling",
};

/** The state of the owner's notifications: the only place that shows a failed one. */
function Notifications({ notifications, timeZone }: { notifications: StoredNotification[]; timeZone: string }) {
  return (
    <table className="owner-table">
      <caption>The newest mails to you</caption>
      <thead>
        <tr>
          <th scope="col">Mail</th>
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
                : `${dead_at === null ? "Waiting" : "Given up"}: ${reasonText(reason) ?? "not tried yet"}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
