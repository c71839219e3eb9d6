import type { ReactNode } from "react";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";
import { answerField, MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";

interface QuestionFieldsProps {
  questions: readonly Question[];
  /** Starts the ids of fields. */
  id: string;
  /** What is stored, or being stored. */
  answers: Answers;
  busy?: boolean;
  after?: (question: Question) => ReactNode;
}

export function QuestionFields({ questions, id, answers, busy = false, after }: QuestionFieldsProps) {
  const props = { busy, after };
  return questions.map((question) => {
    const answer = answers[question.key];
    return question.answers === undefined ? (
      <TextQuestion key={question.key} id={`${id}-${question.key}`} question={question} answer={answer} {...props} />
    ) : (
      <Choices key={question.key} question={question} answer={answer} {...props} />
    );
  });
}

type QuestionProps = Pick<QuestionFieldsProps, "busy" | "after"> & { question: Question; answer: string | undefined };

function Choices({ question, answer, busy, after }: QuestionProps) {
  return (
    <fieldset className="question">
      <legend>{question.wording}</legend>
      <div className="question-choices">
        {Object.entries(question.answers ?? {}).map(([key, words]) => (
          <button
            key={key}
            className={key === answer ? "button" : "button button-quiet"}
            type="submit"
            name={answerField(question)}
            value={key}
            aria-pressed={key === answer}
            aria-disabled={busy || undefined}
          >
            {words}
          </button>
        ))}
      </div>
      {after?.(question)}
    </fieldset>
  );
}

function TextQuestion({ id, question, answer, busy, after }: QuestionProps & { id: string }) {
  return (
    <div className="question">
      <label htmlFor={id}>{question.wording}</label>
      <div className="question-text">
        <input
          id={id}
          className="field"
          type="text"
          name={answerField(question)}
          defaultValue={answer}
          maxLength={MAX_ANSWER_LENGTH}
        />
        <button className="button button-quiet" type="submit" aria-disabled={busy || undefined}>
          Save<span className="visually-hidden">{`: ${question.wording}`}</span>
        </button>
      </div>
      {after?.(question)}
    </div>
  );
}

/** The button that Enter in a text field presses. Without it, Enter would choose the form's first answer. */
export function DefaultButton() {
  return <button className="visually-hidden" type="submit" tabIndex={-1} aria-hidden="true" />;
}
