import type { SettingField, SettingGroup } from "#app/features/settings/groups.ts";
import { saveSettings } from "#app/features/settings/save-settings.server.ts";
import { inWords, type SettingText, settingTexts } from "#app/features/settings/setting-texts.server.ts";
import { fieldOf, readRow, SETTINGS_PATH } from "#app/features/settings/settings.server.ts";
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
    const typed = group.fields.map(({ name }) => ({ name, text: fieldText(form, fieldOf(name)).trim() }));
    const problems = typed.flatMap(({ name, text }) => {
      const problem = settingProblem(name, text);
      if (problem !== null) return [[name, `This ${problem}.`] as const];
      const limit = text === texts[name].text ? null : (fieldNamed(group, name)?.problem?.(text, c.var.app) ?? null);
      return limit === null ? [] : [[name, limit] as const];
    });
    const rejected = { typed: typed.map(({ name, text }): SavedFields[number] => [fieldOf(name), text]) };
    if (problems.length > 0) return respond(c, group, { ...rejected, problems: Object.fromEntries(problems) });
    const present = presentFields(group, texts);
    const conflict = await findConflict(c, { path, present, typed: rejected.typed });
    if (conflict !== null) return respond(c, group, { ...rejected, conflict });
    const shownText = (name: SettingName, text: string) => formText(fieldNamed(group, name), text);
    const changed = typed.filter(({ name, text }) => text !== shownText(name, texts[name].text));
    if (changed.length === 0) return c.redirect(`${path}?done=unchanged`, 303);
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

interface Rejected {
  typed: SavedFields;
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
  if (rejected !== undefined) c.status(conflict === undefined ? 422 : 409);
  const path = pathOf(group);
  return c.render(
    <Page title={group.title} section="settings" back={{ href: SETTINGS_PATH, name: "All settings" }}>
      <Outcome />
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={timeZone} />}
      <p className="lead">{group.lead}</p>
      <form className="form narrow" method="post" action={path}>
        <VersionInputs {...(await shownVersion(c, present, conflict))} />
        {group.fields.map((field) => (
          <Field
            key={field.name}
            name={fieldOf(field.name)}
            label={field.label}
            hint={hintOf(field, texts[field.name])}
            value={shown.get(fieldOf(field.name))}
            problem={problems[field.name]}
            {...attributesOf(field)}
          />
        ))}
        <Actions>
          <Button label="Save" value="save" />
          <ButtonLink label="Cancel" kind="quiet" href={SETTINGS_PATH} />
        </Actions>
      </form>
      <VersionsLink path={path} />
    </Page>,
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
