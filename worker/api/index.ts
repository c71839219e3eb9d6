import { Hono } from "hono";
import { resendWebhook } from "#app/email/providers/resend/webhook.server.ts";
import { apiError } from "#app/server/http/api-error.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { answersRoute } from "#worker/api/answers.ts";
import { cspReportsRoute } from "#worker/api/csp-reports.ts";
import { providerWebhook } from "#worker/api/provider-webhook.ts";
import { sendWelcomeRoute } from "#worker/api/send-welcome.ts";
import { signUpRoute } from "#worker/api/signup.ts";

/** `/api`: JSON in, JSON out, including errors. */
export const api = new Hono<AppBindings>()
  .route("/signup", signUpRoute)
  .route("/send-welcome", sendWelcomeRoute)
  .route("/answers", answersRoute)
  .route("/policy-reports", cspReportsRoute)
  .route("/webhooks/resend", providerWebhook(resendWebhook))
  .all("*", (c) => apiError(c, 404, "not-found", "There is no API endpoint at this path."));
