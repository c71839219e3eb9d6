import { isbot } from "isbot";
import type { VisitKind } from "#app/server/db/schema/statistics.server.ts";
import { referrerHost } from "#app/waitlist/campaign.ts";
import { visitKey } from "#app/waitlist/visit-counter.server.ts";
import { storableName } from "#app/waitlist/visit-names.server.ts";

/**
 * Whether a request is a person's arrival on the site: a document that a browser opens from elsewhere. Requests without
 * Fetch Metadata do not count. Browsers have sent it over HTTPS since 2023 (Chrome 76, Firefox 90, Safari 16.4), and most
 * programs do not.
 */
export function isVisit({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  if (method !== "GET" || headers.get("Sec-Fetch-Dest") !== "document") return false;
  const site = headers.get("Sec-Fetch-Site");
  if (site === null || site === "same-origin") return false;
  // Prefetched and prerendered pages may never be seen.
  if (headers.has("Sec-Purpose") || headers.has("Purpose")) return false;
  return !isBot(headers.get("User-Agent") ?? "");
}

interface VisitDetails {
  /** The canonical origin. */
  siteUrl: string;
  publicPaths: ReadonlySet<string>;
  /** `YYYY-MM-DD` */
  day: string;
}

type VisitName = [kind: VisitKind, name: string];

/**
 * What a visit to a public page is counted by, as {@link visitKey} writes it; nothing for other addresses. A name that
 * cannot be stored becomes `OTHER`.
 */
export function visitKeys(
  { url, headers }: Pick<Request, "url" | "headers">,
  { siteUrl, publicPaths, day }: VisitDetails,
): readonly string[] {
  if (!url.startsWith(`${siteUrl}/`)) return [];
  const referrer = headers.get("Referer");
  const visit = `${day} ${url} ${referrer}`;
  const found = knownVisits.get(visit);
  if (found !== undefined) return found;
  const question = url.indexOf("?");
  const path = url.slice(siteUrl.length, question === -1 ? undefined : question);
  if (!publicPaths.has(path)) return [];
  const query = question === -1 ? "" : url.slice(question);
  const keys = readNames(path, query, referrer, siteUrl).map(([kind, name]) => visitKey(day, kind, name));
  if (visit.length <= MAX_KNOWN_LENGTH) remember(knownVisits, visit, keys);
  return keys;
}

function readNames(path: string, query: string, referrer: string | null, siteUrl: string): VisitName[] {
  const names: VisitName[] = [["page", path]];
  const search = new URLSearchParams(query);
  add("utm_source", search.get("utm_source"));
  add("utm_campaign", search.get("utm_campaign"));
  if (referrer !== null) add("referrer_host", referrerHost(referrer, siteUrl.slice(siteUrl.indexOf("//") + 2)) ?? null);
  return names;

  function add(kind: VisitKind, received: string | null) {
    const name = received === null ? null : storableName(received);
    if (name !== null) names.push([kind, name]);
  }
}

/** Most visitors share a few links and user agents, and reading one takes longer than all the rest. */
const knownVisits = new Map<string, readonly string[]>();
const knownUserAgents = new Map<string, boolean>();
const MAX_KNOWN = 500;

/** Characters. */
const MAX_KNOWN_LENGTH = 500;

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, value);
}

function isBot(userAgent: string): boolean {
  if (userAgent === "") return true;
  const found = knownUserAgents.get(userAgent);
  if (found !== undefined) return found;
  const bot = isbot(userAgent);
  if (userAgent.length <= MAX_KNOWN_LENGTH) remember(knownUserAgents, userAgent, bot);
  return bot;
}
