import { sql } from "drizzle-orm";
import { readSubjects } from "#app/features/letters/send/subjects.server.ts";
import {
  addLetterFor,
  changeAudience,
  draftInvitation,
  showAudience,
} from "#app/features/letters/write/audience-page.server.tsx";
import { MAX_FORM_BYTES } from "#app/features/letters/write/letter-content.server.ts";
import { withLetter } from "#app/features/letters/write/letter-frame.server.tsx";
import styles from "#app/features/letters/write/letters.css?url";
import { lettersInNeed, scheduledLetters, showLetters } from "#app/features/letters/write/letters-page.server.tsx";
import { refuseLargePreview, showTypedEmail } from "#app/features/letters/write/live-preview.server.tsx";
import { showEmail, showPreview } from "#app/features/letters/write/preview-page.server.tsx";
import { downloadRecipients } from "#app/features/letters/write/recipients-csv.server.ts";
import { entryLetters, sendAgain } from "#app/features/letters/write/send-again.server.tsx";
import { send, showSend } from "#app/features/letters/write/send-page.server.tsx";
import {
  addLetter,
  changeLetterPage,
  keepDeleted,
  newLetter,
  refuseLargeForm,
  showLetter,
} from "#app/features/letters/write/write-page.server.tsx";
import type { FirstStep, OwnerSection } from "#app/owner/ui/owner-context.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";

const letterForm = { maxBody: MAX_FORM_BYTES, tooLarge: refuseLargeForm };

const firstLetter: FirstStep = {
  key: "letter",
  title: "Write a first letter",
  isDone: sql`EXISTS (SELECT 1 FROM letters)`,
  text: "Say hello to those who have joined, or begin a draft for later. Nothing is sent before you send it.",
  action: { label: "Write a letter", href: "/owner/letters/new" },
};

export const lettersSection: OwnerSection = {
  section: "letters",
  styles,
  link: { href: "/owner/letters", name: "Letters", group: "Letters" },
  routes: [
    { method: "get", path: "/letters", handler: showLetters },
    { method: "post", path: "/letters", handler: addLetter, ...letterForm },
    { method: "get", path: "/letters/new", handler: newLetter },
    { method: "post", path: "/letters/email", handler: showTypedEmail, ...letterForm, tooLarge: refuseLargePreview },
    { method: "post", path: "/letters/invite", handler: draftInvitation },
    { method: "post", path: "/letters/for", handler: addLetterFor },
    { method: "post", path: "/letters/again", handler: sendAgain },
    { method: "get", path: "/letters/:id", handler: withLetter(showLetter) },
    { method: "post", path: "/letters/:id", handler: withLetter(changeLetterPage, keepDeleted), ...letterForm },
    { method: "get", path: "/letters/:id/preview", handler: withLetter(showPreview) },
    { method: "get", path: "/letters/:id/email", handler: withLetter(showEmail) },
    { method: "get", path: "/letters/:id/audience", handler: withLetter(showAudience) },
    { method: "post", path: "/letters/:id/audience", handler: withLetter(changeAudience) },
    { method: "get", path: "/letters/:id/send", handler: withLetter(showSend) },
    { method: "post", path: "/letters/:id/send", handler: withLetter(send) },
    { method: "post", path: "/letters/:id/recipients.csv", handler: withLetter(downloadRecipients) },
  ],
  outcomes: {
    invitation:
      "The draft is addressed to the people whom you selected. Write it, then see under Audience how many they are.",
    saved: "The draft is saved.",
    addressed: "The new draft is for the people of this link. Its audience says how many they are.",
    deleted: "The draft is deleted.",
    duplicated: "This is a new draft with the same words and the same audience.",
    "duplicated-for-all":
      "This is a new draft with the same words. Its audience is everyone on the waitlist: choose whom it is for.",
    counted: "The audience is saved.",
    tested: "The test has been sent.",
    scheduled: "The letter is scheduled.",
    unscheduled: "The letter is a draft again.",
    started: "The letter has been started.",
    paused: "The letter is paused. Emails that the provider already has will still arrive.",
    resumed: "The letter goes on within a minute.",
    stopped: "The letter is stopped.",
    published: "Anyone can read the letter at /letters, once it has been sent.",
    unpublished: "The letter is no longer public.",
    resolved: "Your decision is recorded.",
  },
  entryPart: entryLetters,
  attention: lettersInNeed,
  upcoming: scheduledLetters,
  // The free plan sends none.
  firstSteps: ({ var: { app } }) => (app.plan.letters ? [firstLetter] : []),
  subject: {
    ...{ key: "letterId", name: "letter", path: "/owner/letters", endedBy: "delete-letter" },
    names: (db, ids) => readSubjects(db, letters, ids),
  },
};
