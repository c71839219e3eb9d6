import type { EmailStats } from "#app/email/email-stats.server.ts";
import type { StoredNotification } from "#app/email/notifications.server.ts";
import { neverRequeued } from "#app/email/requeue.server.ts";
import { countDead, type SiteState } from "#app/features/overview/attention.server.tsx";
import { listHref } from "#app/features/overview/list-links.ts";
import { Table, Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Section } from "#app/owner/ui/page.server.tsx";
import { emailReasonText, reasonSettings } from "#app/server/db/email-reasons.ts";
import type { NotificationKind } from "#app/server/db/schema/email.server.ts";
import { SENT_EMAIL_RETENTION_DAYS } from "#app/waitlist/entries/retention.ts";
import { emailFilterValue, emailStates, isEmailReason, NOT_ATTEMPTED } from "#app/waitlist/filter/email-filter.ts";

type EmailStateProps = Pick<SiteState, "stats" | "notifications" | "timeZone">;

export function EmailState({ stats: { emails }, notifications, timeZone }: EmailStateProps) {
  const unwanted = countDead(emails, neverRequeued);
  return (
    <Section id="emails" title="Emails">
      <dl className="tiles">
        <Tile
          name={`Sent in ${SENT_EMAIL_RETENTION_DAYS} days`}
          value={emails.sent}
          href={listHref({ email: "sent" })}
        />
        {(["waiting", "dead", ...(emails.unknown > 0 ? (["unknown"] as const) : [])] as const).map((state) => (
          <Tile key={state} name={emailStates[state]} value={emails[state]} href={listHref({ email: state })} />
        ))}
      </dl>
      <div className="row top email-details">
        <details className="data">
          <summary>Show reasons and emails to you</summary>
          {unwanted === 0 ? null : (
            <p>
              {`${counted(unwanted, "email", "emails")} won’t be retried: the address cannot receive email, or the person wants none.`}
            </p>
          )}
          <Table
            caption="Why emails are waiting or failed"
            columns={[
              { name: "State", cell: ({ state }) => emailStates[state] },
              { name: "Reason", kind: "words", cell: (row) => <ReasonLink {...row} /> },
              { name: "Emails", kind: "number", cell: (row) => formatNumber(row.emails) },
            ]}
            rows={emails.reasons}
            rowKey={({ state, reason }) => `${state} ${reason}`}
          />
          <Advanced>{reasonSettings(emails.reasons.map(({ reason }) => reason))}</Advanced>
          {/* The only place that shows a failed one. */}
          <Table
            caption="Latest emails to you"
            columns={[
              { name: "Email", cell: ({ kind }) => notificationNames[kind] },
              { name: "State", kind: "words", cell: (notification) => stateOf(notification, timeZone) },
            ]}
            rows={notifications}
            rowKey={({ kind }) => kind}
          />
        </details>
        <a className="quiet-link" href="/owner/emails">
          Change the words of the welcome and confirmation emails
        </a>
      </div>
    </Section>
  );
}

const notificationNames: Record<NotificationKind, string> = {
  digest: "Daily digest",
  alert: "Alert",
  "send-limit": "Send limit reached",
};

function stateOf({ done_at, dead_at, reason }: StoredNotification, timeZone: string): string {
  if (done_at !== null) return `Sent ${formatTime(done_at, timeZone)}`;
  return `${dead_at === null ? "Waiting" : "Failed"}: ${emailReasonText(reason) ?? NOT_ATTEMPTED.toLowerCase()}`;
}

function ReasonLink({ state, reason }: EmailStats["reasons"][number]) {
  if (reason !== null && !isEmailReason(reason)) return reason;
  const filter = state === "unknown" ? { state } : { state, reason };
  return <a href={listHref({ email: emailFilterValue(filter) })}>{emailReasonText(reason) ?? NOT_ATTEMPTED}</a>;
}
