import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { parseCspReports } from "#app/server/csp-reports.server.ts";
import { apiError } from "#worker/api/api-error.ts";
import { block, requireSameOrigin } from "#worker/middleware/request-guards.ts";
import type { AppBindings } from "#worker/types.ts";

/** Named in the content policy of every page. */
export const REPORTS_PATH = "/api/policy-reports";

/** Bytes; browsers send a few reports of about 1 KB each. */
const MAX_REPORTS = 16_384;

const TYPES = /^application\/(csp-report|reports\+json)\s*(;|$)/i;

/** `POST /api/policy-reports`: what browsers refused, told by themselves. Answered alike, whatever came of it. */
export const cspReportsRoute = new Hono<AppBindings>().all(
  "/",
  async (c, next) => {
    if (c.req.method === "POST") return next();
    return apiError(c, 405, "method-not-allowed", "Only POST is answered here.", { Allow: "POST" });
  },
  async (c, next) => (TYPES.test(c.req.header("Content-Type") ?? "") ? next() : block(c, "body", notReports)),
  bodyLimit({ maxSize: MAX_REPORTS, onError: (c: Context<AppBindings>) => block(c, "body", tooLarge) }),
  requireSameOrigin((c) => apiError(c, 403, "forbidden-origin", "Requests from other sites are not answered here.")),
  async (c) => {
    const { violations, now } = c.var.app;
    violations.note(parseCspReports(parse(await c.req.arrayBuffer())), now());
    return c.body(null, 204);
  },
);

function notReports(c: Context) {
  return apiError(c, 415, "not-reports", "The body must be a violation report.");
}

function tooLarge(c: Context) {
  return apiError(c, 413, "too-large", `The body may hold ${MAX_REPORTS} bytes at most.`);
}

/** Not by the request's own methods: the runtime warns of text whose type does not say that it is. */
function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
