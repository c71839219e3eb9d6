import { Hono } from "hono";
import { apiError, respondUnavailable } from "#app/server/http/api-error.server.ts";
import { jsonBody } from "#app/server/http/json-body.server.ts";
import {
  answerFailureMessage,
  answerQuestions,
  toAnswerResponse,
} from "#app/waitlist/questions/answer-questions.server.ts";
import { ANSWER_TOKEN_FIELD } from "#app/waitlist/questions/answers.ts";

/** `POST /api/answers`: answers the questions after joining, when JavaScript is enabled. */
export const answersRoute = new Hono()
  .all("/", ...jsonBody, async (c) => {
    const { app, body } = c.var;
    const given = { token: body[ANSWER_TOKEN_FIELD], answers: body["answers"], clientIp: app.clientIp };
    const { status, code, message, headers } = toAnswerResponse(await answerQuestions(app, given));
    if (code !== "answered") return apiError(c, status, code, message, headers);
    return c.json({ ok: true, message });
  })
  .onError(respondUnavailable(answerFailureMessage));
