import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";
import { answerField, answerText } from "#app/waitlist/questions/answers.ts";
import { DefaultButton, QuestionFields } from "#app/waitlist/questions/question-fields.tsx";

/** The `intent` of the form. A button that was pressed answers a question, or removes its answer. */
export const ANSWERS = "answers";

interface OwnAnswersProps {
  questions: readonly Question[];
  answers: Answers;
  /** What the fields show, if it was refused. */
  typed: Answers | undefined;
}

export function OwnAnswers({ questions, answers, typed }: OwnAnswersProps) {
  if (questions.length === 0) return null;
  return (
    <form className="your-entry-answers" method="post">
      <DefaultButton />
      <input type="hidden" name="intent" value={ANSWERS} />
      <QuestionFields
        questions={questions}
        id="own"
        answers={{ ...answers, ...typed }}
        after={(question) => <Stored {...{ question, answers }} />}
      />
    </form>
  );
}

function Stored({ question, answers }: { question: Question; answers: Answers }) {
  const answer = answers[question.key];
  if (answer === undefined) return <p>Not answered yet.</p>;
  return (
    <>
      <p>{`Your answer: ${answerText(question, answer)}.`}</p>
      <p>
        <button className="button button-quiet" name={answerField(question)} value="" type="submit">
          Remove my answer<span className="visually-hidden">{` to: ${question.wording}`}</span>
        </button>
      </p>
    </>
  );
}
