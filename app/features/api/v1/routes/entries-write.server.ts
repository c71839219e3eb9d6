import type * as v from "valibot";
import { sendEmail } from "#app/email/sender.server.ts";
import type { ApiProblem, ProblemError } from "#app/features/api/v1/problem.server.ts";
import { type ApiCall, type ApiResponse, defineRoute } from "#app/features/api/v1/route.server.ts";
import { findListedEntry, noEntry, toWrittenResponse } from "#app/features/api/v1/routes/entries-read.server.ts";
import { entryChangeSchema, newEntrySchema } from "#app/features/api/v1/schemas/entries.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { logError, logInfo } from "#app/server/log.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { type AddedByHand, addByHand, type KnownPerson } from "#app/waitlist/entries/add-by-hand.server.ts";
import { cleanConsentNote } from "#app/waitlist/entries/consent-note.ts";
import { noteOnEntry, setAnswers, unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { MAX_NOTE_LENGTH, parseNote } from "#app/waitlist/entries/note.ts";
import type { NewAnswers } from "#app/waitlist/questions/answers.ts";
import { parseAnswers } from "#app/waitlist/questions/questions.server.ts";

const API_SOURCE = "api";

/** How far a client's clock may be ahead. */
const MAX_CLIENT_SKEW: Millis = 5 * 60_000;

export const addEntryRoute = defineRoute({
  method: "post",
  path: "/entries",
  id: "addEntry",
  summary: "Add an entry",
  description:
    "Adds a person who agreed outside the site, with your proof of it. It is safe to repeat: for an address that is already on the list, the response is 200 with the unchanged entry.",
  scope: "entries:write",
  body: {
    name: "NewEntry",
    get schema() {
      return newEntrySchema();
    },
    example: {
      email: "ada@example.com",
      consent: { at: "2026-10-05T09:30:00Z", note: "Ticked the box of our shop’s checkout." },
    },
  },
  responses: {
    200: {
      description: "The address is on the list already, or has left it. Nothing was changed.",
      schema: "WrittenEntry",
    },
    201: { description: "The new entry.", schema: "WrittenEntry", headers: { Location: "The URL of the entry." } },
  },
  problems: ["not-found", "address-refused"],
  async handle({ app, key, body, record }) {
    const { person, errors } = readPerson(body, app.now());
    if (person === null) return invalidBody(errors);
    const added = await addByHand(app, person);
    if (added.kind === "suppressed" || added.kind === "erased") return refused(added);
    if (added.kind !== "added") return respondWritten({ app, key, id: added.id });
    const { id } = added;
    await record("add-entry", { entryId: id });
    if (person.sendsEmail) {
      const sending = sendEmail(app, { email: person.email });
      app.waitUntil(sending.catch((error) => logError("welcome-failed", error)));
    }
    const headers = { Location: `${app.config.SITE_URL}/api/v1/entries/${id}` };
    return respondWritten({ app, key, id }, { status: 201, headers });
  },
});

export const changeEntryRoute = defineRoute({
  method: "patch",
  path: "/entries/{id}",
  id: "changeEntry",
  summary: "Change answers and the note",
  description: "Fields that are left out stay as they are. At least one answer or the note is needed.",
  scope: "entries:write",
  body: {
    name: "EntryChange",
    get schema() {
      return entryChangeSchema();
    },
    example: { note: "Wants two stalls." },
  },
  responses: { 200: { description: "The entry after the change.", schema: "WrittenEntry" } },
  async handle({ app, key, id, body, record }) {
    const { note } = body;
    const answers = readAnswers(body.answers);
    if (answers === null) return invalidBody([invalidAnswers]);
    const hasAnswers = Object.keys(answers).length > 0;
    if (!hasAnswers && note === undefined)
      return invalidBody([{ pointer: "#", detail: "must have a note or answers" }]);
    const parsed = note === undefined || note === null ? { note: null } : parseNote(note);
    if (parsed.problem !== undefined)
      return invalidBody([{ pointer: "#/note", detail: `must have at most ${MAX_NOTE_LENGTH} characters` }]);
    const isAnswered = hasAnswers && (await setAnswers(app.db, id, answers, app.now()));
    if (isAnswered) await record("change-entry", { entryId: id });
    const isNoted = note !== undefined && (await noteOnEntry(app.db, id, parsed.note, app.now()));
    if (isNoted) await record("note", { entryId: id });
    return respondWritten({ app, key, id });
  },
});

export const unsubscribeEntryRoute = defineRoute({
  method: "post",
  path: "/entries/{id}/unsubscribe",
  id: "unsubscribeEntry",
  summary: "Unsubscribe an entry",
  description: "The person gets no more email. Only they can rejoin. Takes no body, and can be repeated.",
  scope: "entries:write",
  responses: { 200: { description: "The unsubscribed entry.", schema: "WrittenEntry" } },
  async handle({ app, key, id, record }) {
    if (await unsubscribeEntry(app.db, id, app.now(), "owner")) {
      await record("unsubscribe", { entryId: id });
      logInfo("entry-changed-by-api", { entryId: id, change: "unsubscribed" });
    }
    return respondWritten({ app, key, id });
  },
});

export const eraseEntryRoute = defineRoute({
  method: "delete",
  path: "/entries/{id}",
  id: "eraseEntry",
  summary: "Erase an entry",
  description: "Deletes the entry with everything linked to it. This cannot be undone.",
  scope: "entries:write",
  responses: { 204: { description: "The entry is erased." } },
  async handle({ app, id, record }) {
    if (!(await eraseEntry(app.db, id, app.now()))) return noEntry;
    await record("erase", { entryId: id });
    logInfo("entry-changed-by-api", { entryId: id, change: "erased" });
    return { status: 204 };
  },
});

/** The entry may have been erased while the request was handled. */
async function respondWritten(
  { app, key, id }: Pick<ApiCall, "app" | "key" | "id">,
  success: { status: 200 | 201; headers?: Record<string, string> } = { status: 200 },
): Promise<ApiResponse> {
  const entry = await findListedEntry(app, id);
  return entry === null ? noEntry : { ...success, body: toWrittenResponse(entry, key) };
}

/** Answers by question; null removes one, as an empty text does on the site. Null if one is not valid. */
function readAnswers(given: object = {}): NewAnswers | null {
  return Object.keys(given).length === 0 ? {} : (parseAnswers(given).answers ?? null);
}

const invalidAnswers: ProblemError = { pointer: "#/answers", detail: "are not valid" };

type NewEntry = v.InferOutput<ReturnType<typeof newEntrySchema>>;

function readPerson(body: NewEntry, now: EpochMillis): { person: KnownPerson | null; errors: ProblemError[] } {
  const { source = API_SOURCE, send_email: sendsEmail = false } = body;
  const errors: ProblemError[] = [];
  const email = normaliseEmail(body.email);
  if (email === null) errors.push({ pointer: "#/email", detail: "must be an email address, such as name@example.com" });
  const at = Date.parse(body.consent.at);
  if (!(at >= 0)) errors.push({ pointer: "#/consent/at", detail: "must be a time since 1970" });
  if (at > now + MAX_CLIENT_SKEW) errors.push({ pointer: "#/consent/at", detail: "is in the future" });
  const note = cleanConsentNote(body.consent.note);
  if (note === "") errors.push({ pointer: "#/consent/note", detail: "must say how this person agreed" });
  const answers = readAnswers(body.answers);
  if (answers === null) errors.push(invalidAnswers);
  const given = Object.entries(answers ?? {}).flatMap(([key, answer]) =>
    answer === null ? [] : [[key, answer] as const],
  );
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

function invalidBody(errors: ProblemError[]): ApiProblem {
  return { problem: "invalid-body", detail: "Some fields of the body are not valid.", errors };
}

function refused({ kind }: Exclude<AddedByHand, { id: number }>): ApiProblem {
  const why = kind === "erased" ? "The person had left, or erased their entry." : "Email to this address is blocked.";
  return { problem: "address-refused", detail: `${why} Only the person can join again, on the site itself.` };
}
