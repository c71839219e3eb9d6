import { checkLetter, type LetterContent, toContent } from "#app/email/letters/check-letter.server.ts";
import {
  createLetter,
  deleteLetter,
  type Letter,
  listLetters,
  setLetterPublic,
  updateLetter,
} from "#app/email/letters/letters.server.ts";
import { discardUpload } from "#app/owner/import/upload.server.ts";
import { letterEditView } from "#app/owner/letters/edit-view.server.tsx";
import { notFound, requireLetter } from "#app/owner/letters/letter-request.server.ts";
import { lettersView } from "#app/owner/letters/letters-view.server.tsx";
import { showProgress, steerLetter } from "#app/owner/letters/progress-handlers.server.ts";
import { formTooLarge, readContent } from "#app/owner/letters/read-content.server.ts";
import { recordAction } from "#app/owner/log/log.server.ts";
import { renderDocument } from "#app/owner/ui/document.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { readForm } from "#app/server/read-form.server.ts";

/** Letters of each kind on a page. */
const PAGE_SIZE = 50;

const EMPTY: LetterContent = { subject: "", previewLine: "", body: "" };

export async function showLetters(c: OwnerContext) {
  const { db, emailContext } = c.var.app;
  const value = c.req.query("before");
  const before = value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  const [drafts, underWay, found] = await Promise.all([
    before === undefined ? listLetters(db, { limit: PAGE_SIZE, states: ["draft"] }) : [],
    before === undefined ? listLetters(db, { limit: PAGE_SIZE, states: ["scheduled", "sending", "paused"] }) : [],
    listLetters(db, { before, limit: PAGE_SIZE + 1, states: ["finished", "stopped"] }),
  ]);
  const past = found.slice(0, PAGE_SIZE);
  const olderHref = found.length > PAGE_SIZE ? `/owner/letters?before=${past.at(-1)?.id}` : null;
  const shown = { drafts, underWay, past, olderHref, timeZone: emailContext.ownerTimeZone, done: c.req.query("done") };
  return c.html(renderDocument(lettersView(shown)));
}

export function newLetter(c: OwnerContext) {
  return c.html(renderDocument(letterEditView({ letter: null, content: EMPTY, problems: null })));
}

/** Saves a new draft, finished or not. */
export async function addLetter(c: OwnerContext) {
  const { db, now } = c.var.app;
  const form = await readForm(c.req.raw);
  const id = await createLetter(db, toDraft(readContent(form)), now());
  await recordAction(c.var.app, { by: c.var.owner.email, action: "create-letter", details: { letterId: id } });
  return redirectToDraft(c, id, form);
}

/** A draft to write, or how far a letter is. */
export async function showLetter(c: OwnerContext) {
  const letter = await requireLetter(c);
  if (letter === null) return notFound(c);
  if (letter.state !== "draft") return showProgress(c, letter);
  const content = toContent(letter);
  const view = letterEditView({ letter, content, problems: checkLetter(content), done: c.req.query("done") });
  return c.html(renderDocument(view));
}

export async function changeLetter(c: OwnerContext) {
  const letter = await requireLetter(c);
  if (letter === null) return notFound(c);
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
  return c.html(renderDocument(letterEditView({ letter, content, problems: null, error })), 409);
}

function redirectToDraft(c: OwnerContext, id: number, form: FormData) {
  const path = form.get("intent") === "preview" ? "/preview" : "";
  return c.redirect(`/owner/letters/${id}${path}?done=saved`, 303);
}

async function removeDraft(c: OwnerContext, { id }: Letter) {
  if (!(await deleteLetter(c.var.app.db, id))) return c.redirect(`/owner/letters/${id}?done=unchanged`, 303);
  await recordAction(c.var.app, { by: c.var.owner.email, action: "delete-letter", details: { letterId: id } });
  return c.redirect("/owner/letters?done=deleted", 303);
}

async function publish(c: OwnerContext, { id }: Letter, form: FormData) {
  const isPublic = form.get("intent") === "publish";
  const isChanged = await setLetterPublic(c.var.app.db, id, isPublic);
  if (isChanged) {
    const action = isPublic ? "publish-letter" : "unpublish-letter";
    await recordAction(c.var.app, { by: c.var.owner.email, action, details: { letterId: id } });
  }
  const done = isChanged ? (isPublic ? "published" : "unpublished") : "unchanged";
  return c.redirect(`/owner/letters/${id}${form.get("back") === "send" ? "/send" : ""}?done=${done}`, 303);
}

/** The response to a form that is too large to read: the letter as it was saved last. */
export async function refuseLargeForm(c: OwnerContext) {
  await discardUpload(c.req.raw);
  const letter = c.req.param("id") === undefined ? null : await requireLetter(c);
  const content = letter === null ? EMPTY : toContent(letter);
  return c.html(renderDocument(letterEditView({ letter, content, problems: null, error: formTooLarge })), 413);
}

function toDraft({ subject, previewLine, body }: LetterContent) {
  return { subject, preview_line: previewLine, body };
}
