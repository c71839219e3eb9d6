import { Hono } from "hono";
import { sendWelcome } from "#app/email/deliver.server.ts";
import { CHALLENGE_FIELD } from "#app/gate/challenge-field.ts";
import { passGate } from "#app/gate/gate.server.ts";
import { answerTo } from "#app/waitlist/answers.ts";
import { HONEYPOT_FIELD } from "#app/waitlist/honeypot.ts";
import { apiError } from "#worker/api/api-error.ts";
import { jsonBody } from "#worker/api/json-body.ts";

/** `POST /api/send-welcome`: the browser's call after a sign-up. The answer never tells who is listed. */
export const sendWelcomeRoute = new Hono().all("/", ...jsonBody, async (c) => {
  const { app, body } = c.var;
  const gate = await passGate(app, "welcome", {
    email: body["email"],
    honeypot: body[HONEYPOT_FIELD],
    challenge: body[CHALLENGE_FIELD],
    client: app.client,
  });
  if (gate.kind === "decoy") return c.json({ ok: true });
  if (gate.kind !== "passed") {
    const { status, code, message, headers } = answerTo(gate);
    return apiError(c, status, code, message, headers);
  }
  if ((await sendWelcome(app, gate.email)) === "failed") {
    return apiError(c, 502, "mail-failed", "The welcome e-mail could not be sent now; it will be tried again.");
  }
  return c.json({ ok: true });
});
