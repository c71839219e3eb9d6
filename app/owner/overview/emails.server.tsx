import type { EmailStats } from "#app/email/email-stats.server.ts";
import { eventLimits } from "#app/email/event-limits.ts";
import type { StoredNotification } from "#app/email/notifications.server.ts";
import { neverRequeued } from "#app/email/requeue.server.ts";
import { BacklogWarning, type Sending } from "#app/owner/overview/backlog.server.tsx";
import { listHref } from "#app/owner/overview/list-links.ts";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Table, Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Advanced, Message, Section } from "#app/owner/ui/page.server.tsx";
import { reasonSettings, reasonText } from "#app/server/db/email-reasons.ts";
import type { NotificationKind } from "#app/server/db/schema/email.server.ts";
import { emailFilterValue, emailStates, isEmailReason, NOT_ATTEMPTED } from "#app/waitlist/email-filter.ts";
import { SENT_EMAIL_RETENTION_DAYS } from "#app/waitlist/retention.ts";

interface EmailStateProps {
  stats: Stats;
  notifications: StoredNotification[];
  timeZone: string;
  requeued: number | null;
  /** Why all email waits, in words. */
  pause: string | null;
  /** Since when emails to unverified sign-ups are held (milliseconds since 1970). */
  heldSince: number | null;
  /** How fast the site sends; null without a sender. */
  sending: Sending | null;
}

/** Sent, waiting and dead emails with the reasons, and the owner's notifications. */
export function EmailState(props: EmailStateProps) {
  const { stats, notifications, timeZone, requeued, pause, heldSince, sending } = props;
  const { emails, backlog } = stats;
  return (
    <Section id="emails" title="Emails">
      {requeued === null ? null : (
        <Message kind="success">
          {`${counted(requeued, "email is", "emails are")} queued again and will be sent within a minute.`}
        </Message>
      )}
      {pause === null ? null : <Paused pause={pause} />}
      {heldSince === null ? null : <Held since={formatTime(heldSince, timeZone)} />}
      {pause !== null || heldSince !== null || sending === null ? null : (
        <BacklogWarning backlog={backlog} sending={sending} />
      )}
      <dl className="tiles">
        <Tile
          name={`Sent in ${SENT_EMAIL_RETENTION_DAYS} days`}
          value={emails.sent}
          href={listHref({ email: "sent" })}
        />
        {(["waiting", "dead"] as const).map((state) => (
          <Tile key={state} name={emailStates[state]} value={emails[state]} href={listHref({ email: state })} />
        ))}
      </dl>
      <EmailReasons emails={emails} />
      <Advanced>{reasonSettings(emails.reasons.map(({ reason }) => reason))}</Advanced>
      <Retry emails={emails} />
      <p>
        <a className="quiet-link" href="/owner/emails">
          Change the words of the welcome and confirmation emails
        </a>
      </p>
      <Notifications notifications={notifications} timeZone={timeZone} />
    </Section>
  );
}

function Paused({ pause }: { pause: string }) {
  return (
    <>
      <Message>{`${pause}.`}</Message>
      <ButtonForm
        action="/owner/outbox/try"
        text="Tries one email within a minute. If the provider accepts it, all others follow."
        label="Try now"
      />
    </>
  );
}

function Held({ since }: { since: string }) {
  return (
    <>
      <Message>
        {`Too many sign-up emails bounced: at least ${BOUNCES.count} within a day, and more than ${100 * BOUNCES.share}% of that day’s. Emails to sign-ups that Turnstile has not verified have waited since ${since}. All others are sent.`}
      </Message>
      <ButtonForm
        action="/owner/outbox/release"
        text="Sends the emails that wait, and starts counting bounces again. Look at the newest entries first, and erase those that no real person made."
        label="Release emails"
      />
    </>
  );
}

const BOUNCES = eventLimits.bounces;

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

type Reason = EmailStats["reasons"][number];

/** Why emails are waiting or failed, each with a link to the entries concerned. */
function EmailReasons({ emails: { reasons } }: { emails: EmailStats }) {
  return (
    <Table
      caption="Why emails are waiting or failed"
      columns={[
        { name: "State", cell: ({ state }) => emailStates[state] },
        { name: "Reason", kind: "words", cell: (row) => <ReasonLink {...row} /> },
        { name: "Emails", kind: "number", cell: ({ emails }) => formatNumber(emails) },
      ]}
      rows={reasons}
      rowKey={({ state, reason }) => `${state} ${reason}`}
    />
  );
}

function ReasonLink({ state, reason }: Reason) {
  if (reason !== null && !isEmailReason(reason)) return reason;
  return <a href={listHref({ email: emailFilterValue({ state, reason }) })}>{reasonText(reason) ?? NOT_ATTEMPTED}</a>;
}

/** Buttons that requeue dead emails. Those that may have arrived need a decision of their own. */
function Retry({ emails: { dead, reasons } }: { emails: EmailStats }) {
  const count = (known: readonly string[]) =>
    reasons
      .filter(({ state, reason }) => state === "dead" && known.includes(reason ?? ""))
      .reduce((sum, { emails }) => sum + emails, 0);
  const uncertain = count(["outcome-unknown"]);
  const unwanted = count(neverRequeued);
  const failed = dead - uncertain - unwanted;
  return (
    <>
      {failed === 0 ? null : (
        <ButtonForm
          action="/owner/outbox/retry"
          text={`Sends ${counted(failed, "email", "emails")} again. Do this once the cause is fixed.`}
          label="Try again"
        />
      )}
      {uncertain === 0 ? null : (
        <ButtonForm
          action="/owner/outbox/retry"
          text={`The provider never confirmed ${counted(uncertain, "email", "emails")}. Some people may get a second copy.`}
          name="emails"
          value="outcome-unknown"
          label="Send again anyway"
        />
      )}
      {unwanted === 0 ? null : (
        <p>
          {`${counted(unwanted, "email", "emails")} won’t be retried: the address cannot receive email, or the person wants none.`}
        </p>
      )}
    </>
  );
}
