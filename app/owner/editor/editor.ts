import { saveByItself } from "#app/owner/editor/autosave.ts";
import { insertBlock } from "#app/owner/editor/insert.ts";
import { keepTyped } from "#app/owner/editor/keep.ts";
import { pasteAsMarkdown } from "#app/owner/editor/paste.ts";
import { shrinkPhoto } from "#app/owner/editor/photo.ts";
import { setUpPictures } from "#app/owner/editor/pictures.ts";
import { previewWhileTyping } from "#app/owner/editor/preview.ts";
import { renewSession } from "#app/owner/editor/session.ts";
import { guardSubmission } from "#app/owner/editor/submission.ts";
import { addToolbar } from "#app/owner/editor/toolbar.ts";
import { readTypedForm, type TypedForm } from "#app/owner/editor/typed-form.ts";

/*
 * The script of the pages on which owners write, and of those that take a photograph. The server says with attributes of a form
 * what it is for; see writing-form.server.tsx. Everything works without it.
 */

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-keep]")) start(form);
for (const input of document.querySelectorAll<HTMLInputElement>("[data-photo] input[type=file]")) shrinkPhoto(input);

function start(form: HTMLFormElement): void {
  const { owner = "", tools = "" } = form.dataset;
  const typed = readTypedForm(form);
  const keeping = keepTyped(typed, owner);
  const session = renewSession(typed, () => saving?.save());
  const saving =
    "autosave" in form.dataset
      ? saveByItself(typed, { onSaved: keeping.onSaved, onSessionEnded: session.onEnded })
      : undefined;
  guardSubmission(typed, async () => saving?.settle());
  const body = form.querySelector<HTMLTextAreaElement>("textarea[name=body]");
  if (body !== null && tools !== "") writeMarkdown(body, tools, typed);
  previewWhileTyping(form);
}

function writeMarkdown(body: HTMLTextAreaElement, tools: string, { form, say }: TypedForm): void {
  const greetings = JSON.parse(form.dataset["greetings"] ?? "[]");
  const pictures = tools.includes("picture") ? setUpPictures(body, (markdown) => insertBlock(body, markdown)) : null;
  addToolbar(body, { tools, greetings, choosePicture: () => pictures?.choose(), say });
  // The words of other emails have fewer signs than what is pasted can need.
  if (tools.includes("heading")) pasteAsMarkdown(body);
}
