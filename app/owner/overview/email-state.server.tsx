import type { StoredNotification } from "#app/email/notifications.server.ts";
import { EmailReasons, Retry } from "#app/owner/overview/email-reasons.server.tsx";
import { listHref } from "#app/owner/overview/list-links.ts";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { Message } from "#app/owner/ui/message.server.tsx";
import { Section } from "#app/owner/ui/page.server.tsx";
import { Table } from "#app/owner/ui/table.server.tsx";
import { Tile } from "#app/owner/ui/tile.server.tsx";
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
    <Section id="emails" title="Emails">
      {requeued === null ? null : (
        <Message kind="success">
          {`${counted(requeued, "email is", "emails are")} queued again and will be sent within a minute.`}
        </Message>
      )}
      {pause === null ? null : <Message>{`${pause}.`}</Message>}
      <dl className="tiles">
        {(["sent", "waiting", "dead"] as const).map((state) => (
          <Tile key={state} name={emailStates[state]} value={emails[state]} href={listHref({ email: state })} />
        ))}
      </dl>
      <EmailReasons emails={emails} />
      <Retry emails={emails} />
      {notifications.length === 0 ? null : <Notifications notifications={notifications} timeZone={timeZone} />}
    </Section>
  );
}

const notificationNames: Record<NotificationKind, string> = {
  digest: "Daily digest",
  alert: "Alert",
  "send-limit": "Send limit reached",
};

/** The state of the owner's notifications: the only place that shows a failed one. */
function Notifications({ notifications, timeZone }: { notifications: StoredNotification[]; timeZone: string }) {
  const stateOf = ({ sent_at, dead_at, reason }: StoredNotification) =>
    sent_at !== null
      ? `Sent ${formatTime(sent_at, timeZone)}`
      : `${dead_at === null ? "Waiting" : "Failed"}: ${reasonText(reason) ?? NOT_ATTEMPTED.toLowerCase()}`;
  return (
    <Table
      caption="Latest emails to you"
      columns={[
        { name: "Email", cell: ({ kind }) => notificationNames[kind] },
        { name: "State", kind: "words", cell: stateOf },
      ]}
      rows={notifications}
      rowKey={({ kind }) => kind}
    />
  );
}
