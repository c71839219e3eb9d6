import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { parseSignUp } from "#app/waitlist/entry-fields.server.ts";
import { toResponse } from "#app/waitlist/responses.ts";
import { signUp } from "#app/waitlist/sign-up.server.ts";
import { apiError } from "#worker/api/api-error.ts";
import { jsonBody } from "#worker/api/json-body.ts";

/** `POST /api/signup`: the sign-up form's entry point when JavaScript is enabled. */
export const signUpRoute = new Hono().all("/", ...jsonBody, async (c) => {
  const { app, body } = c.var;
  const outcome = await signUp(app, { ...parseSignUp(body), clientIp: app.clientIp });
  const { status, code, message, suggestion, launchUrl, headers, ...ticket } = toResponse(outcome, body["email"]);
  if (code !== "joined") return apiError(c, status, code, message, headers, { suggestion, launchUrl });
  return c.json({ ok: true, message, suggestion, ...ticket }, status as ContentfulStatusCode);
});
