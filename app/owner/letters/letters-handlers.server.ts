import { checkLetter, type LetterContent, toContent } from "#app/email/letters/check-letter.server.ts";
import {
  createLetter,
  deleteLetter,
  findLetter,
  type Letter,
  listLetters,
  setLetterPublic,
  updateLetter,
} from "#app/email/letters/letters.server.ts";
import { letterEditView } from "#app/owner/letters/edit-view.server.tsx";
import { toLetter } from "#app/owner/letters/letter-request.server.ts";
import { lettersView } from "#app/owner/letters/letters-view.server.tsx";
import { showProgress, steerLetter } from "#app/owner/letters/progress-handlers.server.ts";
import { formTooLarge, readContent } from "#app/owner/letters/read-content.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { readForm } from "#app/server/read-form.server.ts";

/** Letters of each kind on a page. */
const PAGE_SIZE = 50;

const EMPTY: LetterContent = { subject: "", previewLine: "", body: "" };

export async function showLetters(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const value = c.req.query("before");
  const before = value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  const [drafts, underWay, found] = await Promise.all([
    before === undefined ? listLetters(db, { limit: PAGE_SIZE, states: ["draft"] }) : [],
    before === undefined ? listLetters(db, { limit: PAGE_SIZE, states: ["scheduled", "sending", "paused"] }) : [],
    listLetters(db, { before, limit: PAGE_SIZE + 1, states: ["finished", "stopped"] }),
  ]);
  const past = found.slice(0, PAGE_SIZE);
  const olderHref = found.length > PAGE_SIZE ? `/owner/letters?before=${past.at(-1)?.id}` : null;
  return c.render(lettersView({ drafts, underWay, past, olderHref, timeZone, done: c.req.query("done") }));
}

export function newLetter(c: OwnerContext) {
  return c.render(letterEditView({ letter: null, content: EMPTY, problems: null }));
}

/** Saves a new draft, finished or not. */
export async function addLetter(c: OwnerContext) {
  const { db, now } = c.var.app;
  const form = await readForm(c.req.raw);
  const id = await createLetter(db, toDraft(readContent(form)), now());
  await c.var.record("create-letter", { letterId: id });
  return redirectToDraft(c, id, form);
}

/** A draft to write, or how far a letter is. */
export function showLetter(c: OwnerContext, letter: Letter) {
  if (letter.state !== "draft") return showProgress(c, letter);
  const content = toContent(letter);
  return c.render(letterEditView({ letter, content, problems: checkLetter(content), done: c.req.query("done") }));
}

export async function changeLetter(c: OwnerContext, letter: Letter) {
  const form = await readForm(c.req.raw);
  switch (form.get("intent")) {
    case "save":
    case "preview":
      return saveDraft(c, letter, form);
    case "delete":
      return removeDraft(c, letter);
    case "publish":
    case "unpublish":
      return publish(c, letter, form);
    default:
      return steerLetter(c, letter, form);
  }
}

/** A draft is stored as it was typed, with its problems, so that nothing is lost. */
async function saveDraft(c: OwnerContext, letter: Letter, form: FormData) {
  const { db, now } = c.var.app;
  const content = readContent(form);
  if (await updateLetter(db, letter.id, toDraft(content), now())) return redirectToDraft(c, letter.id, form);
  const error = "The letter has been scheduled or started in the meantime, so what you typed is not saved.";
  c.status(409);
  return c.render(letterEditView({ letter, content, problems: null, error }));
}

function redirectToDraft(c: OwnerContext, id: number, form: FormData) {
  return toLetter(c, id, form.get("intent") === "preview" ? "/preview?done=saved" : "?done=saved");
}

async function removeDraft(c: OwnerContext, { id }: Letter) {
  if (!(await deleteLetter(c.var.app.db, id))) return toLetter(c, id, "?done=unchanged");
  await c.var.record("delete-letter", { letterId: id });
  return c.redirect("/owner/letters?done=deleted", 303);
}

async function publish(c: OwnerContext, { id }: Letter, form: FormData) {
  const isPublic = form.get("intent") === "publish";
  const isChanged = await setLetterPublic(c.var.app.db, id, isPublic);
  if (isChanged) await c.var.record(isPublic ? "publish-letter" : "unpublish-letter", { letterId: id });
  const done = isChanged ? (isPublic ? "published" : "unpublished") : "unchanged";
  return toLetter(c, id, `${form.get("back") === "send" ? "/send" : ""}?done=${done}`);
}

/** The response to a form that is too large to read: the letter as it was saved last. */
export async function refuseLargeForm(c: OwnerContext) {
  const id = c.req.param("id");
  const letter = id === undefined ? null : await findLetter(c.var.app.db, Number(id));
  const content = letter === null ? EMPTY : toContent(letter);
  c.status(413);
  return c.render(letterEditView({ letter, content, problems: null, error: formTooLarge }));
}

function toDraft({ subject, previewLine, body }: LetterContent) {
  return { subject, preview_line: previewLine, body };
}
