import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as v from "valibot";
import { armDevice, type DeviceRow, findDevice } from "#app/features/fair/devices.server.ts";
import { receive } from "#app/features/fair/inbox.server.ts";
import {
  ARM_PATH,
  type ArmRequest,
  type FairProblem,
  MAX_RECORDS,
  MAX_SEALED,
  SIGN_UPS_PATH,
  type SignUpsRequest,
} from "#app/features/fair/protocol.ts";
import { countWrongKey, isBlocked } from "#app/server/abuse/blocked-clients.ts";
import { RATE_LIMIT_PERIOD, withinClientLimits, withinLimit } from "#app/server/abuse/rate-limits.server.ts";
import { forgetKey, hasWorked, rememberKey } from "#app/server/abuse/working-keys.ts";
import type { AppContext } from "#app/server/context.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { toFailureMessage } from "#app/server/http/failure.server.ts";
import { acceptJson } from "#app/server/http/json-body.server.ts";
import { MAX_BODY_BYTES } from "#app/server/http/request-guards.ts";
import { logInfo, logSampled } from "#app/server/log.ts";

interface FairBindings {
  /** What the rest of the Worker hands over for each request. */
  Bindings: Env & { app: AppContext };
  Variables: AppBindings["Variables"] & { body: Record<string, unknown> };
}

const base64Url = (length: number) => v.pipe(v.string(), v.maxLength(length), v.regex(/^[A-Za-z0-9_-]+$/));

const armSchema = v.strictObject({
  code: base64Url(128),
  /** 32 bytes. */
  key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/)),
}) satisfies v.GenericSchema<ArmRequest>;

const signUpsSchema = v.strictObject({
  waiting: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  hasEnded: v.boolean(),
  signUps: v.pipe(
    v.array(
      v.strictObject({
        // In lower case, as browsers write it: the same id in capitals would be another one.
        id: v.pipe(v.string(), v.regex(/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)),
        // By a clock that may be wrong.
        at: v.pipe(v.number(), v.safeInteger()),
        consent: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
        sealed: base64Url(MAX_SEALED),
      }),
    ),
    v.maxLength(MAX_RECORDS),
  ),
}) satisfies v.GenericSchema<SignUpsRequest>;

/** A full request takes less: besides what is sealed, a sign-up is some 150 characters. */
const MAX_SIGN_UPS_BYTES = MAX_RECORDS * (MAX_SEALED + 300);

const rejections = {
  notPost: reject(405, "Only POST is allowed.", { Allow: "POST" }),
  notJson: reject(415, "The body must be JSON, with Content-Type: application/json."),
  tooLarge: reject(413, "The request is too large."),
  malformed: reject(400, "The body must be a JSON object."),
  foreignOrigin: reject(403, "Requests from other sites are not allowed."),
};

/** What tablets at fairs send: JSON in, JSON out, including errors. */
export const fairApi = new Hono<FairBindings>().use(async (c, next) => {
  c.set("app", c.env.app);
  c.header("Cache-Control", "no-store");
  await next();
});

fairApi.all(ARM_PATH, ...acceptJson(rejections, MAX_BODY_BYTES), async (c) => {
  const { app, body } = c.var;
  if (!(await withinClientLimits(app.limits, "fair", app.clientIp))) return tooMany(c);
  const parsed = v.safeParse(armSchema, body);
  if (!parsed.success) return malformed(c);
  const armed = await armDevice(app.db, parsed.output, app.now());
  if (armed === null) {
    logSampled("warn", "fair-code-refused");
    return respond(c, 403, "code-invalid", "This code no longer works. Make a new one on the owner’s page.");
  }
  logInfo("fair-device-armed", { deviceId: armed.device });
  return c.json(armed);
});

fairApi.all(SIGN_UPS_PATH, ...acceptJson(rejections, MAX_SIGN_UPS_BYTES), async (c) => {
  const { app, body } = c.var;
  const device = await authorise(c);
  if (device instanceof Response) return device;
  const parsed = v.safeParse(signUpsSchema, body);
  if (!parsed.success) return malformed(c);
  const response = await receive(app.db, device, parsed.output, app.now());
  // Nobody joins after the launch, so tablets close their form.
  if (app.launchUrl !== undefined && response.state === "open") response.state = "launched";
  if (response.stored.length > 0) {
    logSampled("info", "fair-sign-ups-received", { deviceId: device.id, signUps: response.stored.length });
  }
  return c.json(response);
});

fairApi.onError((error, c) => {
  const failure = { event: "fair-failed", path: c.req.path };
  const failureText = (reference: string) =>
    `Something went wrong on the server. Your sign-ups are still on this tablet. (Reference ${reference})`;
  return respond(c, 503, "unavailable", toFailureMessage(error, failure, failureText, Date.now()));
});

/**
 * The device whose key the request has. Requests with a key are counted by key, since all tablets of a fair may share an
 * address, and those with a key that is not valid by client.
 */
async function authorise(c: Context<FairBindings>): Promise<DeviceRow | Response> {
  const { app } = c.var;
  const [, key = ""] = /^Bearer +([A-Za-z0-9_-]{43}) *$/i.exec(c.req.header("Authorization") ?? "") ?? [];
  const keyHash = key === "" ? null : await sha256(key);
  if (keyHash !== null) {
    // Then an invented key costs no look-up.
    if (isBlocked("fair", app.clientIp, app.now()) && !hasWorked(keyHash)) return tooMany(c);
    if (!(await withinLimit(c.env.FAIR_LIMIT, "fair", `device:${keyHash.slice(0, 32)}`))) return tooMany(c);
    const device = await findDevice(app.db, keyHash);
    if (device !== null) {
      rememberKey(keyHash);
      return device;
    }
    forgetKey(keyHash);
  }
  if (!(await countWrongKey(app.limits, "fair", app.clientIp, app.now()))) return tooMany(c);
  logSampled("warn", "fair-key-refused");
  const headers = { "WWW-Authenticate": 'Bearer realm="fair"' };
  return respond(c, 401, "key-invalid", "This tablet is not set up. Scan a QR code from the owner’s page.", headers);
}

function reject(status: number, detail: string, headers?: Record<string, string>) {
  return (c: Context) => respond(c, status, "malformed", detail, headers);
}

function malformed(c: Context): Response {
  return respond(c, 422, "malformed", "A field of the request is not valid.");
}

function tooMany(c: Context): Response {
  const headers = { "Retry-After": String(RATE_LIMIT_PERIOD) };
  return respond(c, 429, "too-many-requests", "Too many requests. Try again in a minute.", headers);
}

function respond(
  c: Context,
  status: number,
  problem: FairProblem["problem"],
  detail: string,
  headers: Record<string, string> = {},
): Response {
  const body: FairProblem = { problem, detail };
  return c.json(body, status as ContentfulStatusCode, { "Cache-Control": "no-store", ...headers });
}
