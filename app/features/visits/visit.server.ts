import { isbot } from "isbot";
import type { VisitKind } from "#app/server/db/schema/statistics.server.ts";
import { fetchSite } from "#app/server/http/request-guards.ts";
import { referrals } from "#app/switches.ts";
import { campaignValue, referrerHost } from "#app/waitlist/entries/campaign.ts";
import { isStorableName, OTHER } from "#app/waitlist/entries/campaign-name.ts";
import { VISIT_BY_LINK } from "#app/waitlist/entries/personal-link.ts";

/**
 * Whether a request is a person's arrival on the site: a document that a browser opens from elsewhere. Requests without
 * Fetch Metadata do not count. Browsers have sent it over HTTPS since 2023 (Chrome 76, Firefox 90, Safari 16.4), and most
 * programs do not.
 */
export function isVisit({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  if (method !== "GET" || headers.get("Sec-Fetch-Dest") !== "document") return false;
  const site = fetchSite(headers);
  if (site === null || site === "same-origin") return false;
  // Prefetched and prerendered pages may never be seen.
  if (headers.has("Sec-Purpose") || headers.has("Purpose")) return false;
  const userAgent = headers.get("User-Agent") ?? "";
  return userAgent !== "" && !remembered(knownUserAgents, userAgent, () => isbot(userAgent));
}

type VisitName = readonly [kind: VisitKind, name: string];

/**
 * What a visit to a public page is counted by; nothing for other addresses. A name that cannot be stored becomes
 * {@link OTHER}.
 */
export function visitNames(
  { url, headers }: Pick<Request, "url" | "headers">,
  { siteUrl, publicPaths }: { siteUrl: string; publicPaths: ReadonlySet<string> },
): readonly VisitName[] {
  if (!url.startsWith(`${siteUrl}/`)) return [];
  const path = url.slice(siteUrl.length).split("?", 1)[0] ?? "";
  if (!publicPaths.has(path)) return [];
  const referrer = headers.get("Referer") ?? "";
  const readNames = () => namesOf(new URL(url), path, referrerHost(referrer, new URL(siteUrl).host));
  // Each personal link is another one, and need not be in memory either.
  return url.includes("via=") ? readNames() : remembered(knownVisits, `${url} ${referrer}`, readNames);
}

function namesOf({ searchParams: search }: URL, path: string, referrer: string | undefined): VisitName[] {
  const source = storableName(search.get("utm_source") ?? "");
  const campaign = storableName(search.get("utm_campaign") ?? "");
  const received = [
    ["utm_source", source],
    ["utm_campaign", campaign],
    ["referrer_host", storableName(referrer ?? "")],
  ] as const;
  const names: VisitName[] = [["page", path]];
  for (const [kind, name] of received) {
    if (name !== null) names.push([kind, name]);
  }
  // No storable name has a `>`.
  if (source !== null && source !== OTHER && campaign !== OTHER)
    names.push(["link", campaign === null ? source : `${source} > ${campaign}`]);
  if (referrals && search.get("via")) names.push(VISIT_BY_LINK);
  return names;
}

/** The name as entries have it, or {@link OTHER}; null if it is empty. */
function storableName(received: string): string | null {
  const name = campaignValue(received);
  return name === null || isStorableName(name) ? name : OTHER;
}

/** Most visitors share a few links and user agents, and reading one takes longer than all the rest. */
const knownVisits = new Map<string, readonly VisitName[]>();
const knownUserAgents = new Map<string, boolean>();
const MAX_KNOWN = 500;

/** Characters. */
const MAX_KNOWN_LENGTH = 500;

function remembered<Value>(known: Map<string, Value>, key: string, compute: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute();
  if (known.size >= MAX_KNOWN) known.clear();
  if (key.length <= MAX_KNOWN_LENGTH) known.set(key, value);
  return value;
}
