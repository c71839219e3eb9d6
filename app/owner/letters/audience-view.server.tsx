import type { Letter } from "#app/email/letters/letters.server.ts";
import type { SavedView } from "#app/owner/entries/views/saved-view.ts";
import { UseView } from "#app/owner/entries/views/use-view.server.tsx";
import { audienceFilters, type GivenAudience, otherFilters } from "#app/owner/letters/audience.ts";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import { Actions, Button } from "#app/owner/ui/actions.server.tsx";
import { Choice, Field, Group } from "#app/owner/ui/field.server.tsx";
import { type FilterChoices, FilterFields } from "#app/owner/ui/filter-field.server.tsx";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { Message } from "#app/owner/ui/page.server.tsx";

export interface LetterAudienceProps {
  letter: Letter;
  given: Pick<GivenAudience, "values" | "problems">;
  /** How many people the saved audience has now. */
  count: number;
  choices: FilterChoices;
  /** Earlier letters, newest first. */
  earlier: Pick<Letter, "id" | "subject">[];
  mustConfirm: boolean;
  views: SavedView[];
  /** The saved view that has filled in the form, with the filters that letters cannot use. */
  used: { name: string; leftOut: string[] } | null;
}

/** Whom a draft is for. */
export function letterAudienceView({ letter, given, count, mustConfirm, views, used, ...form }: LetterAudienceProps) {
  return (
    <LetterPage letter={letter} step="audience">
      <p className="letter-count" role="status">
        <strong>{formatNumber(count)}</strong> {count === 1 ? "person" : "people"} will get this letter.
      </p>
      {count === 0 ? <p className="hint">No one on the waitlist matches. Remove some of the choices below.</p> : null}
      <UseView action={`/owner/letters/${letter.id}/audience`} views={views} />
      {used === null ? null : (
        <Message>
          {`The choices below are those of the view “${used.name}”. They are not saved yet.`}
          {used.leftOut.length === 0
            ? ""
            : ` Left out, because it does not work for letters: ${used.leftOut.join("; ")}.`}
        </Message>
      )}
      <AudienceForm id={letter.id} given={given} {...form} />
      <p className="hint">
        {mustConfirm
          ? "People who unsubscribed, whose address gets no email, or who have yet to confirm it are never among them."
          : "People who unsubscribed, or whose address gets no email, are never among them."}
      </p>
    </LetterPage>
  );
}

/** The filters in the first group; those of waves come later. */
const peopleFilters = audienceFilters.filter((name) => name !== "invited");

type AudienceFormProps = Pick<LetterAudienceProps, "given" | "choices" | "earlier"> & { id: number };

function AudienceForm({ id, given: { values, problems }, choices, earlier }: AudienceFormProps) {
  const typed = (name: string) => values.get(name) ?? "";
  const invited = { "": "Everyone", no: "Not yet invited", yes: "Already invited" };
  const confirmation = { confirmed: "Confirmed", "not-asked": "Not asked" };
  return (
    <form className="form form-wide" method="post" action={`/owner/letters/${id}/audience`}>
      <Group legend="People on the list">
        <FilterFields
          names={[...peopleFilters, ...otherFilters.filter((name) => values.has(name))]}
          options={{ confirmation }}
          {...{ values, choices, problems }}
        />
      </Group>
      <Group legend="In waves">
        <div className="fields">
          <Field
            name="invited"
            label="Invited"
            options={invited}
            value={typed("invited")}
            problem={problems["invited"]}
          />
          <Field
            name="first"
            label="Limit (earliest sign-ups first)"
            inputMode="numeric"
            placeholder="All"
            value={typed("first")}
            problem={problems["first"]}
          />
          <Field
            name="not-sent"
            label="Leave out people who were sent"
            options={letterOptions(earlier, typed("not-sent"))}
            value={typed("not-sent")}
            problem={problems["not-sent"]}
          />
        </div>
      </Group>
      {values.has("newest") ? <SelectedOnly newest={typed("newest")} /> : null}
      <Group legend="Invitation">
        <Choice
          name="invitation"
          type="checkbox"
          options={{ yes: "This letter is an invitation: it marks everyone who is sent it as invited" }}
          value={typed("invitation")}
        />
      </Group>
      <Actions>
        <Button label="Update count" value="count" />
        <Button label="Save and continue" kind="quiet" value="send" />
      </Actions>
    </form>
  );
}

/** Whether people are left out who have joined since the letter was made from the list. */
function SelectedOnly({ newest }: { newest: string }) {
  return (
    <Group
      legend="People who were selected"
      hint="This letter was made from the list of entries. Without this choice, people who have joined since are among them if they match."
    >
      <Choice
        name="newest"
        type="checkbox"
        options={{ [newest]: `Only people who were on the list then: entries up to number ${newest}` }}
        value={newest}
      />
    </Group>
  );
}

/** Ids with subjects, newest first, and the chosen letter even if it is none of the earlier ones. */
function letterOptions(earlier: LetterAudienceProps["earlier"], chosen: string): [value: string, text: string][] {
  const options = earlier.map(({ id, subject }): [string, string] => [`${id}`, subject]);
  const isKnown = chosen === "" || options.some(([id]) => id === chosen);
  return [["", "No letter"], ...options, ...(isKnown ? [] : [[chosen, `Letter ${chosen}`] as [string, string]])];
}
