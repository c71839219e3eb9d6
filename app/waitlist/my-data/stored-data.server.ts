import type { EntryEmailKind, SuppressionReason } from "#app/server/db/schema/email.server.ts";
import type { UnsubscribeReason } from "#app/server/db/schema/entries.server.ts";
import type { RecipientState } from "#app/server/db/schema/letters.server.ts";
import type { Suppression } from "#app/server/db/suppressions.server.ts";
import * as switches from "#app/switches.ts";
import { type Entry, listEntryEmails } from "#app/waitlist/entries/entries.server.ts";
import { signUpForm } from "#app/waitlist/my-data/consent-record.server.ts";
import { findOwnReferral, listReached, readFriends } from "#app/waitlist/my-data/friends.server.ts";
import { type OwnEntryDeps, readOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { listEntryLetters } from "#app/waitlist/my-data/own-letters.server.ts";
import type { StoredData } from "#app/waitlist/my-data/stored-data.tsx";
import { columnText, entryColumns } from "#app/waitlist/sign-up/entry-fields.server.ts";

/** All that is stored about a token's entry, in words; null without an entry. The export has the same as JSON. */
export async function readStoredData(deps: OwnEntryDeps, token: string): Promise<StoredData | null> {
  const own = await readOwnEntry(deps, token);
  if (own.kind !== "found") return null;
  const emails = await listEntryEmails(deps.db, own.entry.id);
  const letters = await listEntryLetters(deps.db, own.entry.id);
  const friends = await readFriends(deps.db, own.entry.id);
  const reached = await listReached(deps.db, own.entry.id);
  const referral = await findOwnReferral(deps.db, own.entry.id);
  const details: [name: string, value: string | null][] = [
    ...detailsOf(own.entry, own.suppression),
    [
      "Came through someone’s personal link",
      referral === null ? noneStored("No") : referral.counts ? "Yes, and counts as their friend" : "Yes",
    ],
    ["Our note on that", referral?.note ?? null],
    [
      "Friends who joined through your link",
      friends.joined > 0 ? `${friends.joined}, of whom ${friends.counted} count` : noneStored("None"),
    ],
    ...reached.map(({ friends, reached_at, rewarded_at }): [string, string] => [
      `Brought ${friends} friends`,
      `${formatTime(reached_at)}${rewarded_at === null ? "" : `, reward given ${formatTime(rewarded_at)}`}`,
    ]),
  ];
  const names = [
    ...emails.map(({ kind, created_at, done_at }) => ({
      name: emailNames[kind as EntryEmailKind],
      state: done_at === null ? `Queued ${formatTime(created_at)}, not sent` : `Sent ${formatTime(done_at)}`,
    })),
    ...letters.map(({ subject, state, done_at, isFollowUp }) => ({
      name: `${isFollowUp ? "Follow-up" : "Letter"} “${subject}”`,
      state: done_at === null ? letterStates[state] : `${letterStates[state]} ${formatTime(done_at)}`,
    })),
  ];
  return {
    details: details.flatMap(([name, value]) => (value === null ? [] : [{ name, value }])),
    emails: names.map((email, index) => ({ id: index, ...email })),
  };
}

const letterStates: Record<RecipientState, string> = {
  pending: "Waits to be sent",
  sent: "Sent",
  skipped: "Left out",
  failed: "Refused by our email service",
  unknown: "Perhaps sent",
};

/** What to say where nothing is stored: without personal links, nothing at all. */
function noneStored(text: string): string | null {
  return switches.referrals ? text : null;
}

function detailsOf(entry: Entry, suppression: Suppression | null): [name: string, value: string | null][] {
  const columns = entryColumns
    .filter(({ name }) => name !== "source" && name !== "unsubscribe_reason")
    .map((column): [string, string | null] => [column.label, columnText(column, entry, formatTime)]);
  return [
    ...columns,
    ["Signed up with", signUpForm(entry)],
    [
      "Recorded by",
      `${recorders[entry.metadata.signup_platform]}, ${formatTime(Date.parse(entry.metadata.signup_date))}`,
    ],
    ["Unsubscribed by", entry.unsubscribe_reason && unsubscribers[entry.unsubscribe_reason]],
    ["Must be confirmed by", optionalTime(entry.confirm_by)],
    ["Reminded to confirm", optionalTime(entry.reminded_at)],
    ["Robot check", entry.verified ? "Passed" : "None"],
    ["We send no email, because", suppression && suppressionText(suppression)],
  ];
}

const emailNames: Record<EntryEmailKind, string> = {
  welcome: "Welcome email",
  rejoin: "Question about rejoining",
  confirm: "Request to confirm your address",
  "confirm-reminder": "Reminder to confirm your address",
  "my-data-link": "New link to your entry",
  milestone: "Friends who joined through your link",
};

const recorders: Record<Entry["metadata"]["signup_platform"], string> = {
  web: "This site",
  import: "An import",
  owner: "Us, by hand",
};

const unsubscribers: Record<UnsubscribeReason, string> = {
  "own-choice": "you",
  complaint: "a spam report about one of our emails",
  bounce: "an email to you that bounced",
  owner: "us",
};

const suppressionWords: Record<SuppressionReason, string> = {
  "hard-bounce": "your address did not accept an email",
  "soft-bounces": "several emails to your address bounced",
  complaint: "one of our emails was reported as spam",
  never: "you asked us never to email you again",
  blocked: "we blocked your address",
};

function suppressionText({ reason, until }: Suppression): string {
  return until === null ? suppressionWords[reason] : `${suppressionWords[reason]} (until ${formatTime(until)})`;
}

function optionalTime(time: number | null): string | null {
  return time === null ? null : formatTime(time);
}

function formatTime(time: number): string {
  return timeFormat.format(time);
}

/** `21 November 2026 at 14:05`, in Britain. */
const timeFormat = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "Europe/London",
});
