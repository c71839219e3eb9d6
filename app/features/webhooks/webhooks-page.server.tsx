import { EndpointForm } from "#app/features/webhooks/endpoint-form.server.tsx";
import {
  addEndpoint,
  type EndpointState,
  listEndpoints,
  MAX_COUNT,
  MAX_ENDPOINTS,
} from "#app/features/webhooks/endpoints.server.ts";
import { hostOf } from "#app/features/webhooks/endpoints-in-need.server.ts";
import { events } from "#app/features/webhooks/events.ts";
import { type GivenEndpoint, isRefused, readEndpoint } from "#app/features/webhooks/read-endpoint.ts";
import { Table } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { logInfo } from "#app/server/log.ts";

export function showWebhooks(c: OwnerContext) {
  return respond(c);
}

export async function addWebhook(c: OwnerContext) {
  const { db, now, config } = c.var.app;
  const given = readEndpoint(c.var.form, config.SITE_URL);
  const id = isRefused(given) ? null : await addEndpoint(db, given, now());
  if (id === null) return respond(c, given);
  await c.var.record("add-endpoint", { endpointId: id });
  logInfo("webhook-endpoint-added", { endpointId: id });
  return c.redirect(`/owner/webhooks/${id}?done=endpoint-added`, 303);
}

/** @param given a form that was refused */
async function respond(c: OwnerContext, given?: GivenEndpoint) {
  const { db, timeZone } = c.var.app;
  if (given !== undefined) c.status(422);
  return c.render(webhooksView({ endpoints: await listEndpoints(db), given, timeZone }));
}

interface WebhooksProps {
  endpoints: EndpointState[];
  given?: GivenEndpoint | undefined;
  timeZone: string;
}

function webhooksView({ endpoints, given, timeZone }: WebhooksProps) {
  return (
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
    </Page>
  );
}

function Endpoints({ endpoints, timeZone }: Pick<WebhooksProps, "endpoints" | "timeZone">) {
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
