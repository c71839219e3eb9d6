import { appContext } from "#app/context.ts";
import { robots } from "#app/layout/seo/robots.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import type { Route } from "./+types/robots";

export function loader({ context }: Route.LoaderArgs) {
  return textResponse(robots(context.get(appContext).config.SITE_URL), "text/plain");
}
