import { blogDeps } from "#app/features/blog/blog-deps.server.ts";
import { readBlogStatus } from "#app/features/blog/status.server.ts";
import { appContext } from "#app/server/context.ts";
import { checkHealth } from "#app/server/health.server.ts";
import * as switches from "#app/switches.ts";
import type { Route } from "./+types/healthcheck";

/**
 * 200 when D1 and KV respond, otherwise 503 naming the one that does not. The blog's status is informational and never
 * causes a 503. Deployments check `version` to see that they are live.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const [report, blog] = await Promise.all([
    checkHealth(app),
    switches.blog ? readBlogStatus(blogDeps(app)) : undefined,
  ]);
  return Response.json(
    { ...report, version: app.version, blog },
    { status: report.ok ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
