import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** RFC 9116 allows at most a year; half of one stays true for caches and slow readers. */
const VALID_FOR: Millis = 182 * 24 * 3_600_000;

/** The body of /.well-known/security.txt (https://www.rfc-editor.org/rfc/rfc9116). */
export function securityTxt(siteUrl: string, contactEmail: string, now: EpochMillis): string {
  // An address may contain characters that a URI may not.
  const address = encodeURIComponent(contactEmail).replace("%40", "@");
  return `Contact: mailto:${address}
Expires: ${new Date(now + VALID_FOR).toISOString()}
Preferred-Languages: en
Canonical: ${siteUrl}/.well-known/security.txt
`;
}
