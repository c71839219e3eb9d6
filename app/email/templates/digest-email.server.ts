import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type OwnerEmailProps, ownerNews } from "#app/email/templates/owner-email.server.ts";

export interface DigestProps {
  /** The period covered (milliseconds since 1970), `until` exclusive. A `from` of 0 means since the beginning. */
  from: number;
  until: number;
  /** People who joined in the period, with those who are {@link late}. */
  joined: number;
  /** People who were added since the last digest and had joined before the period, such as on a tablet that was offline. */
  late?: number;
  /** People on the list now. */
  active: number;
  /** Emails now waiting and dead. */
  waiting: number;
  dead: number;
}

/** The owner's daily digest: how many joined, not who. */
export function digestEmail(digest: DigestProps, props: OwnerEmailProps): EmailContent {
  const heading = `${digest.joined === 1 ? "One person" : `${number(digest.joined)} people`} joined`;
  const { waiting, dead } = digest;
  const paragraphs = [
    `${joinedText(digest, props.timeZone)} On the waitlist now: ${number(digest.active)}.`,
    ...(waiting > 0 ? [`Emails waiting: ${number(waiting)}.`] : []),
    ...(dead > 0 ? [`Emails that failed: ${number(dead)}. Your overview says why, and you can try again there.`] : []),
    "You get this email at most once a day, and only if someone joined.",
  ];
  return ownerNews(heading, paragraphs, props);
}

function joinedText(digest: DigestProps, timeZone: string): string {
  const when = `joined the waitlist ${period(digest, timeZone)}`;
  const { joined, late = 0 } = digest;
  if (late === 0) return `They ${when}.`;
  const why = "added since, such as from a tablet that was offline.";
  if (late === joined) return `They joined earlier and were ${why}`;
  return `${number(joined - late)} ${when}. ${number(late)} joined earlier and ${late === 1 ? "was" : "were"} ${why}`;
}

/** `on 20 November 2026`, or from day to day, in the owner's time zone. */
function period({ from, until }: DigestProps, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone });
  const last = format.format(until - 1);
  if (from === 0) return `up to ${last}`;
  const first = format.format(from);
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}

function number(value: number): string {
  return value.toLocaleString("en-GB");
}
