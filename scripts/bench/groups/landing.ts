import { capture, startControlOf } from "#scripts/bench/controls.ts";
import { compareRates } from "#scripts/bench/load.ts";
import { atLeast, type Outcome } from "#scripts/bench/measurement.ts";
import { startWorker } from "#scripts/bench/workers.ts";

/** Compares visits of the landing page, which is served from the page cache, with a bare Worker that returns its bytes. */
export async function measure(rounds: number): Promise<Outcome> {
  await using worker = await startWorker();
  await using bare = await startControlOf(await capture(`${worker.url}/`));
  const sides = { site: { ...worker, nextRequest: visit }, control: { ...bare, nextRequest: visit } };
  const { ratio, rates } = await compareRates(rounds, sides);
  if ((await worker.count("page_visits")) === 0) throw new Error("The site counted no visit");
  return {
    figures: [atLeast("landing page, counted visits/s relative to a bare Worker", ratio, 0.8, "ratio")],
    tables: { "Landing page, counted visits a second": [rates] },
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
