import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { parseCspReports } from "#app/server/csp-reports.server.ts";
import { logSampled } from "#app/server/log.ts";
import { apiError } from "#worker/api/api-error.ts";
import { block, requireSameOrigin } from "#worker/middleware/request-guards.ts";
import type { AppBindings } from "#worker/types.ts";

/** The `report-uri` of every page's CSP. */
export const REPORTS_PATH = "/api/policy-reports";

/** Browsers send a few reports of about 1 KB each. */
const MAX_REPORT_BYTES = 16_384;

const TYPES = /^application\/(csp-report|reports\+json)\s*(;|$)/i;

/** `POST /api/policy-reports`: browsers' CSP violation reports. Responds 204 even if no report was valid. */
export const cspReportsRoute = new Hono<AppBindings>().all(
  "/",
  async (c, next) => {
    if (c.req.method === "POST") return next();
    return apiError(c, 405, "method-not-allowed", "Only POST is allowed.", { Allow: "POST" });
  },
  async (c, next) => (TYPES.test(c.req.header("Content-Type") ?? "") ? next() : block(c, "body", notReports)),
  bodyLimit({ maxSize: MAX_REPORT_BYTES, onError: (c: Context<AppBindings>) => block(c, "body", tooLarge) }),
  requireSameOrigin((c) => apiError(c, 403, "forbidden-origin", "Requests from other sites are not allowed.")),
  async (c) => {
    const violations = parseCspReports(parseJson(await c.req.arrayBuffer()));
    for (const violation of violations) logSampled("warn", "csp-violation", { ...violation });
    return c.body(null, 204);
  },
);

function notReports(c: Context) {
  return apiError(c, 415, "not-reports", "The body must be a CSP violation report.");
}

function tooLarge(c: Context) {
  return apiError(c, 413, "too-large", `The body must not exceed ${MAX_REPORT_BYTES} bytes.`);
}

/** Avoids `request.json()`: the runtime warns about text bodies without a text content type. */
function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
