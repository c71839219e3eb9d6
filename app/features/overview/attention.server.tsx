import { type Backlog, capacityPerHour, hoursToSend, type SendingLimits } from "#app/email/backlog.server.ts";
import { eventLimits, importedPerHour, unverifiedPerHour } from "#app/email/limits.ts";
import type { StoredNotification } from "#app/email/notifications.server.ts";
import { neverRequeued } from "#app/email/requeue.server.ts";
import { isUnusual } from "#app/email/unusual.ts";
import { listHref } from "#app/features/overview/list-links.ts";
import { RECENT_DAYS, type Stats } from "#app/features/overview/stats.server.ts";
import { ButtonForm, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { counted, formatHours, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { AttentionItem } from "#app/owner/ui/owner-context.ts";
import { Lines, Section } from "#app/owner/ui/page.server.tsx";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { emailReasonText } from "#app/server/db/email-reasons.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import { DAY, type EpochMillis, HOUR } from "#app/server/time/units.ts";
import { emailFilterValue } from "#app/waitlist/filter/email-filter.ts";
import { DATA_LINK_LIFETIME } from "#app/waitlist/my-data/token.server.ts";

export interface SiteState {
  stats: Stats;
  /** When the stats were computed. */
  computedAt: EpochMillis;
  notifications: StoredNotification[];
  timeZone: string;
  /** Why all email waits, in words. */
  pause: string | null;
  /** Since when emails to unverified sign-ups are paused. */
  unverifiedPausedSince: EpochMillis | null;
  /** How fast the site sends; null without a sender. */
  sending: SendingLimits | null;
  /** The page that changes the send limit, if there is one. */
  limitPage: string | undefined;
  /** A launch date that has passed, and what to do about it. */
  launch: AttentionItem[];
  /** How many visits are counted in a day. */
  maxVisits: number;
  /** When D1 accepts queries again, if it has refused some today. */
  quota: string | null;
}

/** What needs the owner's attention, the most urgent first. Other sections have items of their own. */
export function siteAttention(state: SiteState): AttentionItem[] {
  const { stats, computedAt, quota, maxVisits, launch } = state;
  const items: (AttentionItem | false)[] = [
    quota !== null && {
      text: `What the database may do in a day is used up, so no one can join. Sign-up works again ${quota}.\nAdvanced: D1 refused queries today. Cloudflare’s free plan limits the rows of a day; the Workers Paid plan does not (docs/workers-plans.md).`,
    },
    ...emailAttention(state),
    recentBounces(stats),
    flood(stats, computedAt),
    refusedLinks(stats, computedAt),
    stats.periods.today.visits >= maxVisits && {
      text: `The site has counted ${formatNumber(maxVisits)} visits today and stops until midnight, so that sign-ups get the rest of what the database may store in a day.`,
    },
    ...launch,
  ];
  return items.filter((item) => item !== false);
}

function emailAttention(state: SiteState): (AttentionItem | false)[] {
  const { stats, notifications, timeZone, pause, unverifiedPausedSince: pausedSince, sending } = state;
  const { emails, backlog } = stats;
  const unwanted = countDead(emails, neverRequeued);
  const failed = emails.dead - unwanted;
  const which = unwanted === 0 ? "" : `, of which ${formatNumber(failed)} can be tried again`;
  const unsent = notifications.find(({ dead_at, done_at }) => dead_at !== null && done_at === null);
  return [
    pause !== null && {
      text: `${pause}. “Try now” sends one email within a minute; if the provider accepts it, all others follow.`,
      action: { label: "Try now", post: "/owner/outbox/try" },
    },
    pausedSince !== null && {
      text: `Too many sign-up emails bounced: at least ${BOUNCES.count} in a day, and more than ${100 * BOUNCES.share}% of that day’s. Emails to sign-ups that Turnstile has not verified have waited since ${formatTime(pausedSince, timeZone)}; all others are sent. Look at the newest entries first, and erase those that no real person made. “Release emails” sends those that wait and counts bounces from zero.`,
      action: { label: "Release emails", post: "/owner/outbox/release" },
    },
    failed > 0 && {
      text: `${counted(emails.dead, "email", "emails")} failed${which}${mainReason(emails)}. Try again once the cause is fixed.`,
      action: { label: "Try again", post: "/owner/outbox/retry" },
    },
    emails.unknown > 0 && {
      text: `The provider never confirmed ${counted(emails.unknown, "email", "emails")}. If you send them again, some people may get a second copy.`,
      action: { label: "Send again anyway", post: "/owner/outbox/retry", fields: { emails: "outcome-unknown" } },
    },
    unsent !== undefined && {
      text: `An email to you failed: ${emailReasonText(unsent.reason) ?? "no attempt was made"}.`,
    },
    pause === null && pausedSince === null && sending !== null && backlogWarning(backlog, sending, state.limitPage),
  ];
}

const BOUNCES = eventLimits.bounces;

export function countDead({ reasons }: Stats["emails"], known: readonly string[]): number {
  return reasons
    .filter(({ state, reason }) => state === "dead" && known.includes(reason ?? ""))
    .reduce((sum, { emails }) => sum + emails, 0);
}

/** The most frequent reason for which emails failed that can be tried again. */
function mainReason({ reasons }: Stats["emails"]): string {
  const known: readonly string[] = neverRequeued;
  const main = reasons.find(({ state, reason }) => state === "dead" && !known.includes(reason ?? ""));
  const text = emailReasonText(main?.reason ?? null);
  return text === null ? "" : `. The main reason: ${text}`;
}

function recentBounces({ recent: { bounces, complaints } }: Stats): AttentionItem | false {
  if (bounces < BOUNCES.count && complaints === 0) return false;
  const found = [
    ...(bounces > 0 ? [counted(bounces, "address bounced", "addresses bounced")] : []),
    ...(complaints > 0 ? [counted(complaints, "person reported spam", "people reported spam")] : []),
  ];
  const reason = bounces > 0 ? "address-refused" : "complaint";
  return {
    text: `In the last ${RECENT_DAYS} days ${found.join(" and ")}.`,
    action: { label: "See who", href: listHref({ email: emailFilterValue({ state: "dead", reason }) }) },
  };
}

/** Unusually many blocked attempts today or yesterday (UTC). */
function flood({ blocked }: Stats, computedAt: EpochMillis): AttentionItem | false {
  const day = utcDay(computedAt);
  const attempts = blocked.filter(({ reason }) => reason !== "sign-in");
  const today = sum(attempts.filter((row) => row.day === day));
  const usual = sum(attempts.filter((row) => row.day < day && row.day >= utcDay(computedAt - USUAL_DAYS * DAY)));
  return (
    isUnusual(today, usual / USUAL_DAYS) && {
      text: `${counted(today, "attempt to join was", "attempts to join were")} blocked today; a usual day has ${Math.round(usual / USUAL_DAYS)}. If some got through, you can select and erase them together.`,
      action: { label: "See the newest entries", href: "/owner/entries" },
    }
  );
}
const USUAL_DAYS = 7;

/** How many requests for sign-in links were refused in the last day, of which the owner would see nothing otherwise. */
function refusedLinks({ blocked }: Stats, computedAt: EpochMillis): AttentionItem | false {
  const since = utcDay(computedAt - DAY);
  const refused = sum(blocked.filter(({ day, reason }) => reason === "sign-in" && day >= since));
  const requests = counted(refused, "request for a sign-in link was", "requests for a sign-in link were");
  return (
    refused > 0 && {
      text: `${requests} refused since yesterday (UTC), because too many had been made. If you did not make them, someone else knows an owner’s address. They cannot sign in, and this browser’s own requests are not affected.`,
    }
  );
}

function sum(rows: { count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0);
}

export function Attention({ items }: { items: AttentionItem[] }) {
  if (items.length === 0) return null;
  return (
    <Section id="attention" title="Needs attention">
      <ul className="bare-list attention">
        {items.map((item) => (
          <li className="row spread message" key={item.text}>
            <div>
              <Lines text={item.text} />
            </div>
            <Action action={item.action} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Action({ action }: Pick<AttentionItem, "action">) {
  if (action === undefined) return null;
  if ("href" in action) {
    const { label, about, href } = action;
    const name = (
      <>
        {label}
        {about && <span className="visually-hidden"> {about}</span>}
      </>
    );
    return <ButtonLink kind="quiet" label={name} href={href} />;
  }
  return <ButtonForm action={action.post} label={action.label} hidden={action.fields ?? {}} />;
}

/** A backlog that takes longer is worth a warning. */
const WARNED_FROM_HOURS = 24;

function backlogWarning(
  backlog: Backlog,
  sending: SendingLimits,
  limitPage: string | undefined,
): AttentionItem | false {
  const hours = hoursToSend(backlog, sending);
  if (hours <= WARNED_FROM_HOURS) return false;
  const { verified, unverified, imported } = backlog;
  const waiting = counted(verified + unverified + imported, "email is", "emails are");
  const duration = `${formatHours(hours)} at ${perHour(sending.emailsPerHour, sending)} an hour${shares(backlog, sending)}`;
  const links = hours * HOUR > DATA_LINK_LIFETIME ? " Some will arrive with a link that has expired." : "";
  const text = `${waiting} waiting to be sent, which takes ${duration}.${links}`;
  if (limitPage === undefined || sending.emailsPerHour >= capacityPerHour(sending))
    return { text: text + advice(sending) };
  return { text, action: { label: "Raise the send limit", href: limitPage } };
}

/** What the limit allows to those who get only a share of it. */
function shares({ unverified, imported }: Backlog, sending: SendingLimits): string {
  const share = (emails: number, limit: number, recipients: string) =>
    emails === 0 ? [] : [`${perHour(limit, sending)} to ${recipients} (${counted(emails, "email", "emails")})`];
  const limits = [
    ...share(unverified, unverifiedPerHour(sending.emailsPerHour), "sign-ups that Turnstile has not verified"),
    ...share(imported, importedPerHour(sending.emailsPerHour), "imported people"),
  ];
  return limits.length === 0 ? "" : `, of which at most ${limits.join(" and ")}`;
}

function perHour(limit: number, sending: SendingLimits): string {
  return formatNumber(Math.min(limit, capacityPerHour(sending)));
}

function advice(sending: SendingLimits): string {
  if (sending.emailsPerHour < capacityPerHour(sending)) {
    return "\nAdvanced: to send them sooner, raise MAIL_PER_HOUR; docs/email.md says how far.";
  }
  return sending.plan.subrequests < planLimits.paid.subrequests
    ? "\nAdvanced: the free Workers plan allows no more. To send them sooner, change to the paid plan."
    : " The site cannot send faster.";
}
