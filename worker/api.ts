import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { applyProviderEvent, type ProviderWebhook } from "#app/email/provider-events.server.ts";
import { resendWebhook } from "#app/email/providers/resend/webhook.server.ts";
import { sendEmailLater } from "#app/email/sender.server.ts";
import { checkFields, checkLimits } from "#app/server/abuse/check-abuse.server.ts";
import { requireQuota } from "#app/server/db/daily-quota.server.ts";
import {
  apiError,
  onlyPost,
  respondError,
  respondTooLarge,
  respondUnavailable,
} from "#app/server/http/api-error.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { parseCspReports } from "#app/server/http/csp-reports.server.ts";
import { block, limitBody, requireSameOrigin } from "#app/server/http/guards.server.ts";
import { jsonBody } from "#app/server/http/json-body.server.ts";
import { logSampled } from "#app/server/log.ts";
import {
  answerFailureMessage,
  answerQuestions,
  toAnswerResponse,
} from "#app/waitlist/questions/answer-questions.server.ts";
import { ANSWER_TOKEN_FIELD } from "#app/waitlist/questions/answers.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";
import { toResponse } from "#app/waitlist/sign-up/responses.server.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";
import { signUp } from "#app/waitlist/sign-up/sign-up.server.ts";

/**
 * `POST /api/signup`: the sign-up form's entry point when JavaScript is enabled. `GET /api/signup/wording`: what programs
 * have to show beside a form of their own, cached for as long as a page is.
 */
const signUpRoute = new Hono<AppBindings>()
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

/**
 * `POST /api/send-welcome`: called by the browser after a sign-up. Sends after the response, so that neither its content
 * nor its time reveals who is listed.
 */
const sendWelcomeRoute = new Hono().all("/", ...jsonBody, async (c) => {
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
  sendEmailLater(app, { email: checked.email });
  return c.json({ ok: true });
});

/** `POST /api/answers`: answers the questions after joining, when JavaScript is enabled. */
const answersRoute = new Hono()
  .all("/", ...jsonBody, async (c) => {
    const { app, body } = c.var;
    const given = { token: body[ANSWER_TOKEN_FIELD], answers: body["answers"], clientIp: app.clientIp };
    const { status, code, message, headers } = toAnswerResponse(await answerQuestions(app, given));
    if (code !== "answered") return apiError(c, status, code, message, headers);
    return c.json({ ok: true, message });
  })
  .onError(respondUnavailable(answerFailureMessage));

/** Browsers send a few reports of about 1 KB each. */
const MAX_REPORT_BYTES = 16_384;

const REPORT_TYPES = /^application\/(csp-report|reports\+json)\s*(;|$)/i;

const notReports = respondError(415, "not-reports", "The body must be a CSP violation report.");

/** `POST /api/policy-reports`: browsers' CSP violation reports. Responds 204 even if no report was valid. */
const cspReportsRoute = new Hono<AppBindings>().all(
  "/",
  onlyPost,
  async (c, next) => (REPORT_TYPES.test(c.req.header("Content-Type") ?? "") ? next() : block(c, "body", notReports)),
  limitBody(respondTooLarge(MAX_REPORT_BYTES), MAX_REPORT_BYTES),
  requireSameOrigin(respondError(403, "forbidden-origin", "Requests from other sites are not allowed.")),
  async (c) => {
    const violations = parseCspReports(parseJson(await c.req.arrayBuffer()));
    for (const violation of violations) logSampled("warn", "csp-violation", { ...violation });
    return c.body(null, 204);
  },
);

/** Avoids `request.json()`: the runtime warns about text bodies without a text content type. */
function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** Events are a few KB, most of it the receiving server's response. */
const MAX_EVENT_BYTES = 65_536;

/**
 * `POST /api/webhooks/…`: an email provider reports bounces and complaints. Any 2xx status ends its attempts. Authenticated
 * by signature alone, since a server sends no `Origin`.
 */
function providerWebhook({ secretOf, read }: ProviderWebhook) {
  return new Hono<AppBindings>().all(
    "/",
    async (c, next) => (secretOf(c.var.app.config) === undefined ? notFound(c) : next()),
    onlyPost,
    bodyLimit({ maxSize: MAX_EVENT_BYTES, onError: respondTooLarge(MAX_EVENT_BYTES) }),
    async (c) => {
      const { app } = c.var;
      const received = read(await c.req.text(), c.req.raw.headers, secretOf(app.config) ?? "");
      if (received.kind === "bad-signature") {
        logSampled("warn", "webhook-refused", { reason: "signature" });
        return apiError(c, 401, "bad-signature", "The signature is missing, wrong or older than five minutes.");
      }
      if (received.kind === "malformed") return apiError(c, 400, "malformed-event", "The body is not an event.");
      if (received.event !== null) await applyProviderEvent(app, received.event);
      return c.json({ ok: true });
    },
  );
}

const notFound = respondError(404, "not-found", "There is no API endpoint at this path.");

/** `/api`: JSON in, JSON out, including errors. */
export const api = new Hono<AppBindings>()
  .route("/signup", signUpRoute)
  .route("/send-welcome", sendWelcomeRoute)
  .route("/answers", answersRoute)
  .route("/policy-reports", cspReportsRoute)
  .route("/webhooks/resend", providerWebhook(resendWebhook))
  .all("*", notFound);
