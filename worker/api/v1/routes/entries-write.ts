import type * as v from "valibot";
import { sendEmail } from "#app/email/deliver.server.ts";
import { MAX_SKEW } from "#app/server/calendar.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { type AddedByHand, addByHand, type KnownPerson } from "#app/waitlist/add-by-hand.server.ts";
import { cleanConsentNote } from "#app/waitlist/consent-note.ts";
import { eraseEntry, noteOnEntry, setAnswers, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { parseNote } from "#app/waitlist/note.ts";
import { parseAnswers } from "#app/waitlist/questions/questions.server.ts";
import type { Problem, ProblemError } from "#worker/api/v1/problem.ts";
import { defineRoute } from "#worker/api/v1/route.ts";
import { answerEntry, noEntry } from "#worker/api/v1/routes/entries-read.ts";
import { entryChangeSchema, newEntrySchema } from "#worker/api/v1/schemas/entries.ts";

/** Of people who were added without one. */
const API_SOURCE = "api";

export const addEntryRoute = defineRoute({
  method: "post",
  path: "/entries",
  id: "addEntry",
  summary: "Add an entry",
  description:
    "Adds a person who agreed outside the site, with your proof of it. Repeat it safely: an address that is on the list is answered as it is, with 200.",
  scope: "entries:write",
  query: {},
  body: {
    name: "NewEntry",
    schema: newEntrySchema,
    example: {
      email: "ada@example.com",
      consent: { at: "2026-10-05T09:30:00Z", note: "Ticked the box of our shop’s checkout." },
    },
  },
  answers: {
    200: { description: "The address is on the list already, or has left it. Nothing was changed.", schema: "Entry" },
    201: { description: "The new entry.", schema: "Entry", headers: { Location: "The address of the entry." } },
  },
  problems: ["address-refused"],
  async handle({ app, body, record }) {
    const { person, errors } = readPerson(body, app.now());
    if (person === null) return invalidBody(errors);
    const added = await addByHand(app, person);
    if (added.kind === "suppressed" || added.kind === "erased") return refused(added);
    if (added.kind !== "added") return answerEntry(app, added.id);
    const { id } = added;
    await record("add-entry", { entryId: id });
    if (person.sendsEmail) {
      const sending = sendEmail(app, { email: person.email });
      app.waitUntil(sending.catch((error) => logError("welcome-failed", error)));
    }
    return answerEntry(app, id, { status: 201, headers: { Location: `${app.config.SITE_URL}/api/v1/entries/${id}` } });
  },
});

export const changeEntryRoute = defineRoute({
  method: "patch",
  path: "/entries/{id}",
  id: "changeEntry",
  summary: "Change answers and the note",
  description: "Members that are left out stay as they are.",
  scope: "entries:write",
  query: {},
  body: {
    name: "EntryChange",
    schema: entryChangeSchema,
    example: { note: "Wants two stalls." },
  },
  answers: { 200: { description: "The entry after the change.", schema: "Entry" } },
  async handle({ app, id, body, record }) {
    const { answers = {}, note } = body;
    // Empty texts remove answers, as on the site.
    const given = Object.keys(answers).length === 0 ? { answers: {} } : parseAnswers(answers);
    if (given.answers === undefined) return invalidBody([{ pointer: "#/answers", detail: "are not valid" }]);
    const parsed = note === undefined || note === null ? { note: null } : parseNote(note);
    if (parsed.problem !== undefined) return invalidBody([{ pointer: "#/note", detail: "is too long" }]);
    const isAnswered = Object.keys(given.answers).length > 0 && (await setAnswers(app.db, id, given.answers));
    if (isAnswered) await record("change-entry", { entryId: id });
    const isNoted = note !== undefined && (await noteOnEntry(app.db, id, parsed.note));
    if (isNoted) await record("note", { entryId: id });
    return answerEntry(app, id);
  },
});

export const unsubscribeEntryRoute = defineRoute({
  method: "post",
  path: "/entries/{id}/unsubscribe",
  id: "unsubscribeEntry",
  summary: "Unsubscribe an entry",
  description: "The person gets no more email. Only they can rejoin. Takes no body, and can be repeated.",
  scope: "entries:write",
  query: {},
  answers: { 200: { description: "The entry, which is unsubscribed.", schema: "Entry" } },
  async handle({ app, id, record }) {
    if (await unsubscribeEntry(app.db, id, app.now(), "owner")) {
      await record("unsubscribe", { entryId: id });
      logInfo("entry-changed-by-api", { entryId: id, change: "unsubscribed" });
    }
    return answerEntry(app, id);
  },
});

export const eraseEntryRoute = defineRoute({
  method: "delete",
  path: "/entries/{id}",
  id: "eraseEntry",
  summary: "Erase an entry",
  description: "Deletes the entry with everything linked to it. This cannot be undone.",
  scope: "entries:write",
  query: {},
  answers: { 204: { description: "The entry is erased." } },
  async handle({ app, id, record }) {
    if (!(await eraseEntry(app.db, id, app.now()))) return noEntry;
    await record("erase", { entryId: id });
    logInfo("entry-changed-by-api", { entryId: id, change: "erased" });
    return { status: 204 };
  },
});

type NewEntry = v.InferOutput<typeof newEntrySchema>;

function readPerson(body: NewEntry, now: number): { person: KnownPerson | null; errors: ProblemError[] } {
  const { source = API_SOURCE, send_email: sendsEmail = false } = body;
  const errors: ProblemError[] = [];
  const email = normaliseEmail(body.email);
  if (email === null) errors.push({ pointer: "#/email", detail: "must be an email address, such as name@example.com" });
  const at = Date.parse(body.consent.at);
  if (!(at >= 0)) errors.push({ pointer: "#/consent/at", detail: "must be a time since 1970" });
  if (at > now + MAX_SKEW) errors.push({ pointer: "#/consent/at", detail: "is in the future" });
  const note = cleanConsentNote(body.consent.note);
  if (note === "") errors.push({ pointer: "#/consent/note", detail: "must say how this person agreed" });
  const { answers = {} } = Object.keys(body.answers ?? {}).length === 0 ? {} : parseAnswers(body.answers);
  const given = Object.entries(answers).flatMap(([key, answer]) => (answer === null ? [] : [[key, answer] as const]));
  if (email === null || errors.length > 0) return { person: null, errors };
  const person = {
    email,
    source,
    answers: given.length === 0 ? null : Object.fromEntries(given),
    consent: { at: Math.min(at, now), note },
    sendsEmail,
  };
  return { person, errors };
}

function invalidBody(errors: ProblemError[]): Problem {
  return { problem: "invalid-body", detail: "Some members of the body are not valid.", errors };
}

function refused({ kind }: Exclude<AddedByHand, { id: number }>): Problem {
  const why = kind === "erased" ? "Its person erased it from the list." : "It gets no email from this site.";
  return { problem: "address-refused", detail: `${why} Only its person can join with it again.` };
}
