import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { apiError, respondError } from "#app/server/http/api-error.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { jsonBody } from "#app/server/http/json-body.server.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";
import { toResponse } from "#app/waitlist/sign-up/responses.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";
import { signUp } from "#app/waitlist/sign-up/sign-up.server.ts";

/**
 * `POST /api/signup`: the sign-up form's entry point when JavaScript is enabled. `GET /api/signup/wording`: what programs
 * have to show beside a form of their own, cached for as long as a page is.
 */
export const signUpRoute = new Hono<AppBindings>()
  .get("/wording", async (c) => {
    const wording = wordingFor(await readHasFollowUps(c.var.app));
    return c.json({ ok: true, ...wording }, 200, { "Cache-Control": "public, max-age=60" });
  })
  .all("/wording", respondError(405, "method-not-allowed", "Only GET is allowed.", { Allow: "GET, HEAD" }))
  .all("/", ...jsonBody, async (c) => {
    const { app, body } = c.var;
    const outcome = await signUp(app, { ...parseSignUp(body), clientIp: app.clientIp });
    const { status, code, message, suggestion, launchUrl, headers, ...ticket } = toResponse(outcome, body["email"]);
    if (code !== "joined") return apiError(c, status, code, message, headers, { suggestion, launchUrl });
    return c.json({ ok: true, message, suggestion, ...ticket }, status as ContentfulStatusCode);
  });
