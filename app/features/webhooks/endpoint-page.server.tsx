import { sendTest } from "#app/features/webhooks/deliver.server.ts";
import { EndpointForm } from "#app/features/webhooks/endpoint-form.server.tsx";
import {
  changeEndpoint,
  type Delivery,
  deleteEndpoint,
  type EndpointState,
  type FailedPlace,
  findEndpoint,
  listFailed,
  listWaiting,
  replaceSecret,
  sendAgain,
  sendOneAgain,
  turnEndpoint,
} from "#app/features/webhooks/endpoints.server.ts";
import { hostOf } from "#app/features/webhooks/endpoints-in-need.server.ts";
import { eventLabelsOf, events } from "#app/features/webhooks/events.ts";
import { FailedEvents, type FailedProps, WaitingEvents } from "#app/features/webhooks/events-view.server.tsx";
import { testBody } from "#app/features/webhooks/payload.server.ts";
import { type GivenEndpoint, isRefused, readEndpoint } from "#app/features/webhooks/read-endpoint.ts";
import { type GivenSince, readSince, wallClock } from "#app/features/webhooks/read-since.ts";
import { reasonText } from "#app/features/webhooks/reason-text.ts";
import { SendAgainForm } from "#app/features/webhooks/send-again-form.server.tsx";
import { ROTATION, secretText } from "#app/features/webhooks/sign.server.ts";
import { cappedCount, EndpointStatus } from "#app/features/webhooks/webhooks-page.server.tsx";
import { Actions, Button, ButtonForm, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { formatTime } from "#app/owner/ui/labels.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";

const PAGE_SIZE = 20;
const DAY = 24 * 3_600_000;

interface Refused {
  given?: GivenEndpoint;
  since?: GivenSince;
  testProblem?: string;
}

export async function showEndpoint(c: OwnerContext, refused: Refused = {}) {
  const { db, now, timeZone, hashKey } = c.var.app;
  const endpoint = await findEndpoint(db, idOf(c));
  if (endpoint === null) return c.notFound();
  const after = readPlace(c.req.query("before"));
  const found = await listFailed(db, endpoint.id, { ...(after && { after }), limit: PAGE_SIZE });
  const waiting = await listWaiting(db, endpoint.id, PAGE_SIZE);
  const secret = await secretText(endpoint, hashKey);
  const again: GivenSince = {
    time: c.req.query("since") ?? wallClock(now() - DAY, timeZone),
    which: c.req.query("which") === "all" ? "all" : "failed",
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
  if (isRefused(given)) return refuse(c, 422, { given });
  const { url, events, has_personal_data } = given;
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
  const outcome = await sendTest(app, endpoint, testBody(event, endpoint, app.now()));
  if (outcome.reason === null) return done(c, endpoint.id, "test-endpoint", "endpoint-tested");
  await c.var.record("test-endpoint", { endpointId: endpoint.id });
  const why = reasonText({ reason: outcome.reason, last_status: outcome.status });
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
  const given = readSince(c.var.form, now(), timeZone);
  const { since, time, which, endedBefore } = given;
  if (since === null) return refuse(c, 422, { since: given });
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

function refuse(c: OwnerContext, status: 422 | 502, refused: Refused) {
  c.status(status);
  return showEndpoint(c, refused);
}

/** Of a link to older failures; undefined without a valid one. */
function readPlace(text = ""): FailedPlace | undefined {
  const [dead_at, id] = text.split("-").map(parseId);
  return dead_at === undefined || id === undefined ? undefined : { dead_at, id };
}

function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}

interface EndpointProps extends FailedProps {
  endpoint: EndpointState;
  waiting: Delivery[];
  secret: string;
  /** What the form for sending again begins with. */
  again: GivenSince;
  /** Milliseconds since 1970. */
  now: number;
  refused: { given?: GivenEndpoint; since?: GivenSince; testProblem?: string };
}

function endpointView(props: EndpointProps) {
  const { endpoint, again, timeZone, refused } = props;
  const { id, off_reason } = endpoint;
  return (
    <Page
      title="Webhook"
      section="webhooks"
      heading={hostOf(endpoint.url)}
      back={{ href: "/owner/webhooks", name: "All webhooks" }}
    >
      <Outcome />
      {off_reason === "gone" ? (
        <Message kind="error">
          The receiver asked for no more events (status 410), so this endpoint was turned off. If that is a mistake, fix
          it in the other program, then turn the endpoint on. Waiting events will be sent then.
        </Message>
      ) : null}
      <State {...props} />
      <WaitingEvents {...props} />
      <FailedEvents {...props} />
      <SendAgainForm
        id={id}
        given={refused.since ?? again}
        isRefused={refused.since !== undefined}
        timeZone={timeZone}
      />
      <Secret {...props} />
      <Section id="change" title="Change">
        <EndpointForm action={`/owner/webhooks/${id}`} button="Save the changes" {...(refused.given ?? endpoint)} />
      </Section>
      <Confirm
        question="Delete this endpoint"
        text="Waiting events will not be sent, and the signing secret is lost for good."
        value="delete"
        label="Delete the endpoint"
        action={`/owner/webhooks/${id}`}
      />
    </Page>
  );
}

function State({ endpoint, timeZone, refused: { testProblem } }: EndpointProps) {
  const { id, url, events, is_on, waiting, failed, last_delivered_at: last, has_personal_data } = endpoint;
  const action = `/owner/webhooks/${id}`;
  return (
    <>
      <Facts
        facts={[
          ["URL", url],
          ["State", <EndpointStatus key="state" {...endpoint} />],
          ["Personal data", has_personal_data ? "Addresses and answers" : "None"],
          ["Last accepted", last === null ? "No event yet" : formatTime(last, timeZone)],
          ["Waiting", cappedCount(waiting)],
          ["Failed", cappedCount(failed)],
        ]}
      />
      <Actions>
        {is_on ? (
          <ButtonForm action={action} value="turn-off" label="Turn off" />
        ) : (
          <ButtonForm action={action} value="turn-on" label="Turn on" />
        )}
      </Actions>
      <form className="form" method="post" action={action}>
        <Field
          name="event"
          label="Test event"
          hint="It looks like a real one, but for “test” and an invented person. Use it to map fields in the other program."
          options={eventLabelsOf(events)}
          problem={testProblem}
        />
        <Actions>
          <Button label="Send a test event" value="test" />
        </Actions>
      </form>
    </>
  );
}

function Secret({ endpoint: { id, rotated_at, secret_number }, secret, now, timeZone }: EndpointProps) {
  const until = rotated_at === null ? 0 : rotated_at + ROTATION;
  return (
    <Section id="secret" title="Signing secret">
      <p>With it, the receiver can tell that an event comes from this site. Give it to no one else.</p>
      <details className="data">
        <summary>Show the secret</summary>
        <p className="panel">
          <code>{secret}</code>
        </p>
      </details>
      {until > now ? <p>{`Until ${formatTime(until, timeZone)}, events are signed with the old secret too.`}</p> : null}
      <Confirm
        question="Replace the secret"
        kind="quiet"
        text="The receiver needs the new one within 24 hours. Until then, events are signed with both."
        value="replace-secret"
        label="Replace the secret"
        hidden={{ number: String(secret_number) }}
        action={`/owner/webhooks/${id}`}
      />
    </Section>
  );
}
