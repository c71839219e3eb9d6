import { securityTxt } from "#app/layout/seo/security-txt.ts";
import { textResponse } from "#app/layout/seo/text-response.ts";
import { appContext } from "#app/server/context.ts";
import type { Route } from "./+types/security-txt";

export function loader({ context }: Route.LoaderArgs) {
  const { config, now } = context.get(appContext);
  return textResponse(securityTxt(config.SITE_URL, config.CONTACT_EMAIL, now()), "text/plain");
}
