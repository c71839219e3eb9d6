import { Hono } from "hono";
import { newErrorReference } from "#app/server/error-reference.ts";
import { logError } from "#app/server/log.ts";
import { failureMessage } from "#app/waitlist/messages.ts";
import { apiError } from "#worker/api/api-error.ts";
import { cspReportsRoute } from "#worker/api/csp-reports.ts";
import { resendWebhookRoute } from "#worker/api/resend-webhook.ts";
import { sendWelcomeRoute } from "#worker/api/send-welcome.ts";
import { signUpRoute } from "#worker/api/signup.ts";
import type { AppBindings } from "#worker/types.ts";

/** `/api`: JSON in, JSON out, including errors. */
export const api = new Hono<AppBindings>()
  .route("/signup", signUpRoute)
  .route("/send-welcome", sendWelcomeRoute)
  .route("/policy-reports", cspReportsRoute)
  .route("/webhooks/resend", resendWebhookRoute)
  .all("*", (c) => apiError(c, 404, "not-found", "There is no API endpoint at this path."))
  .onError((error, c) => {
    const reference = newErrorReference();
    logError("api-failed", error, { reference, path: c.req.path });
    return apiError(c, 503, "unavailable", failureMessage(reference));
  });
