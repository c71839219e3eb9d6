import { Field } from "#app/owner/ui/field.server.tsx";
import { answerMessages } from "#app/waitlist/questions/answer-questions.server.ts";
import { answerField, MAX_ANSWER_LENGTH, type NewAnswers } from "#app/waitlist/questions/answers.ts";
import { askedQuestions, parseAnswer } from "#app/waitlist/questions/questions.server.ts";

/** Fields for the answers that an owner knows. Values and problems by field. */
export function AnswerFields({ values, problems }: Record<"values" | "problems", Record<string, string>>) {
  return askedQuestions().map((question) => {
    const name = answerField(question);
    const { label, answers } = question;
    return (
      <Field
        key={name}
        name={name}
        value={values[name] ?? ""}
        problem={problems[name]}
        label={`${label} (optional)`}
        {...(answers ? { options: { "": "No answer", ...answers } } : { maxLength: MAX_ANSWER_LENGTH })}
      />
    );
  });
}

/** Checks typed answers as those of people. Null stands for no answer. Problems are sentences by field. */
export function readAnswers(values: Record<string, string>): { answers: NewAnswers; problems: Record<string, string> } {
  const answers: NewAnswers = {};
  const problems: Record<string, string> = {};
  for (const question of askedQuestions()) {
    const name = answerField(question);
    const { answer, problem } = parseAnswer(question, values[name] ?? "");
    if (problem !== undefined) problems[name] = answerMessages[problem];
    else answers[question.key] = answer;
  }
  return { answers, problems };
}
