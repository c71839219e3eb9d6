import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";
import { ANSWER_TOKEN_FIELD, answersOfForm, STORED_FIELD, withAnswers } from "#app/waitlist/questions/answers.ts";
import { DefaultButton, QuestionFields } from "#app/waitlist/questions/question-fields.tsx";
import { postForReply } from "#app/waitlist/sign-up/api-client.ts";
import type { AnswerResult } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

interface QuestionsFormProps {
  id: string;
  /** The id of what the page shows in response to a post without JavaScript. */
  anchor: string;
  source: string | undefined;
  questions: readonly Question[];
  token: string;
  given: GivenAnswers;
}

/** Has the place of the response to an answer, which then moves nothing. */
const HINT = "Optional. You can change it any time through the link in our emails.";

export function QuestionsForm({ id, anchor, source, questions, token, given }: QuestionsFormProps): ReactNode {
  const { answers, stored, result, busy, submit } = given;
  return (
    <form id={id} className="questions" method="post" action={`#${anchor}`} onSubmit={submit}>
      <DefaultButton />
      {result?.code === "invalid-token" ? null : (
        <QuestionFields questions={questions} id={id} answers={answers} busy={busy} />
      )}
      <input type="hidden" name={STORED_FIELD} value={JSON.stringify(stored)} />
      <input type="hidden" name="source" value={source} />
      <input type="hidden" name={ANSWER_TOKEN_FIELD} value={token} />
      <div role="status" data-room={HINT}>
        {result === undefined ? (
          <p className="questions-hint">{HINT}</p>
        ) : (
          <p data-status={result.ok ? "success" : "error"}>{result.message}</p>
        )}
      </div>
    </form>
  );
}

/** Responses of this visit by token, for when the visitor comes back to the page. Only browsers fill these two. */
const results = new Map<string, AnswerResult>();
const underWay = new Map<string, Promise<AnswerResult>>();

export type GivenAnswers = ReturnType<typeof useAnswers>;

/**
 * The answers that belong to a token, and how to give others.
 *
 * @param answered what is stored already
 * @param initial the response to answers given without JavaScript, if any
 */
export function useAnswers(token = "", answered: Answers = {}, initial?: AnswerResult) {
  const [result, setResult] = useState(initial ?? results.get(token));
  const [pending, setPending] = useState<Answers>();
  const stored = result?.answers ?? answered;

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
    const changed = withAnswers(stored, given);
    setPending(changed);
    const replied = postForReply("/api/answers", { [ANSWER_TOKEN_FIELD]: token, answers: given }).then((reply) => {
      const next = { ...reply, answers: reply.ok ? changed : stored };
      results.set(token, next);
      return next;
    });
    underWay.set(token, replied);
    setResult(await replied);
    setPending(undefined);
  }

  /** `answers`: with one that is on its way. */
  return { answers: pending ?? stored, stored, result, busy: pending !== undefined, submit };
}
