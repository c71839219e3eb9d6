import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { latestVersion, type SavedText } from "#app/owner/versions/versions.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import type { Millis } from "#app/server/time/units.ts";

/** What a page saves by itself within such a time is one version, if no more characters than these were deleted. */
const DRAFT_INTERVAL: Millis = 5 * 60_000;
const FORGOTTEN_CHARACTERS = 100;

/** The version that the same page has saved by itself shortly before, if the new text still has it; null if none. */
export async function findSuperseded(c: OwnerContext, { path, typed }: SavedText): Promise<number | null> {
  const { app, form } = c.var;
  const latest = await latestVersion(app.db, path);
  if (latest === null || !latest.is_draft || latest.form !== fieldText(form, "form")) return null;
  if (app.now() - latest.saved_at > DRAFT_INTERVAL) return null;
  const deleted = latest.fields.reduce((sum, [name, value]) => {
    const present = typed.find(([typedName]) => typedName === name)?.[1] ?? "";
    return sum + value.length - keptCharacters(value, present);
  }, 0);
  return deleted <= FORGOTTEN_CHARACTERS ? latest.id : null;
}

/** How many characters of a text are at the beginning and the end of another one: all of them, if something was inserted. */
function keptCharacters(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return start + end;
}
