import type { SQL } from "drizzle-orm";
import { importOptions } from "#app/features/entries/import-options.server.ts";
import { readSelection } from "#app/features/entries/list-page.server.tsx";
import { withListState } from "#app/features/entries/list-state.ts";
import type { SavedView } from "#app/features/entries/views/saved-view.ts";
import { findView, listViews } from "#app/features/entries/views/saved-views.server.ts";
import { UseView } from "#app/features/entries/views/use-view.server.tsx";
import { countAudience } from "#app/features/letters/send/audience.server.ts";
import {
  createLetter,
  findLetter,
  type Letter,
  letterPath,
  listLetters,
  updateLetter,
} from "#app/features/letters/send/letters.server.ts";
import {
  leftOut,
  offeredFilters,
  otherFilters,
  readAudience,
  writeAudience,
} from "#app/features/letters/write/audience.ts";
import { LetterPage, nextPage, toLetter } from "#app/features/letters/write/letter-frame.server.tsx";
import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { ChoiceField, Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { FilterFields } from "#app/owner/ui/filter-field.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Message } from "#app/owner/ui/page.server.tsx";
import { ConflictView, VersionInputs, VersionsLink } from "#app/owner/versions/version-views.server.tsx";
import {
  type Conflict,
  findConflict,
  isSameText,
  keepVersions,
  shownVersion,
} from "#app/owner/versions/versions.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { readNames } from "#app/waitlist/entries/used-names.server.ts";
import { recentOrigins } from "#app/waitlist/filter/list-entries.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

const LISTED_LETTERS = 100;

export async function showAudience(c: OwnerContext, letter: Letter) {
  if (letter.state !== "draft") return toLetter(c, letter.id);
  const view = await findView(c.var.app.db, parseId(c.req.query("view")) ?? 0);
  const audience = view === null ? letter.audience : { filter: view.filter };
  const values = writeAudience(audience, letter.is_invitation);
  return respond(c, letter, { values, problems: {} }, { view });
}

export async function changeAudience(c: OwnerContext, letter: Letter): Promise<Response> {
  const { db, now } = c.var.app;
  const given = readAudience(c.var.form);
  if (Object.keys(given.problems).length > 0) return respond(c, letter, given);
  const { audience, isInvitation: is_invitation } = given;
  const path = audiencePath(letter);
  const text = { path, present: audienceFields(letter), typed: audienceFields({ audience, is_invitation }) };
  const conflict = letter.state === "draft" ? await findConflict(c, text) : null;
  if (conflict !== null) return respond(c, letter, given, { conflict });
  const keep = (isUnchanged: SQL) => keepVersions(c, { ...text, isUnchanged });
  if (!(await updateLetter(db, letter, { audience, is_invitation }, now(), keep))) {
    const present = await findLetter(db, letter.id);
    // Another form was saved at the same moment.
    return present?.state === "draft" ? changeAudience(c, present) : toLetter(c, letter.id, "?done=unchanged");
  }
  if (!isSameText(text.present, text.typed)) await c.var.record("save-audience", { letterId: letter.id });
  return toLetter(c, letter.id, `${nextPage(c) ?? "/audience"}?done=counted`);
}

/** What the form replaces. */
export function audienceFields({ audience, is_invitation }: Pick<Letter, "audience" | "is_invitation">): SavedFields {
  return [...writeAudience(audience, is_invitation)];
}

function audiencePath({ id }: Letter): string {
  return `${letterPath(id)}/audience`;
}

/** Begins a letter to the people of an audience, such as those who joined through a link. */
export async function addLetterFor(c: OwnerContext) {
  const { audience, problems } = readAudience(c.var.form);
  const isEveryone = Object.keys(audience.filter).length === 0;
  if (isEveryone || Object.keys(problems).length > 0) return c.notFound();
  return begin(c, { audience }, "addressed");
}

/**
 * Drafts an invitation for the people whom the list shows. The filter alone would also find people who join later, so the
 * draft keeps the newest entry that the owner was shown; the filter still leaves out who no longer matches.
 */
export async function draftInvitation(c: OwnerContext) {
  const { state, selection, problems } = readSelection(c);
  const newestEntry = parseId(fieldText(c.var.form, "newest"));
  const { status, ...filter } = state.filter;
  // That page says why; a letter is never for people who get no email.
  const isRefused = problems.length > 0 || selection.search || newestEntry === undefined;
  if (isRefused || (status !== undefined && status !== "active")) {
    return c.redirect(withListState("/owner/entries/select", state), 303);
  }
  return begin(c, { audience: { filter, newestEntry }, is_invitation: true }, "invitation");
}

async function begin(c: OwnerContext, draft: Parameters<typeof createLetter>[1], done: string) {
  const { db, now } = c.var.app;
  const id = await createLetter(db, draft, now());
  await c.var.record("create-letter", { letterId: id });
  return toLetter(c, id, `?done=${done}`);
}

type GivenForm = Pick<ReturnType<typeof readAudience>, "values" | "problems">;

interface Shown {
  /** The saved view that has filled in the form. */
  view?: SavedView | null;
  conflict?: Conflict;
}

async function respond(c: OwnerContext, letter: Letter, given: GivenForm, { view: used = null, conflict }: Shown = {}) {
  const { db, mustConfirm } = c.var.app;
  const { values, problems } = given;
  const [count, names, origins, imported, earlier, views] = await Promise.all([
    countAudience(c.var.app, letter.audience),
    readNames(db, ["source"]),
    recentOrigins(db),
    importOptions(c, values.get("imported")),
    listLetters(db, { limit: LISTED_LETTERS, states: ["sending", "stopped", "finished"] }),
    listViews(db),
  ]);
  const typed = (name: string) => values.get(name) ?? "";
  const field = (name: string) => ({ name, value: typed(name), problem: problems[name] });
  const newest = typed("newest");
  // Those of waves come later.
  const peopleFilters = [...offeredFilters(), ...otherFilters().filter(({ name }) => values.has(name))];
  const action = audiencePath(letter);
  const version = await shownVersion(c, audienceFields(letter), conflict);
  const unusable = used === null ? [] : leftOut(used.filter);
  if (Object.keys(problems).length > 0) c.status(422);
  if (conflict !== undefined) c.status(409);
  return c.render(
    <LetterPage letter={letter} current="Audience" saves="audience">
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={c.var.app.timeZone} />}
      <p className="letter-count" role="status">
        <strong>{formatNumber(count)}</strong> {count === 1 ? "person" : "people"} will get this letter.
      </p>
      {count === 0 ? <p className="hint">No one on the waitlist matches. Remove some of the choices below.</p> : null}
      <UseView action={action} views={views} />
      {used === null ? null : (
        <Message>
          {`The choices below are those of the view “${used.name}”. They are not saved yet.`}
          {unusable.length === 0 ? "" : ` Left out, because it does not work for letters: ${unusable.join("; ")}.`}
        </Message>
      )}
      <form id="audience" className="form form-wide" method="post" action={action}>
        <VersionInputs {...version} />
        <FieldGroup legend="People on the list">
          <FilterFields
            filters={peopleFilters.filter(({ name }) => name !== "invited")}
            options={{ confirmation: { confirmed: "Confirmed", "not-asked": "Not asked" }, imported }}
            choices={{ ...origins, ...names }}
            {...{ values, problems }}
          />
        </FieldGroup>
        <FieldGroup legend="In waves">
          <div className="fields">
            <Field
              {...field("invited")}
              label="Invited"
              options={{ "": "Everyone", no: "Not yet invited", yes: "Already invited" }}
            />
            <Field {...field("first")} label="Limit (earliest sign-ups first)" inputMode="numeric" placeholder="All" />
            <Field
              {...field("sent")}
              label="Only people who were sent"
              options={letterOptions(earlier, typed("sent"), "Any letter or none")}
            />
            <Field
              {...field("not-sent")}
              label="Leave out people who were sent"
              options={letterOptions(earlier, typed("not-sent"), "No letter")}
            />
          </div>
        </FieldGroup>
        {values.has("newest") ? (
          <FieldGroup
            legend="People who were selected"
            hint="This letter was made from the list of entries. Without this choice, people who have joined since are among them if they match."
          >
            <ChoiceField
              name="newest"
              type="checkbox"
              options={{ [newest]: `Only people who were on the list then: entries up to number ${newest}` }}
              value={newest}
            />
          </FieldGroup>
        ) : null}
        <FieldGroup legend="Invitation">
          <ChoiceField
            name="invitation"
            type="checkbox"
            options={{ yes: "This letter is an invitation: it marks everyone who is sent it as invited" }}
            value={typed("invitation")}
          />
        </FieldGroup>
        <Actions>
          <Button label="Update count" value="count" />
          <Button label="Save and continue" kind="quiet" value="send" />
        </Actions>
      </form>
      <VersionsLink path={action} />
      <p className="hint">
        {mustConfirm
          ? "People who unsubscribed, whose address gets no email, or who have yet to confirm it are never among them."
          : "People who unsubscribed, or whose address gets no email, are never among them."}
      </p>
    </LetterPage>,
  );
}

/** Ids with subjects, newest first, and the chosen letter even if it is none of the earlier ones. */
function letterOptions(earlier: Letter[], chosen: string, none: string): [value: string, text: string][] {
  const options = earlier.map(({ id, subject }): [string, string] => [`${id}`, fillGreetings(subject, null)]);
  const isKnown = chosen === "" || options.some(([id]) => id === chosen);
  return [["", none], ...options, ...(isKnown ? [] : [[chosen, `Letter ${chosen}`] as [string, string]])];
}
