import type { StoredNotification } from "#app/email/owner-notifications.server.ts";
import { moment, number } from "#app/owner/labels.ts";
import { type EmailStats, REASONS_SAMPLE, type Stats } from "#app/owner/stats.server.ts";
import type { NotificationKind } from "#app/server/db/schema.server.ts";

interface EmailStateProps {
  figures: Stats;
  notices: StoredNotification[];
  timeZone: string;
  revived: number | null;
}

/** Mail sent, waiting and dead, with the reasons; and the owner's own. */
export function EmailState({ figures: { mail }, notices, timeZone, revived }: EmailStateProps) {
  return (
    <section aria-labelledby="mail">
      <h2 id="mail">Mail</h2>
      {revived === null ? null : (
        <p className="owner-answer" role="status">
          {`${number(revived)} ${revived === 1 ? "mail gets" : "mails get"} another round. The next sweep begins within five minutes.`}
        </p>
      )}
      <dl className="tiles">
        {(["sent", "waiting", "dead"] as const).map((state) => (
          <div className="tile" key={state}>
            <dt>{stateNames[state]}</dt>
            <dd>{number(mail[state])}</dd>
          </div>
        ))}
      </dl>
      {mail.reasons.length === 0 ? null : <Reasons mail={mail} />}
      {mail.dead === 0 ? null : (
        <form method="post" action="/owner/outbox/retry">
          <button className="button button-quiet" type="submit">
            Try all dead mail again
          </button>
        </form>
      )}
      {notices.length === 0 ? null : <Notices notices={notices} timeZone={timeZone} />}
    </section>
  );
}

const stateNames = { sent: "Sent", waiting: "Waiting", dead: "Dead" } as const;

function Reasons({ mail }: { mail: EmailStats }) {
  const isPart = mail.waiting > REASONS_SAMPLE || mail.dead > REASONS_SAMPLE;
  return (
    <table className="owner-table">
      <caption>{isPart ? `Why, among the newest ${number(REASONS_SAMPLE)} of each` : "Why"}</caption>
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
        {mail.reasons.map(({ state, reason, mails }) => (
          <tr key={`${state} ${reason}`}>
            <td>{stateNames[state]}</td>
            <td className="words">{reason ?? "Not tried yet"}</td>
            <td className="number">{number(mails)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const noticeNames: Record<NotificationKind, string> = {
  digest: "Daily digest",
  alert: "Alert",
  "mail-ceiling": "Mail is waiting for the ceiling",
};

/** Whether the news that the owner is owed arrived: where it does not, this is the only place to learn it. */
function Notices({ notices, timeZone }: { notices: StoredNotification[]; timeZone: string }) {
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
        {notices.map(({ kind, sent_at, dead_at, last_error }) => (
          <tr key={kind}>
            <th scope="row">{noticeNames[kind]}</th>
            <td className="words">
              {sent_at !== null
                ? `Sent ${moment(sent_at, timeZone)}`
                : `${dead_at === null ? "Waiting" : "Given up"}: ${last_error ?? "not tried yet"}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
