import { Hono } from "hono";
import { onlyPost, respondError, respondTooLarge } from "#app/server/http/api-error.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { parseCspReports } from "#app/server/http/csp-reports.server.ts";
import { block, limitBody, requireSameOrigin } from "#app/server/http/guards.server.ts";
import { logSampled } from "#app/server/log.ts";

/** The `report-uri` of every page's CSP. */
export const REPORTS_PATH = "/api/policy-reports";

/** Browsers send a few reports of about 1 KB each. */
const MAX_REPORT_BYTES = 16_384;

const TYPES = /^application\/(csp-report|reports\+json)\s*(;|$)/i;

/** `POST /api/policy-reports`: browsers' CSP violation reports. Responds 204 even if no report was valid. */
export const cspReportsRoute = new Hono<AppBindings>().all(
  "/",
  onlyPost,
  async (c, next) => (TYPES.test(c.req.header("Content-Type") ?? "") ? next() : block(c, "body", notReports)),
  limitBody(respondTooLarge(MAX_REPORT_BYTES), MAX_REPORT_BYTES),
  requireSameOrigin(respondError(403, "forbidden-origin", "Requests from other sites are not allowed.")),
  async (c) => {
    const violations = parseCspReports(parseJson(await c.req.arrayBuffer()));
    for (const violation of violations) logSampled("warn", "csp-violation", { ...violation });
    return c.body(null, 204);
  },
);

const notReports = respondError(415, "not-reports", "The body must be a CSP violation report.");

/** Avoids `request.json()`: the runtime warns about text bodies without a text content type. */
function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
