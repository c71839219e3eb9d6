import type { Letter } from "#app/email/letters/letters.server.ts";
import { letterView } from "#app/owner/letters/letter-frame.server.tsx";
import type { GivenAudience } from "#app/owner/letters/read-audience.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import type { FilterChoices } from "#app/owner/ui/entry-filters.server.tsx";
import { FieldProblem } from "#app/owner/ui/field-problem.server.tsx";
import { DateField, invalid, SelectField, TextField } from "#app/owner/ui/filter-fields.server.tsx";
import { filterLabels } from "#app/owner/ui/filter-labels.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { originColumns } from "#app/waitlist/origin-columns.ts";

interface LetterAudienceProps {
  letter: Letter;
  given: Pick<GivenAudience, "values" | "problems">;
  /** How many people the saved audience has now. */
  count: number;
  choices: FilterChoices;
  /** Earlier letters, newest first. */
  earlier: Pick<Letter, "id" | "subject">[];
  mustConfirm: boolean;
  done: string | undefined;
}

/** Whom a draft is for. */
export function letterAudienceView({ letter, given, count, done, ...form }: LetterAudienceProps): OwnerView {
  return letterView({
    letter,
    step: "audience",
    done,
    children: (
      <>
        <p className="letter-count" role="status">
          <strong>{formatNumber(count)}</strong> {count === 1 ? "person gets" : "people get"} this letter as things are.
        </p>
        {count === 0 ? (
          <p className="letter-hint">No one on the waitlist matches. Remove some of the choices below.</p>
        ) : null}
        <AudienceForm id={letter.id} given={given} {...form} />
        <p className="letter-hint">
          {form.mustConfirm
            ? "People who unsubscribed, whose address gets no email, or who have yet to confirm it are never among them."
            : "People who unsubscribed, or whose address gets no email, are never among them."}
        </p>
      </>
    ),
  });
}

type AudienceFormProps = Pick<LetterAudienceProps, "given" | "choices" | "earlier"> & { id: number };

function AudienceForm({ id, given: { values, problems }, choices, earlier }: AudienceFormProps) {
  const typed = (name: string) => values.get(name) ?? "";
  const select = (name: string, options = filterLabels[name]?.values ?? {}) => (
    <SelectField
      name={name}
      label={filterLabels[name]?.label ?? name}
      value={typed(name)}
      options={{ "": "Any", ...options }}
      problem={problems[name]}
    />
  );
  const sources = [...new Set([...choices.source, ...(typed("source") === "" ? [] : [typed("source")])])];
  return (
    <form className="owner-form letter-audience" method="post" action={`/owner/letters/${id}/audience`}>
      <fieldset>
        <legend>People on the list</legend>
        <div className="letter-fields">
          {select("role")}
          {select("source", Object.fromEntries(sources.map((name) => [name, name])))}
          {originColumns.map((name) => (
            <TextField
              key={name}
              name={name}
              value={typed(name)}
              suggestions={choices[name]}
              problem={problems[name]}
            />
          ))}
          <DateField name="from" value={typed("from")} problem={problems["from"]} />
          <DateField name="until" value={typed("until")} problem={problems["until"]} />
          {select("confirmation", { confirmed: "Confirmed", "not-asked": "Not asked" })}
          {select("disposable")}
        </div>
      </fieldset>
      <fieldset>
        <legend>In waves</legend>
        <Tick name="not-invited" isChosen={typed("not-invited") === "yes"}>
          Only people who have not been invited yet
        </Tick>
        <div className="letter-fields">
          <First value={typed("first")} problem={problems["first"]} />
          <NotSent value={typed("not-sent")} earlier={earlier} problem={problems["not-sent"]} />
        </div>
      </fieldset>
      <fieldset>
        <legend>Invitation</legend>
        <Tick name="invitation" isChosen={typed("invitation") === "yes"}>
          This letter is an invitation: it marks everyone who is sent it as invited
        </Tick>
      </fieldset>
      <div className="letter-buttons">
        <button className="button" name="intent" value="count" type="submit">
          Save and count
        </button>
        <button className="button button-quiet" name="intent" value="send" type="submit">
          Save and go on
        </button>
      </div>
    </form>
  );
}

function Tick({ name, isChosen, children }: { name: string; isChosen: boolean; children: string }) {
  return (
    <label>
      <input type="checkbox" name={name} value="yes" defaultChecked={isChosen} />
      {children}
    </label>
  );
}

function First({ value, problem }: { value: string; problem: string | undefined }) {
  return (
    <div>
      <label htmlFor="first">How many at most, the earliest first</label>
      <input
        id="first"
        name="first"
        type="text"
        inputMode="numeric"
        defaultValue={value}
        placeholder="All"
        autoComplete="off"
        {...invalid("first", problem)}
      />
      <FieldProblem id="first-problem">{problem}</FieldProblem>
    </div>
  );
}

interface NotSentProps {
  value: string;
  earlier: LetterAudienceProps["earlier"];
  problem: string | undefined;
}

function NotSent({ value, earlier, problem }: NotSentProps) {
  const options = Object.fromEntries(earlier.map(({ id, subject }) => [`${id}`, subject]));
  const unknown = value === "" || value in options ? {} : { [value]: `Letter ${value}` };
  return (
    <SelectField
      name="not-sent"
      label="Leave out people who were sent"
      value={value}
      options={{ "": "No letter", ...options, ...unknown }}
      problem={problem}
    />
  );
}
