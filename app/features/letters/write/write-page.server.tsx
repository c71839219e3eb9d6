import { checkDraft, type LetterContent, type LetterProblems } from "#app/features/letters/send/check-letter.server.ts";
import {
  createLetter,
  deleteLetter,
  findLetter,
  type Letter,
  type ShownLetter,
  setLetterPublic,
  updateLetter,
} from "#app/features/letters/send/letters.server.ts";
import { EMPTY, LetterForm, readContent, TOO_LARGE } from "#app/features/letters/write/letter-form.server.tsx";
import { Duplicate, LetterPage, toLetter } from "#app/features/letters/write/letter-frame.server.tsx";
import { openingLetter, openingNote } from "#app/features/letters/write/opening-letter.server.ts";
import { progressHandlers, showLetterProgress } from "#app/features/letters/write/progress-page.server.tsx";
import { Confirm } from "#app/owner/ui/actions.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Problems } from "#app/owner/ui/page.server.tsx";

/** An empty letter, or the first one that an owner without letters is offered. */
export function newLetter(c: OwnerContext) {
  const { LAUNCH_URL } = c.var.app.config;
  if (c.req.query("start") !== "opening") return edit(c, null);
  return edit(c, null, { content: openingLetter(LAUNCH_URL), note: openingNote(LAUNCH_URL) });
}

export async function addLetter(c: OwnerContext) {
  const { db, now } = c.var.app;
  const id = await createLetter(db, readContent(c.var.form), now());
  await c.var.record("create-letter", { letterId: id });
  return redirectToDraft(c, id);
}

export function showLetter(c: OwnerContext, letter: ShownLetter) {
  if (letter.state !== "draft") return showLetterProgress(c, letter);
  return edit(c, letter, { problems: checkDraft(letter) });
}

export function changeLetterPage(c: OwnerContext, letter: Letter) {
  return runIntent(c, handlers, letter);
}

const handlers = {
  save: saveDraft,
  preview: saveDraft,
  delete: removeDraft,
  duplicate,
  publish,
  unpublish: publish,
  ...progressHandlers,
};

/** A draft is stored as it was typed, with its problems, so that nothing is lost. */
async function saveDraft(c: OwnerContext, letter: Letter) {
  const { db, now } = c.var.app;
  const content = readContent(c.var.form);
  if (await updateLetter(db, letter.id, content, now())) return redirectToDraft(c, letter.id);
  const error = "The letter has been scheduled or started in the meantime, so what you typed is not saved.";
  c.status(409);
  return edit(c, letter, { content, error });
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
  c.status(413);
  return edit(c, letter, { error: TOO_LARGE });
}

interface Edited {
  /** Default: what is stored. */
  content?: LetterContent;
  problems?: LetterProblems | null;
  error?: string;
  note?: string;
}

/** @param letter null for one that is not saved yet */
function edit(c: OwnerContext, letter: Letter | null, edited: Edited = {}) {
  const { content = letter ?? EMPTY, problems = null, error, note } = edited;
  return c.render(
    <LetterPage letter={letter} current="Write">
      <Problems problems={error === undefined ? [] : [error]} />
      {note === undefined ? null : (
        <div className="narrow">
          <Message>{note}</Message>
        </div>
      )}
      <LetterForm
        name="letter"
        action={letter === null ? "/owner/letters" : `/owner/letters/${letter.id}`}
        content={content}
        problems={problems}
        contactEmail={c.var.app.emailContext.replyTo}
      />
      {letter === null ? null : (
        <>
          <Duplicate letter={letter} />
          <Confirm label="Delete it" question="Delete the draft" value="delete" text="It cannot be brought back." />
        </>
      )}
    </LetterPage>,
  );
}
