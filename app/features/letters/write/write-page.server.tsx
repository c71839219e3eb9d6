import { type SQL, sql } from "drizzle-orm";
import { checkDraft, type LetterContent, type LetterProblems } from "#app/features/letters/send/check-letter.server.ts";
import {
  createLetter,
  deleteLetter,
  findLetter,
  findLetterByKey,
  type Letter,
  letterPath,
  randomKey,
  type ShownLetter,
  setLetterPublic,
  updateLetter,
} from "#app/features/letters/send/letters.server.ts";
import { htmlOf, SizeWarning } from "#app/features/letters/write/email-size.server.tsx";
import { contentFields, EMPTY, readContent, TOO_LARGE } from "#app/features/letters/write/letter-content.server.ts";
import { LETTER_FORM, LetterForm } from "#app/features/letters/write/letter-form.server.tsx";
import { Duplicate, LetterPage, nextPage, toLetter } from "#app/features/letters/write/letter-frame.server.tsx";
import { openingLetter, openingNote } from "#app/features/letters/write/opening-letter.server.ts";
import { progressHandlers, showLetterProgress } from "#app/features/letters/write/progress-page.server.tsx";
import { findSuperseded } from "#app/features/letters/write/superseded-draft.server.ts";
import { editorCsp, keptForm } from "#app/owner/editor/writing-form.server.tsx";
import { Confirm } from "#app/owner/ui/actions.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Problems } from "#app/owner/ui/page.server.tsx";
import { ConflictView, VersionsLink } from "#app/owner/versions/version-views.server.tsx";
import {
  type Conflict,
  findConflict,
  isSameText,
  keepVersions,
  shownVersion,
  versionOf,
} from "#app/owner/versions/versions.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";

/**
 * An empty letter, or the first one that an owner without letters is offered. Its key is in the address, so that the
 * browser's *Back* leads to the letter once it is saved.
 */
export async function newLetter(c: OwnerContext) {
  const { db, config } = c.var.app;
  const { draft = "", start } = c.req.query();
  if (!isKey(draft)) {
    const query = new URLSearchParams({ ...(start && { start }), draft: randomKey() });
    return c.redirect(`/owner/letters/new?${query}`, 302);
  }
  const known = await findLetterByKey(db, draft);
  if (known !== null) return toLetter(c, known.id);
  if (start !== "opening") return edit(c, null);
  return edit(c, null, { content: openingLetter(config.LAUNCH_URL), note: openingNote(config.LAUNCH_URL) });
}

export async function addLetter(c: OwnerContext): Promise<Response> {
  const { db, now } = c.var.app;
  const key = fieldText(c.var.form, "draft");
  const known = isKey(key) ? await findLetterByKey(db, key) : null;
  if (known !== null) return saveDraft(c, known);
  const content = readContent(c.var.form);
  let id: number;
  try {
    id = await createLetter(db, content, now(), isKey(key) ? key : randomKey());
  } catch (error) {
    // The same form has made it in the meantime.
    if ((await findLetterByKey(db, key)) === null) throw error;
    return addLetter(c);
  }
  const text = { path: letterPath(id), present: contentFields(EMPTY), typed: contentFields(content) };
  await runBatch(db, keepVersions(c, { ...text, isUnchanged: sql`true` }));
  await c.var.record("create-letter", { letterId: id });
  return afterSaving(c, id, content);
}

function isKey(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

export function showLetter(c: OwnerContext, letter: ShownLetter) {
  if (letter.state !== "draft") return showLetterProgress(c, letter);
  return edit(c, letter, { problems: checkDraft(letter) });
}

export function changeLetterPage(c: OwnerContext, letter: Letter) {
  return runIntent(c, handlers, letter);
}

/** Another owner has deleted the letter: what was typed can be saved as a new one. */
export function keepDeleted(c: OwnerContext) {
  const content = readContent(c.var.form);
  if (isSameText(contentFields(content), contentFields(EMPTY))) return c.notFound();
  c.status(409);
  c.var.form.set("draft", randomKey());
  const error = "This letter was deleted in the meantime. Save makes a new one of what you typed.";
  return edit(c, null, { content, error });
}

const handlers = {
  save: (c: OwnerContext, letter: Letter) => saveDraft(c, letter),
  preview: (c: OwnerContext, letter: Letter) => saveDraft(c, letter),
  audience: (c: OwnerContext, letter: Letter) => saveDraft(c, letter),
  send: (c: OwnerContext, letter: Letter) => saveDraft(c, letter),
  delete: removeDraft,
  duplicate,
  publish,
  unpublish: publish,
  ...progressHandlers,
};

/** A draft is stored as it was typed, with its problems, so that nothing is lost. */
async function saveDraft(c: OwnerContext, letter: Letter): Promise<Response> {
  const { db, now } = c.var.app;
  const { id } = letter;
  const content = readContent(c.var.form);
  const text = { path: letterPath(id), present: contentFields(letter), typed: contentFields(content) };
  const conflict = await findConflict(c, text);
  if (conflict === null) {
    const supersedes = isAutosave(c) ? await findSuperseded(c, text) : null;
    const keep = (isUnchanged: SQL) => keepVersions(c, { ...text, isUnchanged, supersedes });
    if (await updateLetter(db, letter, content, now(), keep)) {
      if (!isAutosave(c)) await c.var.record("save-letter", { letterId: id });
      return afterSaving(c, id, content);
    }
    const present = await findLetter(db, id);
    if (present === null) return keepDeleted(c);
    // Another form was saved at the same moment.
    if (present.state === "draft") return saveDraft(c, present);
  }
  if (isAutosave(c)) return c.json({ conflict: true }, 409);
  c.status(409);
  if (conflict !== null) return edit(c, letter, { content, conflict });
  const error = "The letter has been scheduled or started in the meantime, so what you typed is not saved.";
  return edit(c, letter, { content, error });
}

/** Whether the page saves it by itself, while its owner types. */
function isAutosave(c: OwnerContext): boolean {
  return c.var.form.get("autosave") === "yes";
}

async function afterSaving(c: OwnerContext, id: number, content: LetterContent) {
  if (!isAutosave(c)) return toLetter(c, id, `${nextPage(c) ?? ""}?done=saved`);
  return c.json({ action: letterPath(id), version: await versionOf(contentFields(content)) });
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
  conflict?: Conflict;
  note?: string;
}

/** @param letter null for one that is not saved yet */
async function edit(c: OwnerContext, letter: Letter | null, edited: Edited = {}) {
  const { content = letter ?? EMPTY, problems = null, error, conflict, note } = edited;
  const { replyTo } = c.var.app.emailContext;
  const draft = c.req.query("draft") ?? fieldText(c.var.form ?? new FormData(), "draft");
  const path = letter === null ? "/owner/letters/new" : letterPath(letter.id);
  const isRefused = error !== undefined || conflict !== undefined;
  const kept = await keptForm(c, path, {
    // What another owner has saved is replaced by a press alone.
    autosave: !isRefused,
    unsaved: isRefused && edited.content !== undefined,
  });
  return c.render(
    <LetterPage letter={letter} current="Write" saves={LETTER_FORM}>
      <Problems problems={error === undefined ? [] : [error]} />
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={c.var.app.timeZone} />}
      {note === undefined ? null : (
        <div className="narrow">
          <Message>{note}</Message>
        </div>
      )}
      {letter === null ? null : <SizeWarning name="letter" html={htmlOf(letter, c.var.app.emailContext)} />}
      <LetterForm
        name="letter"
        action={letter === null ? "/owner/letters" : path}
        kept={kept}
        version={await shownVersion(c, contentFields(letter ?? EMPTY), conflict)}
        content={content}
        problems={problems}
        contactEmail={replyTo}
      >
        {letter === null ? <input type="hidden" name="draft" value={draft} /> : null}
      </LetterForm>
      {letter === null ? null : (
        <>
          <VersionsLink path={letterPath(letter.id)} />
          <Duplicate letter={letter} />
          <Confirm label="Delete it" question="Delete the draft" value="delete" text="It cannot be brought back." />
        </>
      )}
    </LetterPage>,
    { policy: editorCsp },
  );
}
