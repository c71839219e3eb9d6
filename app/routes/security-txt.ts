import { textResponse } from "#app/layout/seo/text-response.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { appContext } from "#app/server/context.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import type { Route } from "./+types/security-txt";

/** RFC 9116 allows at most a year; half of one stays true for caches and slow readers. */
const VALID_FOR: Millis = 182 * 24 * 3_600_000;

export function loader({ context }: Route.LoaderArgs) {
  const { config, now } = context.get(appContext);
  return textResponse(securityTxt(config, now()), "text/plain", "set");
}

/** The body of /.well-known/security.txt (https://www.rfc-editor.org/rfc/rfc9116). */
function securityTxt({ SITE_URL, CONTACT_EMAIL }: Config, now: EpochMillis): string {
  // An address may contain characters that a URI may not.
  const address = encodeURIComponent(CONTACT_EMAIL).replace("%40", "@");
  return `Contact: mailto:${address}
Expires: ${new Date(now + VALID_FOR).toISOString()}
Preferred-Languages: en
Canonical: ${SITE_URL}/.well-known/security.txt
`;
}
