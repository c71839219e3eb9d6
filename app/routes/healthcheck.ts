import { appContext } from "#app/server/context.ts";
import { checkHealth } from "#app/server/health.server.ts";
import type { Route } from "./+types/healthcheck";

/**
 * 200 when D1 and KV respond, otherwise 503 naming the one that does not. What features say is informational and never
 * causes a 503. Deployments check `version` to see that they are live.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const names = Object.keys(app.health);
  const [report, ...said] = await Promise.all([checkHealth(app), ...names.map((name) => app.health[name]?.(app))]);
  const ofFeatures = Object.fromEntries(names.map((name, index) => [name, said[index]]));
  return Response.json(
    { ...report, version: app.version, ...ofFeatures },
    { status: report.ok ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
