import type { SettingField, SettingGroup } from "#app/features/settings/groups.ts";
import type { Preview } from "#app/features/settings/launch-preview.server.tsx";
import { PhotoField, readPhoto, TOO_LARGE_PHOTO } from "#app/features/settings/photo-field.server.tsx";
import { saveSettings } from "#app/features/settings/save-settings.server.ts";
import { inWords, type SettingText, settingTexts } from "#app/features/settings/setting-texts.server.ts";
import { fieldOf, readRow, SETTINGS_PATH } from "#app/features/settings/settings.server.ts";
import { EditorHead, editorCsp } from "#app/owner/editor/writing-form.server.tsx";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { addressField, Field, type FieldProps } from "#app/owner/ui/field.server.tsx";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page } from "#app/owner/ui/page.server.tsx";
import { ConflictView, VersionInputs, VersionsLink } from "#app/owner/versions/version-views.server.tsx";
import { type Conflict, findConflict, shownVersion } from "#app/owner/versions/versions.server.ts";
import { type SettingName, settingProblem } from "#app/server/config/settings.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";

export function showGroup(group: SettingGroup): OwnerHandler {
  return (c) => respond(c, group);
}

export function saveGroup(group: SettingGroup): OwnerHandler {
  return async function save(c): Promise<Response> {
    const { form } = c.var;
    const path = pathOf(group);
    const row = await readRow(c.var.app.db);
    const texts = settingTexts(c.env, row.stored);
    const typed = await Promise.all(group.fields.map((field) => readField(c, field, texts[field.name])));
    const problems = typed.flatMap(({ name, problem }) => (problem === undefined ? [] : [[name, problem] as const]));
    const rejected = { typed: typed.map(({ name, text }): SavedFields[number] => [fieldOf(name), text]) };
    if (problems.length > 0) return respond(c, group, { ...rejected, problems: Object.fromEntries(problems) });
    const present = presentFields(group, texts);
    const conflict = await findConflict(c, { path, present, typed: rejected.typed });
    if (conflict !== null) return respond(c, group, { ...rejected, conflict });
    const shownText = (name: SettingName, text: string) => formText(fieldNamed(group, name), text);
    const changed = typed.filter(({ name, text }) => text !== shownText(name, texts[name].text));
    if (changed.length === 0) return c.redirect(`${path}?done=unchanged`, 303);
    const intent = fieldText(form, "intent");
    const after = Object.fromEntries(typed.map(({ name, text }) => [name, text]));
    const before = Object.fromEntries(group.fields.map(({ name }) => [name, texts[name].text]));
    const preview = intent === "confirm" ? null : (group.preview?.(before, after) ?? null);
    if (intent === "edit") return respond(c, group, rejected);
    if (preview !== null) return showPreview(c, group, { preview, present, typed: rejected.typed });
    const isSaved = await saveSettings(c, row, {
      path,
      present,
      typed: rejected.typed,
      values: Object.fromEntries(
        changed.map(({ name, text }) => [name, text === shownText(name, texts[name].base) ? null : text]),
      ),
      changes: changed.map(({ name, text }) => {
        const field = fieldNamed(group, name);
        const words = (value: string) => inWords(field, value);
        return { name, label: field?.label ?? name, from: words(texts[name].text), to: words(text) };
      }),
    });
    // Otherwise another form was saved at the same moment.
    return isSaved ? c.redirect(`${path}?done=settings-saved`, 303) : save(c);
  };
}

/**
 * The text of a field as it was typed, and what is wrong with it, as a sentence.
 *
 * @param present what holds now, and what the site is deployed with, both of which may be beyond what can be chosen here
 */
async function readField(
  c: OwnerContext,
  { name, kind, problem: problemOf }: SettingField,
  present: SettingText,
): Promise<{ name: SettingName; text: string; problem?: string }> {
  const { app, form } = c.var;
  const read: { text: string; problem?: string } =
    kind === "photo"
      ? await readPhoto(c, fieldOf(name), fieldText(form, fieldOf("FOUNDER_NAME")))
      : { text: fieldText(form, fieldOf(name)).replace(/\r\n?/g, "\n").trim() };
  const wrong = settingProblem(name, read.text);
  const limit = [present.text, present.base].includes(read.text) ? null : (problemOf?.(read.text, app) ?? null);
  const problem = wrong === null ? limit : `This ${wrong}.`;
  return { name, ...(problem === null ? {} : { problem }), ...read };
}

/** The response to a form with a photograph that is too large to read. */
export function refuseLargeForm(group: SettingGroup): OwnerHandler {
  const [photo] = group.fields.filter(({ kind }) => kind === "photo");
  return (c) => respond(c, group, { status: 413, problems: photo ? { [photo.name]: TOO_LARGE_PHOTO } : {} });
}

/** What a change does, with what was typed. Nothing is saved before its button is pressed. */
async function showPreview(
  c: OwnerContext,
  group: SettingGroup,
  { preview, present, typed }: { preview: Preview; present: SavedFields; typed: SavedFields },
) {
  const path = pathOf(group);
  return c.render(
    <Page title={preview.title} section="settings" back={{ href: path, name: group.title }}>
      {preview.body}
      <form method="post" action={path}>
        <VersionInputs {...(await shownVersion(c, present))} />
        {typed.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Actions>
          <Button label={preview.confirm} value="confirm" />
          <Button label="Change something" kind="quiet" value="edit" />
        </Actions>
      </form>
    </Page>,
  );
}

interface Rejected {
  /** Absent if it could not be read. */
  typed?: SavedFields;
  /** Default: 422 for problems, 409 for a conflict. */
  status?: 413;
  /** By the setting's name. */
  problems?: Record<string, string>;
  conflict?: Conflict;
}

function pathOf({ path }: SettingGroup): string {
  return `${SETTINGS_PATH}/${path}`;
}

function presentFields({ fields }: SettingGroup, texts: Record<string, SettingText>): SavedFields {
  return fields.map((field) => [fieldOf(field.name), formText(field, texts[field.name]?.text ?? "")]);
}

function fieldNamed({ fields }: SettingGroup, name: SettingName): SettingField | undefined {
  return fields.find((field) => field.name === name);
}

/** A select has no empty value: without one, browsers would send its first option. */
function formText(field: SettingField | undefined, text: string): string {
  if (text !== "" || field?.options === undefined) return text;
  return Object.entries(field.options).find(([, words]) => words === field.none)?.[0] ?? "";
}

async function respond(c: OwnerContext, group: SettingGroup, rejected?: Rejected) {
  const { db, timeZone } = c.var.app;
  const { conflict, problems = {} } = rejected ?? {};
  const texts = settingTexts(c.env, (await readRow(db)).stored);
  const present = presentFields(group, texts);
  const shown = new Map(rejected?.typed ?? present);
  if (conflict !== undefined) c.status(409);
  else if (Object.keys(problems).length > 0) c.status(rejected?.status ?? 422);
  const path = pathOf(group);
  const hasPhoto = group.fields.some(({ kind }) => kind === "photo");
  return c.render(
    <Page
      title={group.title}
      section="settings"
      back={{ href: SETTINGS_PATH, name: "All settings" }}
      head={hasPhoto ? <EditorHead /> : null}
    >
      <Outcome />
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={timeZone} />}
      <p className="lead">{group.lead}</p>
      <form className="form narrow" method="post" action={path} encType={hasPhoto ? "multipart/form-data" : undefined}>
        <VersionInputs {...(await shownVersion(c, present, conflict))} />
        {group.fields.map((field) => {
          const name = fieldOf(field.name);
          const own = { name, label: field.label, value: shown.get(name) ?? "", problem: problems[field.name] };
          if (field.kind === "photo") return <PhotoField key={name} {...own} />;
          return <Field key={name} {...own} hint={hintOf(field, texts[field.name])} {...attributesOf(field)} />;
        })}
        <Actions>
          <Button label="Save" value="save" />
          <ButtonLink label="Cancel" kind="quiet" href={SETTINGS_PATH} />
        </Actions>
      </form>
      <VersionsLink path={path} />
    </Page>,
    hasPhoto ? { policy: editorCsp } : undefined,
  );
}

/** What the field is, and what it would be without a change here. */
function hintOf(field: SettingField, text: SettingText | undefined): string | undefined {
  const before = text?.from === "here" ? `Without a change here: ${inWords(field, text.base)}.` : undefined;
  return [field.hint, before].filter((part) => part !== undefined).join(" ") || undefined;
}

function attributesOf({ kind, options, rows, suggestions, none }: SettingField): Partial<FieldProps> {
  return {
    ...(kind === "address" ? addressField : {}),
    ...(kind === "url" ? { inputMode: "url", placeholder: "https://", autoCapitalize: "none", spellCheck: false } : {}),
    ...(kind === "number" ? { inputMode: "numeric", placeholder: none } : {}),
    ...(kind === "date" ? { type: "date" } : {}),
    ...(options === undefined ? {} : { options }),
    ...(rows === undefined ? {} : { rows }),
    ...(suggestions === undefined ? {} : { suggestions: suggestions() }),
  };
}
