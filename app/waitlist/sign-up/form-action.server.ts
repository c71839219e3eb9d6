import { data } from "react-router";
import type { AppContext } from "#app/server/context.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { toFailureMessage } from "#app/server/http/failure.server.ts";
import { britishDate } from "#app/server/time/british-date.ts";
import * as switches from "#app/switches.ts";
import { campaignFromSearch } from "#app/waitlist/entries/campaign.ts";
import { DEFAULT_SOURCE, formSource } from "#app/waitlist/entries/sources.ts";
import {
  answerFailureMessage,
  answerQuestions,
  toAnswerResponse,
} from "#app/waitlist/questions/answer-questions.server.ts";
import { openAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { ANSWER_TOKEN_FIELD, answersOfForm, STORED_FIELD, withAnswers } from "#app/waitlist/questions/answers.ts";
import { askedQuestions, parseAnswers, typedAnswers } from "#app/waitlist/questions/questions.server.ts";
import { parseSignUp, type SignUpFields } from "#app/waitlist/sign-up/entry-fields.server.ts";
import { failureMessage } from "#app/waitlist/sign-up/messages.ts";
import { toResponse } from "#app/waitlist/sign-up/responses.server.ts";
import { signUp } from "#app/waitlist/sign-up/sign-up.server.ts";
import { SUGGESTED_FIELD } from "#app/waitlist/sign-up/suggest-address.ts";
import type { AnswerResult, TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

export interface FormResult {
  /** Identifies the form on the page. */
  source: string;
  status: "idle" | "success" | "error";
  message: string;
  /** As the visitor typed it, if it is to be corrected. */
  email?: string;
  /** What else was typed, if the address is to be corrected. */
  columns?: SignUpFields["columns"];
  ticket?: TicketData;
  suggestion?: string | undefined;
}

/**
 * Handles the form's own POST, which works without JavaScript.
 *
 * @param url the page's URL, with the campaign parameters
 * @returns the action's data, and the id of the email that the route sends now, if any
 */
export async function handleSignUpForm(context: AppContext, form: FormData, url: URL) {
  const email = text(form.get(SUGGESTED_FIELD) ?? form.getAll("email").at(-1) ?? null) ?? "";
  form.set("email", email);
  const fields = parseSignUp({ ...campaignFromSearch(url.searchParams), ...Object.fromEntries(form) });
  const source = formSource(text(form.get("source")) ?? DEFAULT_SOURCE);
  const typed = { email, columns: fields.columns };
  try {
    const outcome = await signUp(context, { ...fields, clientIp: context.clientIp });
    const { status, message, headers, suggestion, ...rest } = toResponse(outcome, email);
    const isJoined = outcome.kind === "joined";
    const { answerToken, questions, joinedOn, mustConfirm, via, note } = rest;
    const ticket = { answerToken, questions, joinedOn, mustConfirm, via, suggestion, note };
    const result: FormResult = isJoined
      ? { source, status: "success", message, ticket }
      : { source, status: "error", message, suggestion, ...typed };
    return { response: data(result, { status, headers }), emailId: isJoined ? outcome.emailId : null };
  } catch (error) {
    const failure = { event: "sign-up-failed", entryPoint: "form" };
    const message = toFailureMessage(error, failure, failureMessage, context.now());
    const result: FormResult = { source, ...typed, status: "error", message };
    return { response: data(result, { status: 503 }), emailId: null };
  }
}

/** Handles the POST of the questions after joining, which works without JavaScript. */
export async function handleAnswersForm(context: AppContext, form: FormData) {
  const source = formSource(text(form.get("source")) ?? DEFAULT_SOURCE);
  const answerToken = text(form.get(ANSWER_TOKEN_FIELD)) ?? undefined;
  const given = answersOfForm(form);
  const stored = storedAnswers(form);
  // The token was made at the sign-up, with its time and the code of the personal link.
  const opened = await openAnswerToken(answerToken ?? "", context);
  const signedUp = opened && {
    joinedOn: britishDate(opened.issuedAt).text,
    via: switches.referrals ? opened.code : undefined,
    mustConfirm: context.mustConfirm || undefined,
  };
  const show = (answers: AnswerResult, init: ResponseInit) => {
    const ticket = { answerToken, questions: askedQuestions(), answers, ...signedUp };
    return data<FormResult>({ source, status: "idle", message: "", ticket }, init);
  };
  try {
    const outcome = await answerQuestions(context, { token: answerToken, answers: given, clientIp: context.clientIp });
    const { status, code, message, headers } = toAnswerResponse(outcome);
    const isAnswered = outcome.kind === "answered";
    const answers = withAnswers(stored, isAnswered ? outcome.answers : typedAnswers(given));
    return show({ ok: isAnswered, answers, code, message }, { status, headers });
  } catch (error) {
    const failure = { event: "answers-failed", entryPoint: "form" };
    const message = toFailureMessage(error, failure, answerFailureMessage, context.now());
    return show({ ok: false, answers: withAnswers(stored, typedAnswers(given)), message }, { status: 503 });
  }
}

/** What the form says is stored. It is only shown, to the one who sent it. */
function storedAnswers(form: FormData): Answers {
  try {
    const { answers = {} } = parseAnswers(JSON.parse(text(form.get(STORED_FIELD)) ?? "{}"));
    return withAnswers({}, answers);
  } catch {
    return {};
  }
}

function text(value: FormDataEntryValue | null): string | null {
  return typeof value === "string" ? value : null;
}
