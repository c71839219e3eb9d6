import { llms } from "#app/layout/seo/llms.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import { pages } from "#app/pages.server.ts";
import { appContext } from "#app/server/context.ts";
import type { Route } from "./+types/llms";

export function loader({ context }: Route.LoaderArgs) {
  const { config, now } = context.get(appContext);
  const { SITE_URL: siteUrl, CONTACT_EMAIL: contactEmail, LAUNCH_URL: launchUrl } = config;
  return textResponse(llms({ pages, siteUrl, contactEmail, launchUrl, now: now() }), "text/markdown");
}
