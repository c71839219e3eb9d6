import { appContext } from "#app/context.ts";
import { sitemap } from "#app/layout/seo/sitemap.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import type { Route } from "./+types/sitemap";

export function loader({ context }: Route.LoaderArgs) {
  return textResponse(sitemap(context.get(appContext).config.SITE_URL), "application/xml");
}
