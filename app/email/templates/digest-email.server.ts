import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type OwnerEmailProps, ownerNews } from "#app/email/templates/owner-email.server.ts";

export interface DigestProps {
  /** The period covered (milliseconds since 1970), `until` exclusive. A `from` of 0 means since the beginning. */
  from: number;
  until: number;
  /** People who joined in the period. */
  joined: number;
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
    `They joined the waitlist ${period(digest, props.timeZone)}. On the waitlist now: ${number(digest.active)}.`,
    ...(waiting > 0 ? [`Emails waiting: ${number(waiting)}.`] : []),
    ...(dead > 0 ? [`Emails that failed: ${number(dead)}. Your overview says why, and you can try again there.`] : []),
    "You get this email at most once a day, and only if someone joined.",
  ];
  return ownerNews(heading, paragraphs, props);
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
