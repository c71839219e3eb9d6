import { isbot } from "isbot";
import type { VisitKind } from "#app/server/db/schema/statistics.server.ts";
import { referrerHost } from "#app/waitlist/campaign.ts";
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

/** What a visit is counted by. A name that cannot be stored becomes `OTHER`. */
export function visitNames(
  request: Pick<Request, "url" | "headers">,
  siteUrl: string,
): [kind: VisitKind, name: string][] {
  const { url } = request;
  const question = url.indexOf("?");
  const path = url.slice(siteUrl.length, question === -1 ? undefined : question);
  const names: [VisitKind, string][] = [["page", path]];
  if (question !== -1) {
    const search = new URLSearchParams(url.slice(question + 1));
    add("utm_source", search.get("utm_source"));
    add("utm_campaign", search.get("utm_campaign"));
  }
  const referrer = request.headers.get("Referer");
  if (referrer !== null) add("referrer_host", referrerHost(referrer, siteUrl.slice(siteUrl.indexOf("//") + 2)) ?? null);
  return names;

  function add(kind: VisitKind, received: string | null) {
    const name = received === null ? null : storableName(received);
    if (name !== null) names.push([kind, name]);
  }
}

/** The library's expression is long, and most visitors share a few user agents. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 500;

function isBot(userAgent: string): boolean {
  if (userAgent === "") return true;
  const found = known.get(userAgent);
  if (found !== undefined) return found;
  const bot = isbot(userAgent);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(userAgent, bot);
  return bot;
}
