import { Hono } from "hono";
import { sendEmail } from "#app/email/sender.server.ts";
import { checkFields, checkLimits } from "#app/server/abuse/check-abuse.server.ts";
import { requireQuota } from "#app/server/db/daily-quota.server.ts";
import { apiError } from "#app/server/http/api-error.server.ts";
import { jsonBody } from "#app/server/http/json-body.server.ts";
import { logError } from "#app/server/log.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";
import { toResponse } from "#app/waitlist/sign-up/responses.ts";

/**
 * `POST /api/send-welcome`: called by the browser after a sign-up. Sends after the response, so that neither its content
 * nor its time reveals who is listed.
 */
export const sendWelcomeRoute = new Hono().all("/", ...jsonBody, async (c) => {
  const { app, body } = c.var;
  const input = { ...parseSignUp(body), clientIp: app.clientIp };
  const fields = checkFields(app, "welcome", input);
  if (fields.kind === "honeypot") return c.json({ ok: true });
  const checked = fields.kind === "valid" ? await checkLimits(app, "welcome", input, fields.email) : fields;
  if (checked.kind !== "passed") {
    const { status, code, message, headers } = toResponse(checked);
    return apiError(c, status, code, message, headers);
  }
  await requireQuota(app);
  app.waitUntil(sendEmail(app, { email: checked.email }).catch((error) => logError("welcome-failed", error)));
  return c.json({ ok: true });
});
