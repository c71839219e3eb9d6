import { robots } from "#app/layout/seo/robots.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import { appContext } from "#app/server/context.ts";
import type { Route } from "./+types/robots";

export function loader({ context }: Route.LoaderArgs) {
  return textResponse(robots(context.get(appContext).config.SITE_URL), "text/plain");
}
