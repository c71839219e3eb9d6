import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";
import { ANSWER_TOKEN_FIELD, answersOfForm, STORED_FIELD, withAnswers } from "#app/waitlist/questions/answers.ts";
import { DefaultButton, QuestionFields } from "#app/waitlist/questions/question-fields.tsx";
import { postForReply } from "#app/waitlist/sign-up/api-client.ts";
import type { AnswerResult } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

interface QuestionsFormProps {
  /** The form's anchor on the page. Without JavaScript the page scrolls there to show the response. */
  id: string;
  source: string;
  questions: readonly Question[];
  token: string;
  answered?: Answers | undefined;
  /** The response to answers given without JavaScript, if any. */
  initial: AnswerResult | undefined;
}

/** Responses of this visit by token, for when the visitor comes back to the page. Only browsers fill these two. */
const results = new Map<string, AnswerResult>();
const underWay = new Map<string, Promise<AnswerResult>>();

export function QuestionsForm(props: QuestionsFormProps): ReactNode {
  const { id, source, questions, token, answered = {}, initial } = props;
  const [result, setResult] = useState(initial ?? results.get(token));
  const [pending, setPending] = useState<Answers>();
  const answers = result?.answers ?? answered;

  useEffect(() => {
    void underWay.get(token)?.then(setResult);
  }, [token]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending !== undefined) return;
    const form = new FormData(event.currentTarget);
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter instanceof HTMLButtonElement && submitter.name !== "") form.append(submitter.name, submitter.value);
    const given = answersOfForm(form);
    const changed = withAnswers(answers, given);
    setPending(changed);
    const replied = postForReply("/api/answers", { [ANSWER_TOKEN_FIELD]: token, answers: given }).then((reply) => {
      const next = { ...reply, answers: reply.ok ? changed : answers };
      results.set(token, next);
      return next;
    });
    underWay.set(token, replied);
    setResult(await replied);
    setPending(undefined);
  }

  return (
    <form id={id} className="questions" method="post" action={`#${id}`} onSubmit={submit}>
      <DefaultButton />
      {result?.code === "invalid-token" ? null : (
        <QuestionFields questions={questions} id={id} answers={pending ?? answers} busy={pending !== undefined} />
      )}
      <input type="hidden" name={STORED_FIELD} value={JSON.stringify(answers)} />
      <input type="hidden" name="source" value={source} />
      <input type="hidden" name={ANSWER_TOKEN_FIELD} value={token} />
      {result === undefined ? null : <p data-status={result.ok ? "success" : "error"}>{result.message}</p>}
    </form>
  );
}
