import { capture, startBarePage } from "#scripts/bench/controls.ts";
import { compare, comparisonTable, ratio } from "#scripts/bench/load.ts";
import { atLeast, type BenchOptions, type Outcome } from "#scripts/bench/measurement.ts";
import { startWorker } from "#scripts/bench/workers.ts";

/** Compares visits of the landing page, which is served from the page cache, with a bare Worker that returns its bytes. */
export async function measure({ rounds }: BenchOptions): Promise<Outcome> {
  await using site = await startWorker();
  await using bare = await startBarePage(await capture(`${site.url}/`));
  const [visits, control] = await compare(
    { ...site, name: "the site, visits that are counted", nextRequest: visit },
    { ...bare, name: "bare Worker, same bytes" },
    rounds,
  );
  if ((await site.count("page_visits")) === 0) throw new Error("The site counted no visit");
  return {
    figures: [
      atLeast("landing page, counted visits/s relative to a bare Worker", ratio(visits, control), 0.8, "ratio"),
    ],
    tables: [comparisonTable("Landing page", visits, control)],
  };
}

/** A browser's request for the page from another site, with the address of a campaign. */
export function visit() {
  const headers = {
    "User-Agent":
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    Referer: "https://www.facebook.com/",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": "cross-site",
  };
  return { method: "GET" as const, path: "/?utm_source=newsletter&utm_campaign=autumn_fair", headers };
}
