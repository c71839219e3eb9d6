import { isDeepStrictEqual } from "node:util";
import { capture, startBarePage, withoutNonces } from "#scripts/bench/controls.ts";
import { compare, LOAD, ratio, SHORT_LOAD } from "#scripts/bench/load.ts";
import type { GroupOptions, Outcome } from "#scripts/bench/outcome.ts";
import { startSite } from "#scripts/bench/workers.ts";

/**
 * Compares the landing page, served from the page cache, with a bare Worker that returns its bytes: without the headers
 * of a browser, as a navigation within the site, which is not counted, and as a visit, which is.
 */
export async function measureLanding({ short }: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "socket" });
  await using bare = await startBarePage(await capture(`${site.url}/`));
  const [cached, uncounted, counted, control] = await compare(
    [
      { ...site, name: "the site" },
      { ...site, name: "the site, navigations within it", nextRequest: navigation("same-origin") },
      { ...site, name: "the site, visits that are counted", nextRequest: navigation("cross-site") },
      { ...bare, name: "bare Worker, same bytes" },
    ],
    short ? SHORT_LOAD : LOAD,
  );
  await requireSameResponse(site.url, bare.url);
  if ((await site.count("page_visits")) === 0) throw new Error("The site counted no visit");
  return {
    values: { cached: ratio(cached, control), counted: ratio(counted, control) },
    comparison: { title: "Landing page", sides: [control, cached, uncounted, counted] },
    tables: [],
  };
}

/** A browser's request for the page with the address of a campaign. The two kinds differ in one header. */
function navigation(site: "same-origin" | "cross-site") {
  const headers = {
    "User-Agent":
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    Referer: "https://www.facebook.com/",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": site,
  };
  return () => ({ method: "GET" as const, path: "/?utm_source=newsletter&utm_campaign=autumn_fair", headers });
}

/** @throws when status, headers or bytes differ beyond nonces, since the ratio would be meaningless */
async function requireSameResponse(site: string, bare: string): Promise<void> {
  const [one, other] = await Promise.all([capture(`${site}/`), capture(`${bare}/`)]);
  if (!isDeepStrictEqual(withoutNonces(one), withoutNonces(other))) {
    throw new Error("The bare Worker's response differs from the site's");
  }
}
