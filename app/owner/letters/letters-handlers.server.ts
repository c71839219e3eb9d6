import { checkDraft, toContent } from "#app/email/letters/check-letter.server.ts";
import {
  createLetter,
  deleteLetter,
  findLetter,
  type Letter,
  listLetters,
  setLetterPublic,
  updateLetter,
} from "#app/email/letters/letters.server.ts";
import { type LetterEditProps, letterEditView } from "#app/owner/letters/edit-view.server.tsx";
import { toLetter } from "#app/owner/letters/letter-request.server.ts";
import { letterLists, lettersView, PAGE_SIZE } from "#app/owner/letters/letters-view.server.tsx";
import { openingLetter, openingNote } from "#app/owner/letters/opening-letter.server.ts";
import { showProgress, steerLetter } from "#app/owner/letters/progress-handlers.server.ts";
import { EMPTY, readContent, TOO_LARGE, toWords } from "#app/owner/letters/read-content.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";

/** The newest letters of each list, or a further page of one list. */
export async function showLetters(c: OwnerContext) {
  const { db, timeZone } = c.var.app;
  const chosen = letterLists.filter(({ id }) => id === c.req.query("list"));
  const page = chosen.length === 0 ? 1 : Math.max(1, parseId(c.req.query("page")) ?? 1);
  const lists = await Promise.all(
    (chosen.length === 0 ? letterLists : chosen).map(async (list) => {
      const found = await listLetters(db, { ...list, limit: PAGE_SIZE + 1, skipped: (page - 1) * PAGE_SIZE });
      return { ...list, letters: found.slice(0, PAGE_SIZE), hasOlder: found.length > PAGE_SIZE };
    }),
  );
  if (page > 1 && lists.every(({ letters }) => letters.length === 0)) return c.redirect("/owner/letters", 303);
  return c.render(lettersView({ lists, page, timeZone }));
}

/** An empty letter, or the first one that an owner without letters is offered. */
export function newLetter(c: OwnerContext) {
  const { LAUNCH_URL } = c.var.app.config;
  if (c.req.query("start") !== "opening") return edit(c, { letter: null, content: EMPTY, problems: null });
  return edit(c, { letter: null, content: openingLetter(LAUNCH_URL), problems: null, note: openingNote(LAUNCH_URL) });
}

/** Saves a new draft, finished or not. */
export async function addLetter(c: OwnerContext) {
  const { db, now } = c.var.app;
  const id = await createLetter(db, toWords(readContent(c.var.form)), now());
  await c.var.record("create-letter", { letterId: id });
  return redirectToDraft(c, id);
}

/** A draft to write, or how far a letter is. */
export function showLetter(c: OwnerContext, letter: Letter) {
  if (letter.state !== "draft") return showProgress(c, letter);
  const content = toContent(letter);
  return edit(c, { letter, content, problems: checkDraft(content) });
}

export function changeLetter(c: OwnerContext, letter: Letter) {
  switch (c.var.form.get("intent")) {
    case "save":
    case "preview":
      return saveDraft(c, letter);
    case "delete":
      return removeDraft(c, letter);
    case "duplicate":
      return duplicate(c, letter);
    case "publish":
    case "unpublish":
      return publish(c, letter);
    default:
      return steerLetter(c, letter);
  }
}

/** A draft is stored as it was typed, with its problems, so that nothing is lost. */
async function saveDraft(c: OwnerContext, letter: Letter) {
  const { db, now } = c.var.app;
  const content = readContent(c.var.form);
  if (await updateLetter(db, letter.id, toWords(content), now())) return redirectToDraft(c, letter.id);
  const error = "The letter has been scheduled or started in the meantime, so what you typed is not saved.";
  c.status(409);
  return edit(c, { letter, content, problems: null, error });
}

function redirectToDraft(c: OwnerContext, id: number) {
  return toLetter(c, id, c.var.form.get("intent") === "preview" ? "/preview?done=saved" : "?done=saved");
}

async function removeDraft(c: OwnerContext, { id }: Letter) {
  if (!(await deleteLetter(c.var.app.db, id))) return toLetter(c, id, "?done=unchanged");
  await c.var.record("delete-letter", { letterId: id });
  return c.redirect("/owner/letters?done=deleted", 303);
}

/** Makes a draft of the same words. Only a draft's audience comes along: that of another letter was written to already. */
async function duplicate(c: OwnerContext, { id, state, audience, is_invitation, ...letter }: Letter) {
  const { subject, preview_line, body, reply_to } = letter;
  const isDraft = state === "draft";
  const draft = { subject, preview_line, body, reply_to, ...(isDraft ? { audience, is_invitation } : {}) };
  const copyId = await createLetter(c.var.app.db, draft, c.var.app.now());
  await c.var.record("duplicate-letter", { letterId: id, as: `letter ${copyId}` });
  return toLetter(c, copyId, `?done=${isDraft ? "duplicated" : "duplicated-for-all"}`);
}

async function publish(c: OwnerContext, { id }: Letter) {
  const { form } = c.var;
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
  return edit(c, { letter, content, problems: null, error: TOO_LARGE });
}

function edit(c: OwnerContext, edited: Omit<LetterEditProps, "contactEmail">) {
  return c.render(letterEditView({ ...edited, contactEmail: c.var.app.emailContext.replyTo }));
}
