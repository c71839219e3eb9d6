import { appContext } from "#app/context.ts";
import { checkHealth } from "#app/health/check-health.server.ts";
import type { Route } from "./+types/healthcheck";

/** 200 when the Worker's stores answer, otherwise 503 and the name of the one that does not. */
export async function loader({ context }: Route.LoaderArgs) {
  const report = await checkHealth(context.get(appContext));
  return Response.json(report, { status: report.ok ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
