import type { SettingChange } from "#app/features/settings/announce.server.ts";
import {
  askedAmong,
  changeQuestions,
  FIRST_NAME,
  type FieldProblems,
  MAX_LENGTH,
  questionFields,
  readQuestions,
  type TypedQuestion,
  type TypedQuestions,
  typedAs,
} from "#app/features/settings/questions/change-questions.server.ts";
import { greetingUses } from "#app/features/settings/questions/greeting-uses.server.ts";
import { saveSettings } from "#app/features/settings/save-settings.server.ts";
import { readRow, SETTINGS_PATH, type SettingsRow } from "#app/features/settings/settings.server.ts";
import { Actions, Button, ButtonLink, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Field, FieldGroup } from "#app/owner/ui/field.server.tsx";
import { counted } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Problems } from "#app/owner/ui/page.server.tsx";
import { ConflictView, VersionInputs, VersionsLink } from "#app/owner/versions/version-views.server.tsx";
import { type Conflict, findConflict, shownVersion } from "#app/owner/versions/versions.server.ts";
import { MAX_QUESTIONS } from "#app/server/config/question-rules.ts";
import { storedQuestions } from "#app/server/config/settings.server.ts";
import { everyQuestion, formerQuestions, type StoredQuestion } from "#app/server/config/stored-questions.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { type Question, questions as questionsOfCode } from "#app/site.ts";

const PATH = `${SETTINGS_PATH}/questions`;

export function showQuestions(c: OwnerContext) {
  return respond(c);
}

/** Every button saves all that was typed. */
export async function saveQuestions(c: OwnerContext): Promise<Response> {
  const { form } = c.var;
  const row = await readRow(c.var.app.db);
  const before = storedQuestions(row.stored);
  const intent = fieldText(form, "intent");
  if (intent === "code") return backToCode(c, row, before);
  const typed = readQuestions(form, before);
  const { every, problems } = changeQuestions(before, typed, intent);
  if (Object.keys(problems).length > 0) return respond(c, { typed, problems });
  const text = { path: PATH, present: questionFields(before), typed: questionFields(every) };
  const conflict = await findConflict(c, text);
  if (conflict !== null) return respond(c, { typed, conflict });
  if (JSON.stringify(every) === JSON.stringify(before)) return c.redirect(`${PATH}?done=unchanged`, 303);
  const isSaved = await saveSettings(c, row, {
    ...text,
    values: { QUESTIONS: isOfCode(every) ? null : JSON.stringify(every), FORMER_QUESTIONS: null },
    changes: changesOf(before, every),
  });
  // Otherwise another form was saved at the same moment.
  if (!isSaved) return saveQuestions(c);
  const moved = /^(up|down):(\w+)$/.exec(intent)?.[2];
  return c.redirect(`${PATH}?done=settings-saved${moved === undefined ? "" : `#question-${moved}`}`, 303);
}

/** The questions of the code hold again, also when they change. */
async function backToCode(c: OwnerContext, row: SettingsRow, before: StoredQuestion[]): Promise<Response> {
  if (row.stored["QUESTIONS"] === undefined) return c.redirect(`${PATH}?done=unchanged`, 303);
  const former = formerQuestions(questionsOfCode, before);
  const every = everyQuestion(questionsOfCode, undefined, former);
  const isSaved = await saveSettings(c, row, {
    path: PATH,
    present: questionFields(before),
    typed: questionFields(every),
    values: { QUESTIONS: null, FORMER_QUESTIONS: former.length === 0 ? null : JSON.stringify(former) },
    changes: changesOf(before, every),
  });
  return isSaved ? c.redirect(`${PATH}?done=settings-saved`, 303) : saveQuestions(c);
}

function isOfCode(every: readonly StoredQuestion[]): boolean {
  return JSON.stringify(every) === JSON.stringify(everyQuestion(questionsOfCode, undefined));
}

function changesOf(before: readonly StoredQuestion[], after: readonly StoredQuestion[]): SettingChange[] {
  const [asked, askedThen] = [askedAmong(before), askedAmong(after)];
  const inWords = (list: readonly StoredQuestion[], key: string) => {
    const question = list.find((one) => one.key === key);
    return question === undefined ? "Not asked" : questionInWords(question);
  };
  const all = new Map([...asked, ...askedThen].map(({ key, label }) => [key, label]));
  const changes = Array.from(all, ([key, label]): SettingChange => {
    return { name: "QUESTIONS", label: `Question “${label}”`, from: inWords(asked, key), to: inWords(askedThen, key) };
  });
  const order = (list: readonly StoredQuestion[], others: readonly StoredQuestion[]) =>
    list.filter(({ key }) => others.some((other) => other.key === key)).map(({ key }) => all.get(key) ?? key);
  const [from, to] = [order(asked, askedThen).join(", "), order(askedThen, asked).join(", ")];
  return [...changes, { name: "QUESTIONS" as const, label: "Order of questions", from, to }].filter(
    (change) => change.from !== change.to,
  );
}

function questionInWords(question: Question): string {
  return `${question.label}: ${wordingWithAnswers(question)}`;
}

/** `Which town are you in? (York, Leeds)` */
export function wordingWithAnswers({ wording, answers }: Question): string {
  const words = Object.values(answers ?? {});
  return `${wording}${words.length === 0 ? "" : ` (${words.join(", ")})`}`;
}

interface Rejected {
  typed: TypedQuestions;
  problems?: FieldProblems;
  conflict?: Conflict;
}

async function respond(c: OwnerContext, rejected?: Rejected) {
  const { db, timeZone } = c.var.app;
  const { conflict, problems = {} } = rejected ?? {};
  const row = await readRow(db);
  const every = storedQuestions(row.stored);
  const { questions, added } = rejected?.typed ?? typedAs(every);
  const keys = questions.map(({ key }) => key);
  const uses = await greetingUses(db, keys);
  const gone = every.filter(({ key }) => !keys.includes(key));
  const isFull = questions.length >= MAX_QUESTIONS;
  if (rejected !== undefined) c.status(conflict === undefined ? 422 : 409);
  return c.render(
    <Page title="Questions" section="settings" back={{ href: SETTINGS_PATH, name: "All settings" }}>
      <Outcome />
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={timeZone} />}
      <Problems problems={[problems[""]].filter((problem) => problem !== undefined)} />
      <p className="lead">
        What people are asked after they have joined, and on the page of their entry: up to five questions.
      </p>
      <form className="form narrow" method="post" action={PATH}>
        <DefaultButton />
        <VersionInputs {...(await shownVersion(c, questionFields(every), conflict))} />
        {questions.map((question, index) => (
          <QuestionGroup
            key={question.key}
            question={question}
            place={index + 1}
            isLast={index === questions.length - 1}
            texts={uses.get(question.key) ?? 0}
            problems={problems}
          />
        ))}
        {isFull ? (
          <p className="hint">There are five questions, which is the most. Stop asking one to add another.</p>
        ) : (
          <AddGroup added={added} problems={problems} asksName={keys.includes(FIRST_NAME.key)} />
        )}
        <Gone questions={gone} isFull={isFull} />
        <Actions>
          <Button label="Save" value="save" />
          <ButtonLink label="Cancel" kind="quiet" href={SETTINGS_PATH} />
        </Actions>
      </form>
      <VersionsLink path={PATH} />
      {row.stored["QUESTIONS"] === undefined ? null : (
        <Confirm
          question="Back to the questions of the code"
          text="The questions of app/site.ts are asked again. All others stop, and their answers are kept."
          label="Ask the questions of the code"
          kind="main"
          action={PATH}
          value="code"
        />
      )}
    </Page>,
  );
}

/** The button that Enter presses. Without it, Enter would move the first question. */
function DefaultButton() {
  return (
    <button className="visually-hidden" type="submit" name="intent" value="save" tabIndex={-1} aria-hidden="true">
      Save
    </button>
  );
}

interface QuestionGroupProps {
  question: TypedQuestion;
  /** From 1. */
  place: number;
  isLast: boolean;
  /** How many texts greet by its answer. */
  texts: number;
  problems: FieldProblems;
}

function QuestionGroup({ question, place, isLast, texts, problems }: QuestionGroupProps) {
  const { key, label, wording, answers, more } = question;
  const field = (name: string) => ({
    name: `${key}.${name}`,
    id: `${key}-${name.replace(".", "-")}`,
    problem: problems[`${key}.${name}`],
  });
  const uses = texts === 0 ? undefined : `${key}-uses`;
  return (
    <div id={`question-${key}`} className="panel question-group">
      <FieldGroup legend={`${place}. ${label || wording}`}>
        <Field {...field("wording")} label="What people read" value={wording} maxLength={MAX_LENGTH.wording} />
        <Field {...field("label")} label="Its name on your pages" value={label} maxLength={MAX_LENGTH.label} />
        {answers === null ? (
          <p className="hint">People type their own answer.</p>
        ) : (
          <>
            <div className="fields">
              {answers.map(([answer, words], index) => (
                <Field
                  key={answer}
                  {...field(`answer.${answer}`)}
                  label={`Answer ${index + 1}`}
                  value={words}
                  maxLength={MAX_LENGTH.answer}
                />
              ))}
              <Field {...field("more")} label="New answer" value={more} maxLength={MAX_LENGTH.answer} />
            </div>
            <p className="hint">To stop offering an answer, clear its field. People who gave it keep it.</p>
          </>
        )}
        {uses === undefined ? null : (
          <p className="hint" id={uses}>
            {`${counted(texts, "text greets", "texts greet")} people with the answer. Once you stop asking, ${texts === 1 ? "it greets" : "they greet"} everyone with the words after the | sign.`}
          </p>
        )}
        <Actions>
          {place === 1 ? null : <Button label="Move up" kind="quiet" value={`up:${key}`} />}
          {isLast ? null : <Button label="Move down" kind="quiet" value={`down:${key}`} />}
          <Button label="Stop asking" kind="quiet" value={`retire:${key}`} describedBy={uses} />
        </Actions>
      </FieldGroup>
    </div>
  );
}

interface AddGroupProps {
  added: TypedQuestions["added"];
  problems: FieldProblems;
  asksName: boolean;
}

function AddGroup({ added, problems, asksName }: AddGroupProps) {
  return (
    <FieldGroup legend="One more question">
      {asksName ? null : (
        <Actions>
          <Button label="Ask for a first name" kind="quiet" value="first-name" />
        </Actions>
      )}
      <Field
        name="add-wording"
        label="What people read"
        placeholder="Your town?"
        value={added.wording}
        maxLength={MAX_LENGTH.wording}
        problem={problems["add-wording"]}
      />
      <Field
        name="add-label"
        label="Its name on your pages"
        placeholder="Town"
        value={added.label}
        maxLength={MAX_LENGTH.label}
        problem={problems["add-label"]}
      />
      <Field
        name="add-answers"
        label="Answers to choose from (optional)"
        hint="One on each line. Without any, people type their own answer."
        rows={3}
        value={added.answers}
        problem={problems["add-answers"]}
      />
      <Actions>
        <Button label="Add" kind="quiet" value="save" />
      </Actions>
    </FieldGroup>
  );
}

function Gone({ questions, isFull }: { questions: readonly StoredQuestion[]; isFull: boolean }) {
  if (questions.length === 0) return null;
  return (
    <FieldGroup legend="No longer asked" hint="Their answers are kept, and come in from forms that still ask.">
      <ul className="bare-list retired-questions">
        {questions.map((question) => (
          <li key={question.key} className="row spread">
            <span id={`gone-${question.key}`}>{questionInWords(question)}</span>
            {isFull ? null : (
              <Button
                label="Ask again"
                kind="quiet"
                value={`back:${question.key}`}
                describedBy={`gone-${question.key}`}
              />
            )}
          </li>
        ))}
      </ul>
    </FieldGroup>
  );
}
