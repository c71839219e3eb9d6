import type * as v from "valibot";
import { sendEmailLater } from "#app/email/sender.server.ts";
import { type ApiProblem, invalidBody, type ProblemError } from "#app/features/api/v1/problem.server.ts";
import { type ApiCall, type ApiResponse, defineRoute } from "#app/features/api/v1/route.server.ts";
import { noEntry, toEntries } from "#app/features/api/v1/routes/entries-read.server.ts";
import type { newEntrySchema } from "#app/features/api/v1/schemas/entries.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import { type AddedByHand, addByHand, type KnownPerson } from "#app/waitlist/entries/add-by-hand.server.ts";
import { cleanConsentNote } from "#app/waitlist/entries/consent-note.ts";
import { type AddressRefusal, correctLatest } from "#app/waitlist/entries/correct-entry.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { findListedEntry } from "#app/waitlist/entries/entries-page.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
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
    if (person.sendsEmail) sendEmailLater(app, { email: person.email });
    const headers = { Location: `${app.config.SITE_URL}/api/v1/entries/${id}` };
    return respondWritten({ app, key, id }, { status: 201, headers });
  },
});

export const changeEntryRoute = defineRoute({
  method: "patch",
  path: "/entries/{id}",
  id: "changeEntry",
  summary: "Change the address, answers and the note",
  description:
    "Fields that are left out stay as they are; at least one is needed. All of them are changed, or none. Correct an address only as its person asks. Emails go to the new one from then on. If it has to be confirmed, an email asks for that, and the entry is `unconfirmed` until then.",
  scope: "entries:write",
  body: { name: "EntryChange", example: { note: "Wants two stalls." } },
  responses: { 200: { description: "The entry after the change.", schema: "WrittenEntry" } },
  problems: ["address-refused"],
  async handle({ app, key, id, body, record }) {
    const { email, note } = body;
    const answers = readAnswers(body.answers);
    if (answers === null) return invalidBody([invalidAnswers]);
    if (email === undefined && note === undefined && Object.keys(answers).length === 0)
      return invalidBody([{ pointer: "#", detail: "must have an address, answers or a note" }]);
    const corrected = await correctLatest(app, id, { email, answers, note });
    if (corrected === null) return noEntry;
    if (corrected.kind === "unchanged") return respondWritten({ app, key, id });
    if (corrected.kind !== "changed") return refused(corrected);
    if (corrected.hasNewAddress) await record("change-address", { entryId: id });
    if (corrected.hasNewAnswers) await record("change-entry", { entryId: id });
    if (corrected.hasNewNote) await record("note", { entryId: id });
    if (corrected.confirmId !== null) sendEmailLater(app, { id: corrected.confirmId });
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

/** The entry may have been erased while the request was handled. Without the right to read, a key is shown little. */
async function respondWritten(
  { app, key, id }: Pick<ApiCall, "app" | "key" | "id">,
  success: { status: 200 | 201; headers?: Record<string, string> } = { status: 200 },
): Promise<ApiResponse> {
  const entry = await findListedEntry(app.db, id, app.now());
  if (entry === null) return noEntry;
  const [whole] = key?.scopes.includes("entries:read") ? await toEntries(app, [entry]) : [];
  return { ...success, body: whole ?? { id, status: statusOf(entry) } };
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
  if (errors.length > 0) return { person: null, errors };
  const person = {
    email: body.email,
    source,
    answers: given.length === 0 ? null : Object.fromEntries(given),
    consent: { at: Math.min(at, now), note },
    sendsEmail,
  };
  return { person, errors };
}

/** Says no more than a key may know that cannot read. */
function refused(refusal: AddressRefusal | Exclude<AddedByHand, { id: number }>): ApiProblem {
  const detail = refusal.kind === "taken" ? `Entry ${refusal.id} has this address.` : refusals[refusal.kind];
  return { problem: "address-refused", detail };
}

const refusals = {
  suppressed: "Email to this address is blocked. Only the person can join again, on the site itself.",
  erased: "The person had left, or erased their entry. Only they can join again, on the site itself.",
  unsubscribed: "The person of this entry has left. Only they can rejoin, with any address, on the site itself.",
  "wants-none": "Email to the person of this entry is blocked, and another address must not end that.",
};
