import { appContext } from "#app/context.ts";
import { blogDeps } from "#app/pages/blog/blog-deps.server.ts";
import { readBlogStatus } from "#app/pages/blog/status.server.ts";
import { checkHealth } from "#app/server/health.server.ts";
import type { Route } from "./+types/healthcheck";

/**
 * 200 when the Worker's stores answer, otherwise 503 and the name of the one that does not. How the blog is doing is
 * told beside it and changes no status: visitors do not miss posts as they miss the page. By the version a deployment
 * knows that it has arrived.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const [report, blog] = await Promise.all([checkHealth(app), readBlogStatus(blogDeps(app))]);
  return Response.json(
    { ...report, version: app.version, blog },
    { status: report.ok ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}
