import { Hono } from "hono";
import { answerRole } from "#app/waitlist/answer-role.server.ts";
import { toRoleResponse } from "#app/waitlist/responses.ts";
import { roleFailureMessage } from "#app/waitlist/role-messages.ts";
import { apiError, respondUnavailable } from "#worker/api/api-error.ts";
import { jsonBody } from "#worker/api/json-body.ts";

/** `POST /api/role`: answers the question after joining, when JavaScript is enabled. */
export const roleRoute = new Hono()
  .all("/", ...jsonBody, async (c) => {
    const { app, body } = c.var;
    const outcome = await answerRole(app, { token: body["roleToken"], role: body["role"], clientIp: app.clientIp });
    const { status, code, message, headers } = toRoleResponse(outcome);
    if (code !== "answered") return apiError(c, status, code, message, headers);
    return c.json({ ok: true, message });
  })
  .onError(respondUnavailable(roleFailureMessage));
