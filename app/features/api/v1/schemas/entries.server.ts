import * as v from "valibot";
import { formed, member, membersIf, nextCursor } from "#app/features/api/v1/schemas/common.server.ts";
import { perSettings } from "#app/server/config/settings.server.ts";
import { MAX_ADDRESS, normaliseEmail } from "#app/server/email-address.ts";
import type { Question } from "#app/site.ts";
import { letters as hasLetters, referrals as hasReferrals } from "#app/switches.ts";
import { statuses } from "#app/waitlist/confirmation/confirmation.ts";
import { MAX_CONSENT_NOTE_LENGTH } from "#app/waitlist/entries/consent-note.ts";
import { MAX_NOTE_LENGTH, parseNote } from "#app/waitlist/entries/note.ts";
import { sourceFormat } from "#app/waitlist/entries/sources.ts";
import { entryEmailStates, letterKinds, singleEmailKinds } from "#app/waitlist/filter/entry-emails.ts";
import { MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";
import { acceptedQuestions } from "#app/waitlist/questions/questions.server.ts";

export const entrySchema = v.object({
  id: v.pipe(v.number(), v.integer(), v.description("Never changes, and is not reused after the entry is erased.")),
  email: member.text("The address, in lower case."),
  status: member.oneOf(
    Object.keys(statuses),
    "`active`: can get email; `unconfirmed`: has yet to confirm the address; `suppressed`: email is blocked; `unsubscribed`: has left.",
  ),
  source: member.text("Where they signed up."),
  joined_at: member.time("When they joined, in UTC."),
  confirmed_at: member.timeOrNull("When they confirmed their address."),
  address_changed_at: member.timeOrNull("When an owner last corrected the address."),
  unsubscribed_at: member.timeOrNull("When they left."),
  unsubscribe_reason: v.pipe(
    v.nullable(v.picklist(["own-choice", "complaint", "bounce", "owner", "import"])),
    v.description("How they left. `import`: an imported file says that they opted out elsewhere."),
  ),
  consent: v.object({
    at: member.timeOrNull("When they agreed."),
    version: member.textOrNull("The wording that they agreed to on the site."),
    note: member.textOrNull("How they agreed outside the site."),
  }),
  answers: v.pipe(v.record(v.string(), v.string()), v.description("What they answered, by question.")),
  note: member.textOrNull("The owner’s note. The person sees it when they ask for their data."),
  utm_source: member.textOrNull("The campaign’s source."),
  utm_medium: member.textOrNull("The campaign’s medium."),
  utm_campaign: member.textOrNull("The campaign."),
  utm_term: member.textOrNull("The campaign’s term."),
  utm_content: member.textOrNull("The campaign’s content."),
  referrer_host: member.textOrNull("The site that they came from."),
  imported: member.yesOrNo("Whether an import added them."),
  import_id: member.idOrNull("The import that added them. `imported=3` lists everyone of import 3."),
  ...membersIf(hasLetters, { invited_at: member.timeOrNull("When they were first sent an invitation.") }),
  disposable: member.yesOrNo("Whether the address belongs to a service for throwaway addresses."),
  ...membersIf(hasReferrals, {
    friends_counted: member.count("Friends who joined through their personal link and count."),
    personal_link: member.text("The link with which they bring friends."),
  }),
});

export const emailSchema = v.object({
  kind: member.oneOf([...singleEmailKinds, ...(hasLetters ? letterKinds : [])], "Which email it is."),
  state: member.oneOf(
    hasLetters ? entryEmailStates : entryEmailStates.slice(0, -1),
    "`failed`: it is not tried again by itself. `unknown`: it may have arrived.",
  ),
  reason: member.textOrNull("Why it is in this state: a code such as `address-refused`."),
  queued_at: member.timeOrNull("When it was queued, if that is on record."),
  done_at: member.timeOrNull("When it came to this state. Null while it waits."),
  next_attempt_at: member.timeOrNull("When it is due again, unless all email is paused."),
  bounced_at: member.timeOrNull(
    `When it bounced after it was sent. A bounce for good makes ${hasLetters ? "all but letters" : "it"} \`failed\`.`,
  ),
  bounced_softly: member.yesOrNo("Whether the bounce was temporary."),
  ...membersIf(hasLetters, {
    letter_id: member.idOrNull("The letter that it is a copy of."),
    complained_at: member.timeOrNull("When they reported the letter as spam."),
    unsubscribed_at: member.timeOrNull("When they left because of the letter."),
  }),
});

export const entryDetailsSchema = v.object({
  ...entrySchema.entries,
  emails: v.pipe(v.array(emailSchema), v.description("Emails to them, oldest first. Old ones are forgotten.")),
});

/** What requests that write respond with: a key that may not read must not get the list by writing. */
export const writtenEntrySchema = v.pipe(
  v.object({
    ...v.partial(entrySchema).entries,
    id: entrySchema.entries.id,
    status: entrySchema.entries.status,
  }),
  v.description("An entry. Without the scope `entries:read`, it has only `id` and `status`."),
);

export const entryListSchema = v.object({
  entries: v.array(entrySchema),
  erased: v.optional(v.pipe(v.array(v.number()), v.description("Only with `order=changed`: ids of erased entries."))),
  next_cursor: nextCursor,
  sync_cursor: v.optional(
    member.textOrNull(
      "Only with `order=changed`, on the last page: pass it as `cursor` later to get what has changed since. Null on the pages before.",
    ),
  ),
});

/** Answers by question: what is asked, and what was once. @param of the schema of an answer */
function answersSchema<Answer extends v.GenericSchema>(of: (question: Question) => Answer) {
  const members = acceptedQuestions().map((question) => [question.key, v.optional(of(question))] as const);
  return v.strictObject(Object.fromEntries(members));
}

const answer = ({ answers }: Question) =>
  answers === undefined ? v.pipe(v.string(), v.maxLength(MAX_ANSWER_LENGTH)) : v.picklist(Object.keys(answers));

const newAnswers = () => v.pipe(answersSchema(answer), v.description("Answers by question."));

const changedAnswers = () =>
  v.pipe(
    answersSchema((question) => v.nullable(answer(question))),
    v.description("Answers by question. Null removes one; those that are left out stay."),
  );

const email = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(MAX_ADDRESS),
  v.check((text) => normaliseEmail(text) !== null, "must be an email address, such as name@example.com"),
  v.transform((text) => normaliseEmail(text) ?? ""),
  v.description("The address."),
);

export const entrySearchSchema = v.strictObject({ email });

export const newEntrySchema = perSettings(() =>
  v.strictObject({
    email,
    consent: v.strictObject({
      at: member.time("When they agreed, with a time zone. Not in the future."),
      note: v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(MAX_CONSENT_NOTE_LENGTH),
        v.description("How they agreed: your proof. The person sees it when they ask for their data."),
      ),
    }),
    source: v.optional(
      formed(
        sourceFormat,
        "Where they signed up: lower-case letters, digits and underscores. `api` if it is left out.",
      ),
    ),
    answers: v.optional(newAnswers()),
    send_email: v.optional(
      member.yesOrNo(
        "Whether they are sent the welcome email, or the one that asks them to confirm. False if it is left out.",
      ),
    ),
  }),
);

const note = v.pipe(
  v.string(),
  v.maxLength(MAX_NOTE_LENGTH),
  v.transform((text) => parseNote(text).note),
);

export const entryChangeSchema = perSettings(() =>
  v.pipe(
    v.strictObject({
      email: v.optional(email),
      answers: v.optional(changedAnswers()),
      note: v.optional(v.pipe(v.nullable(note), v.description("The owner’s note. Null removes it."))),
    }),
    v.minEntries(1),
  ),
);
