import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { CHALLENGE_FIELD } from "#app/gate/challenge-field.ts";
import { answerTo } from "#app/waitlist/answers.ts";
import { pickCampaign } from "#app/waitlist/campaign.ts";
import { HONEYPOT_FIELD } from "#app/waitlist/honeypot.ts";
import { signUp } from "#app/waitlist/sign-up.server.ts";
import { apiError } from "#worker/api/api-error.ts";
import { jsonBody } from "#worker/api/json-body.ts";

/** `POST /api/signup`: the form's door with JavaScript. */
export const signUpRoute = new Hono().all("/", ...jsonBody, async (c) => {
  const { app, body } = c.var;
  const outcome = await signUp(app, {
    email: body["email"],
    source: body["source"],
    campaign: pickCampaign(body),
    honeypot: body[HONEYPOT_FIELD],
    challenge: body[CHALLENGE_FIELD],
    client: app.client,
  });
  const { status, code, message, headers } = answerTo(outcome);
  if (code !== "joined") return apiError(c, status, code, message, headers);
  return c.json({ ok: true, message }, status as ContentfulStatusCode);
});
