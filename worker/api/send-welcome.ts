import { Hono } from "hono";
import { sendWelcome } from "#app/email/deliver.server.ts";
import { normaliseEmail } from "#app/waitlist/address.ts";
import { messages } from "#app/waitlist/messages.ts";
import { RATE_LIMIT_PERIOD, withinRateLimits } from "#app/waitlist/rate-limits.server.ts";
import { apiError } from "#worker/api/api-error.ts";
import { jsonBody } from "#worker/api/json-body.ts";

/** `POST /api/send-welcome`: the browser's call after a sign-up. The answer never tells who is listed. */
export const sendWelcomeRoute = new Hono().all("/", ...jsonBody, async (c) => {
  const { app, body } = c.var;
  const email = normaliseEmail(body["email"]);
  if (email === null) return apiError(c, 422, "invalid-email", messages["invalid-email"]);
  if (!(await withinRateLimits(app.limits, "welcome", app.client, email))) {
    const wait = { "Retry-After": String(RATE_LIMIT_PERIOD) };
    return apiError(c, 429, "rate-limited", messages["rate-limited"], wait);
  }
  if ((await sendWelcome(app, email)) === "failed") {
    return apiError(c, 502, "mail-failed", "The welcome e-mail could not be sent now; it will be tried again.");
  }
  return c.json({ ok: true });
});
