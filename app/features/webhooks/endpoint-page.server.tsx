import { sendTestEvent } from "#app/features/webhooks/deliver.server.ts";
import { readEndpoint } from "#app/features/webhooks/endpoint-form.server.tsx";
import { attemptText, type EndpointProps, endpointView } from "#app/features/webhooks/endpoint-view.server.tsx";
import {
  changeEndpoint,
  deleteEndpoint,
  type EndpointState,
  type FailedCursor,
  findEndpoint,
  listFailed,
  listWaiting,
  replaceSecret,
  sendAgain,
  sendOneAgain,
  turnEndpoint,
} from "#app/features/webhooks/endpoints.server.ts";
import { events } from "#app/features/webhooks/events.ts";
import { testBody } from "#app/features/webhooks/payload.server.ts";
import { secretText } from "#app/features/webhooks/sign.server.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { formatLocalTime, parseLocalTime } from "#app/server/time/local-time.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

const PAGE_SIZE = 20;
const HOUR: Millis = 3_600_000;

export async function showEndpoint(c: OwnerContext, refused: EndpointProps["refused"] = {}) {
  const { db, now, timeZone, hashKey } = c.var.app;
  const endpoint = await findEndpoint(db, idOf(c));
  if (endpoint === null) return c.notFound();
  const after = readFailedCursor(c.req.query("before"));
  const found = await listFailed(db, endpoint.id, { ...(after && { after }), limit: PAGE_SIZE });
  const waiting = await listWaiting(db, endpoint.id, PAGE_SIZE);
  const secret = await secretText(endpoint, hashKey);
  const again = {
    time: c.req.query("since") ?? formatLocalTime(now() - 24 * HOUR, timeZone),
    which: c.req.query("which") === "all" ? ("all" as const) : ("failed" as const),
    endedBefore: parseId(c.req.query("ended")) ?? now(),
  };
  return c.render(
    endpointView({ endpoint, waiting, ...found, isFirst: !after, secret, again, now: now(), timeZone, refused }),
  );
}

export async function changeEndpointPage(c: OwnerContext) {
  const { db } = c.var.app;
  const endpoint = await findEndpoint(db, idOf(c));
  if (endpoint === null) return c.notFound();
  return runIntent(c, handlers, endpoint);
}

const handlers = {
  save,
  "turn-on": turnOn,
  "turn-off": turnOff,
  "replace-secret": replace,
  test,
  again,
  "again-since": againSince,
  delete: remove,
};

async function save(c: OwnerContext, { id }: EndpointState) {
  const { db, config } = c.var.app;
  const given = readEndpoint(c.var.form, config.SITE_URL);
  const { url, events, has_personal_data, problems } = given;
  if (problems !== null) return refuse(c, 422, { given });
  const isChanged = await changeEndpoint(db, id, { url, events, has_personal_data });
  const details = { personalData: has_personal_data ? "yes" : "no" };
  return done(c, id, "change-endpoint", isChanged && "endpoint-changed", details);
}

async function turnOn(c: OwnerContext, { id }: EndpointState) {
  return done(c, id, "change-endpoint", (await turnEndpoint(c.var.app.db, id, true)) && "endpoint-on");
}

async function turnOff(c: OwnerContext, { id }: EndpointState) {
  return done(c, id, "change-endpoint", (await turnEndpoint(c.var.app.db, id, false)) && "endpoint-off");
}

/** A button that is pressed twice replaces the secret once: receivers know the one before the current only. */
async function replace(c: OwnerContext, { id }: EndpointState) {
  const { db, now } = c.var.app;
  const current = parseId(String(c.var.form.get("number")));
  if (current === undefined) return badRequest(c);
  const isReplaced = await replaceSecret(db, id, current, now());
  return done(c, id, "replace-endpoint-secret", isReplaced && "secret-replaced");
}

async function test(c: OwnerContext, endpoint: EndpointState) {
  const { app } = c.var;
  const event = events.find((known) => known === c.var.form.get("event"));
  if (event === undefined) return badRequest(c);
  const outcome = await sendTestEvent(app, endpoint, testBody(event, endpoint, app.now()));
  if (outcome.reason === null) return done(c, endpoint.id, "test-endpoint", "endpoint-tested");
  await c.var.record("test-endpoint", { endpointId: endpoint.id });
  const why = attemptText({ reason: outcome.reason, last_status: outcome.status ?? null });
  const problem = `The receiver did not accept the test event. ${why}.`;
  return refuse(c, 502, { testProblem: `${problem} Check the URL below and the other program, then try again.` });
}

async function again(c: OwnerContext, { id }: EndpointState) {
  const { db, now } = c.var.app;
  const deliveryId = parseId(String(c.var.form.get("delivery")));
  if (deliveryId === undefined) return badRequest(c);
  const isQueued = await sendOneAgain(db, id, deliveryId, now());
  return done(c, id, "send-events-again", isQueued && "event-again", { events: 1 });
}

async function againSince(c: OwnerContext, { id }: EndpointState) {
  const { db, now, timeZone, plan } = c.var.app;
  const { form } = c.var;
  const time = fieldText(form, "since");
  const which = form.get("which") === "all" ? "all" : "failed";
  const endedBefore = parseId(fieldText(form, "ended")) ?? now();
  const since = earliest(time, timeZone);
  if (since === null) return refuse(c, 422, { again: { time, which, endedBefore } });
  const limit = plan.eventsSentAgainAtOnce;
  const events = await sendAgain(db, id, { since, which, endedBefore, limit, now: now() });
  if (events === 0) return back(c, id, "nothing-again");
  if (events < limit) return done(c, id, "send-events-again", "events-again", { events });
  await c.var.record("send-events-again", { endpointId: id, events });
  const next = new URLSearchParams({ done: "many-again", since: time, which, ended: String(endedBefore) });
  return c.redirect(`/owner/webhooks/${id}?${next}#again`, 303);
}

async function remove(c: OwnerContext, { id }: EndpointState) {
  if (await deleteEndpoint(c.var.app.db, id)) await c.var.record("delete-endpoint", { endpointId: id });
  return c.redirect("/owner/webhooks?done=endpoint-deleted", 303);
}

/** Records a change and goes back to the page; without an outcome nothing was changed. */
async function done(c: OwnerContext, id: number, action: string, outcome: string | false, details = {}) {
  if (outcome !== false) await c.var.record(action, { endpointId: id, ...details });
  return back(c, id, outcome || "unchanged");
}

function back(c: OwnerContext, id: number, outcome: string) {
  return c.redirect(`/owner/webhooks/${id}?done=${outcome}`, 303);
}

function refuse(c: OwnerContext, status: 422 | 502, refused: EndpointProps["refused"]) {
  c.status(status);
  return showEndpoint(c, refused);
}

/** Of a link to older failures; undefined without a valid one. */
function readFailedCursor(text = ""): FailedCursor | undefined {
  const [dead_at, id] = text.split("-").map(parseId);
  return dead_at === undefined || id === undefined ? undefined : { dead_at, id };
}

function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}

/** Of a time that clocks show twice or not at all, the earlier moment: rather one event too many than one too few. */
function earliest(time: string, timeZone: string): EpochMillis | null {
  const local = parseLocalTime(time, timeZone);
  switch (local.kind) {
    case "exact":
      return local.at;
    case "doubled":
      return local.first;
    case "skipped": {
      const at = parseLocalTime(formatLocalTime(Date.parse(`${time}Z`) - HOUR, "UTC"), timeZone);
      return at.kind === "exact" ? at.at : null;
    }
    case "malformed":
      return null;
  }
}
