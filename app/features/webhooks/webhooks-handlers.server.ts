import { addEndpoint, listEndpoints } from "#app/features/webhooks/endpoints.server.ts";
import { type GivenEndpoint, isRefused, readEndpoint } from "#app/features/webhooks/read-endpoint.ts";
import { webhooksView } from "#app/features/webhooks/webhooks-view.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
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
