import { ownerEmailTemplate } from "#app/email/templates/owner-email.server.tsx";

export interface DigestProps {
  /** The time it tells of, in milliseconds since 1970; `until` exclusive. A `from` of 0: since the beginning. */
  from: number;
  until: number;
  /** Who joined in that time. */
  joined: number;
  /** Who is on the list now. */
  active: number;
  /** Mails that wait, and those that were given up. */
  waiting: number;
  dead: number;
}

/** The daily mail to the owner about who joined: how many, not who. */
export function digestEmail(facts: DigestProps, { siteUrl, timeZone }: { siteUrl: string; timeZone: string }) {
  const joined = facts.joined === 1 ? "One person" : `${number(facts.joined)} people`;
  return ownerEmailTemplate({
    siteUrl,
    subject: `${facts.joined === 1 ? "one person" : `${number(facts.joined)} people`} joined`,
    heading: `${joined} joined`,
    paragraphs: [
      `${joined} joined the waitlist ${span(facts, timeZone)}. On the list now: ${number(facts.active)}.`,
      ...(facts.waiting > 0 ? [`Mail that waits to be sent: ${number(facts.waiting)}.`] : []),
      ...(facts.dead > 0
        ? [`Mail that was given up: ${number(facts.dead)}. Your overview says why, and lets you try again.`]
        : []),
      "This mail comes once a day, and only when somebody joined.",
    ],
  });
}

/** `on 20 November 2026`, or from day to day; days are the owner's. */
function span({ from, until }: DigestProps, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone });
  const last = format.format(until - 1);
  if (from === 0) return `up to ${last}`;
  const first = format.format(from);
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}

function number(value: number): string {
  return value.toLocaleString("en-GB");
}
