import { desc, eq } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import type { EntryEmailKind, SuppressionReason } from "#app/server/db/schema/email.server.ts";
import { type UnsubscribeReason, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients, letters, type RecipientState } from "#app/server/db/schema/letters.server.ts";
import { savedVersions } from "#app/server/db/schema/owner.server.ts";
import type { Suppression } from "#app/server/db/suppressions.server.ts";
import { britishDate } from "#app/server/time/british-date.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { confirmationOf } from "#app/waitlist/confirmation/confirmation.ts";
import { type Entry, listEntryEmails } from "#app/waitlist/entries/entries.server.ts";
import { columnText, entryColumns, shownColumns } from "#app/waitlist/entries/entry-columns.server.ts";
import { DEFAULT_SOURCE, HELP_SOURCE, LETTER_SOURCE } from "#app/waitlist/entries/sources.ts";
import type { Detail } from "#app/waitlist/my-data/entry-view.ts";
import { findOwnReferral, listReachedMilestones, readFriends } from "#app/waitlist/my-data/friends.server.ts";
import { type OwnEntry, type OwnEntryDeps, readOwnEntry } from "#app/waitlist/my-data/own-entry.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";
import { consentText } from "#app/waitlist/sign-up/consent-wording.ts";

/** All that is stored about a token's entry, in words; null without an entry. The export has the same as JSON. */
export async function readStoredData(deps: OwnEntryDeps, token: string) {
  const own = await readOwnEntry(deps, token);
  if (own.kind !== "found") return null;
  const { emails, letters, referral, friends, reached, earlierNotes } = await readLinkedData(deps.db, own.entry);
  const details: [name: string, value: string | null][] = [
    ...detailsOf(own.entry, own.suppression),
    ...earlierNotes.map(({ note, saved_at }): [string, string] => [`Our note of ${formatTime(saved_at)}`, note]),
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
      name: emailNames[kind as keyof typeof emailNames],
      value: done_at === null ? `Queued ${formatTime(created_at)}, not sent` : `Sent ${formatTime(done_at)}`,
    })),
    ...letters.map(({ subject, state, done_at, isFollowUp }) => ({
      name: `${isFollowUp ? "Follow-up" : "Letter"} “${subject}”`,
      value: done_at === null ? letterStates[state] : `${letterStates[state]} ${formatTime(done_at)}`,
    })),
  ];
  return {
    details: toDetails(details),
    emails: names.map((email, index) => ({ id: index, ...email })),
  };
}

const timeColumns = [
  "created_at",
  "unsubscribed_at",
  "consent_at",
  "confirm_by",
  "confirmed_at",
  "reminded_at",
  "invited_at",
  "welcomed_at",
  "changed_at",
  "address_changed_at",
] as const satisfies (keyof Entry)[];

/** All data stored about an entry, for its data subject (GDPR, articles 15 and 20); null without an entry. */
export async function exportOwnEntry(deps: OwnEntryDeps, token: string): Promise<object | null> {
  const own = await readOwnEntry(deps, token);
  if (own.kind !== "found") return null;
  const { entry, suppression } = own;
  const { emails, letters, earlierNotes, ...referred } = await readLinkedData(deps.db, entry);
  const times = new Set<string>(timeColumns);
  return {
    ...Object.fromEntries(Object.entries(shownColumns(entry)).filter(([name]) => !times.has(name))),
    ...Object.fromEntries(timeColumns.map((name) => [name, isoTime(entry[name])])),
    ...(earlierNotes.length > 0
      ? { earlier_notes: earlierNotes.map(({ note, saved_at }) => ({ note, saved_at: isoTime(saved_at) })) }
      : {}),
    ...exportReferrals(referred),
    suppression: suppression && { ...suppression, until: isoTime(suppression.until) },
    emails: emails.map(({ kind, created_at, done_at }) => ({
      kind,
      queued_at: isoTime(created_at),
      sent_at: isoTime(done_at),
    })),
    letters: letters.map(({ subject, state, reason, done_at, isFollowUp }) => ({
      subject,
      state,
      reason,
      sent_at: state === "sent" ? isoTime(done_at) : null,
      is_follow_up: isFollowUp,
    })),
  };
}

/** Whether someone's link brought them, and never whose; their friends as numbers. Without personal links, what is stored. */
function exportReferrals({ referral, friends, reached }: Pick<LinkedData, "referral" | "friends" | "reached">): object {
  const { joined, counted } = friends;
  const isStored = referral !== null || joined > 0 || reached.length > 0;
  if (!switches.referrals && !isStored) return {};
  return {
    came_through_a_personal_link: referral !== null,
    counts_as_a_friend: referral?.counts ?? false,
    note_on_that: referral?.note ?? null,
    friends: { joined, counted },
    milestones: reached.map(({ friends, reached_at, rewarded_at }) => ({
      friends,
      reached_at: isoTime(reached_at),
      rewarded_at: isoTime(rewarded_at),
    })),
  };
}

type LinkedData = Awaited<ReturnType<typeof readLinkedData>>;

/** What other tables store about an entry. */
async function readLinkedData(db: Db, { id, owner_note }: Entry) {
  return {
    earlierNotes: await listEarlierNotes(db, id, owner_note),
    emails: await listEntryEmails(db, id),
    letters: await listEntryLetters(db, id),
    friends: await readFriends(db, id),
    reached: await listReachedMilestones(db, id),
    referral: await findOwnReferral(db, id),
  };
}

/** What the owner's note said before, newest first, as long as it is kept. */
async function listEarlierNotes(db: Db, id: number, present: string | null) {
  const { fields, saved_at, entry_id } = savedVersions;
  const saved = await db
    .select({ fields, saved_at })
    .from(savedVersions)
    .where(eq(entry_id, id))
    .orderBy(desc(savedVersions.id));
  return saved
    .map(({ fields: [[, note] = ["", ""]], saved_at }) => ({ note, saved_at }))
    .filter(({ note }) => note !== "" && note !== present);
}

/** The letters and follow-ups to an entry, with what became of each. Their greetings say what they would today. @public for letters, which can be removed */
export async function listEntryLetters(db: Db, entryId: number) {
  const { subject, step_id } = letters;
  const { state, reason, done_at } = letterRecipients;
  const found = await db
    .select({ subject, step_id, state, reason, done_at, answers: waitlistEmails.answers })
    .from(letterRecipients)
    .innerJoin(letters, eq(letters.id, letterRecipients.letter_id))
    .innerJoin(waitlistEmails, eq(waitlistEmails.id, letterRecipients.entry_id))
    .where(eq(letterRecipients.entry_id, entryId))
    .orderBy(letterRecipients.done_at);
  return found.map(({ subject, answers, step_id, ...outcome }) => ({
    subject: fillGreetings(subject, answers),
    ...outcome,
    isFollowUp: step_id !== null,
  }));
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
  const until = suppression?.until ?? null;
  const columns = entryColumns()
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
    ["Last changed by you or us", optionalTime(entry.changed_at)],
    ["Address changed by us", optionalTime(entry.address_changed_at)],
    ["Robot check", entry.verified ? "Passed" : "None"],
    [
      "We send no email, because",
      suppression && suppressionWords[suppression.reason] + (until === null ? "" : ` (until ${formatTime(until)})`),
    ],
  ];
}

const emailNames: Record<EntryEmailKind | "letter", string> = {
  welcome: "Welcome email",
  rejoin: "Question about rejoining",
  confirm: "Request to confirm your address",
  "confirm-reminder": "Reminder to confirm your address",
  "my-data-link": "New link to your entry",
  milestone: "Friends who joined through your link",
  letter: "Letter, sent to you again",
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
  import: "us, because a list that we imported says that you opted out",
};

const suppressionWords: Record<SuppressionReason, string> = {
  "hard-bounce": "your address didn’t accept an email",
  "soft-bounces": "several emails to your address bounced",
  complaint: "one of our emails was reported as spam",
  never: "you asked us never to email you again",
  blocked: "we blocked your address",
};

function isoTime(time: EpochMillis | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function optionalTime(time: EpochMillis | null): string | null {
  return time === null ? null : formatTime(time);
}

function formatTime(time: EpochMillis): string {
  return timeFormat.format(time);
}

/** `21 November 2026 at 14:05`, in Britain. */
const timeFormat = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "Europe/London",
});

/** The consent that an entry holds, in words and dates in Britain; null without an entry. */
export function toConsentRecord(own: OwnEntry): Detail[] | null {
  if (own.kind !== "found") return null;
  const { consent_at, consent_version, consent_note, unsubscribed_at, unsubscribe_reason } = own.entry;
  const wording = consentText(consent_version);
  const withdrawn = dateOf(unsubscribed_at);
  const isUnconfirmed = confirmationOf(own.entry) === "unconfirmed";
  return toDetails([
    ["Signed up with", signUpForm(own.entry)],
    ["Agreed on", dateOf(consent_at)],
    // A note says how the others agreed.
    ["Wording", wording === null && consent_note === null ? "None stated" : quoted(wording)],
    ["How you agreed", quoted(consent_note)],
    ["Address confirmed", isUnconfirmed ? "Not yet" : dateOf(own.entry.confirmed_at)],
    ["Address changed by us", dateOf(own.entry.address_changed_at)],
    [
      "Withdrawn",
      withdrawn === null || unsubscribe_reason === null
        ? withdrawn
        : `${withdrawn}, ${withdrawals[unsubscribe_reason]}`,
    ],
  ]);
}

/** Without those that have no value. */
function toDetails(details: [name: string, value: string | null][]): Detail[] {
  return details.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

const withdrawals: Record<UnsubscribeReason, string> = {
  "own-choice": "by you",
  complaint: "because one of our emails was reported as spam",
  bounce: "because an email to you bounced",
  owner: "by us",
  import: "by us, because a list that we imported says that you opted out",
};

/** The form or list that a person signed up with, as they read it. */
function signUpForm({ source, import_id, metadata }: Entry): string {
  if (metadata.signup_platform === "owner") return "We added you by hand";
  return import_id === null ? wordFor(forms, source) : "A list that we added you from";
}

const forms: Record<string, string> = {
  [DEFAULT_SOURCE]: "A form on our landing page",
  [HELP_SOURCE]: "The form under “Ways you can help”",
  [LETTER_SOURCE]: "The form below one of our letters",
};

function quoted(text: string | null): string | null {
  return text === null ? null : `“${text}”`;
}

function dateOf(time: EpochMillis | null): string | null {
  return time === null ? null : britishDate(time).text;
}
