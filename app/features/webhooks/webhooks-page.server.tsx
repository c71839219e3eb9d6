import { EndpointForm, type GivenEndpoint, readEndpoint } from "#app/features/webhooks/endpoint-form.server.tsx";
import {
  addEndpoint,
  type EndpointState,
  listEndpoints,
  MAX_COUNT,
  MAX_ENDPOINTS,
} from "#app/features/webhooks/endpoints.server.ts";
import { events } from "#app/features/webhooks/events.ts";
import { Table } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { logInfo } from "#app/server/log.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** @param given a form that was refused */
export async function showWebhooks(c: OwnerContext, given?: GivenEndpoint) {
  const { db, timeZone } = c.var.app;
  const endpoints = await listEndpoints(db);
  if (given !== undefined) c.status(422);
  return c.render(
    <Page title="Webhooks" section="webhooks">
      <Outcome />
      <p className="lead">
        Let another program, such as Zapier, Make or n8n, know when someone joins, leaves or answers. Each event is sent
        within two minutes to a web address (an endpoint) that the program gives you.
      </p>
      <Endpoints endpoints={endpoints} timeZone={timeZone} />
      <Section id="add" title="Add an endpoint">
        {endpoints.length < MAX_ENDPOINTS ? (
          <EndpointForm
            action="/owner/webhooks"
            button="Add the endpoint"
            {...(given ?? { url: "", events, has_personal_data: false })}
          />
        ) : (
          <p>There can be {MAX_ENDPOINTS} endpoints. Delete one to add another.</p>
        )}
      </Section>
    </Page>,
  );
}

export async function addWebhook(c: OwnerContext) {
  const { db, now, config } = c.var.app;
  const given = readEndpoint(c.var.form, config.SITE_URL);
  const id = given.problems === null ? await addEndpoint(db, given, now()) : null;
  if (id === null) return showWebhooks(c, given);
  await c.var.record("add-endpoint", { endpointId: id });
  logInfo("webhook-endpoint-added", { endpointId: id });
  return c.redirect(`/owner/webhooks/${id}?done=endpoint-added`, 303);
}

function Endpoints({ endpoints, timeZone }: { endpoints: EndpointState[]; timeZone: string }) {
  if (endpoints.length === 0) return null;
  return (
    <Section id="endpoints" title="Endpoints">
      <Table
        className="cards"
        labelledBy="endpoints"
        columns={[
          {
            name: "Receiver",
            kind: "words",
            cell: ({ id, url }) => <a href={`/owner/webhooks/${id}`}>{hostOf(url)}</a>,
          },
          { name: "State", cell: (endpoint) => <EndpointStatus {...endpoint} /> },
          {
            name: "Last accepted",
            cell: ({ last_delivered_at: time }) => (time === null ? "–" : formatTime(time, timeZone)),
          },
          { name: "Waiting", kind: "number", cell: ({ waiting }) => cappedCount(waiting) },
          { name: "Failed", kind: "number", cell: ({ failed }) => cappedCount(failed) },
        ]}
        rows={endpoints}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}

export function EndpointStatus({ is_on, off_reason }: Pick<EndpointState, "is_on" | "off_reason">) {
  return <span className="status">{is_on ? "On" : off_reason === "gone" ? "Off: receiver gone" : "Off"}</span>;
}

/** `12`, or `1,000+` */
export function cappedCount(count: number): string {
  return count > MAX_COUNT ? `${formatNumber(MAX_COUNT)}+` : formatNumber(count);
}

const DAY: Millis = 24 * 3_600_000;

/** Endpoints with events that failed for good, those that have accepted nothing for a day, and those whose receiver is gone. */
export async function endpointsInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  const { db, now } = c.var.app;
  return (await listEndpoints(db)).flatMap((endpoint) => {
    const text = needOf(endpoint, now());
    const about = hostOf(endpoint.url);
    return text === null
      ? []
      : [{ text, action: { label: "Open the webhook", about, href: `/owner/webhooks/${endpoint.id}` } }];
  });
}

function needOf({ url, off_reason, is_on, failed, failing_since }: EndpointState, now: EpochMillis): string | null {
  const receiver = hostOf(url);
  if (off_reason === "gone") return `${receiver} wants no more events, so its webhook is off. New events wait.`;
  if (failed > 0) return `${countText(failed)} could not be sent to ${receiver}.`;
  const isDown = is_on && failing_since !== null && failing_since < now - DAY;
  return isDown ? `${receiver} has accepted no event for more than a day.` : null;
}

/** `1 event`, `More than 1,000 events` */
function countText(events: number): string {
  return events > MAX_COUNT ? `More than ${formatNumber(MAX_COUNT)} events` : counted(events, "event", "events");
}

/** The name of a receiver: a whole URL may contain a secret of its own. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
