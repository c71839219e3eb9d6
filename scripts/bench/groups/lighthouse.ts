import type { Result } from "lighthouse";
import { computeMedianRun, filterToValidRuns } from "lighthouse/core/lib/median-run.js";
import { atLeast, atMost, type Outcome } from "#scripts/bench/measurement.ts";
import { audit, scoresOf } from "#scripts/lib/lighthouse.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { paths } from "#scripts/lib/site-paths.ts";

/** As many as Lighthouse recommends. https://github.com/GoogleChrome/lighthouse/blob/main/docs/variability.md */
const RUNS = 5;

/**
 * Audits every route: the landing page and every route whose first run is not perfect by the median of five runs, the
 * others by that one run. Without the missing page: it is not indexable, which Lighthouse counts against it.
 */
export async function measure(): Promise<Outcome> {
  await using site = await startSite();
  const results: [path: string, runs: number, Result][] = [];
  for (const path of paths.slice(0, -1)) {
    const runs = [await audit(site.url + path)];
    while (runs.length < RUNS && (path === "/" || runs.some((run) => lowestScore(run) < 100))) {
      runs.push(await audit(site.url + path));
    }
    results.push([path, runs.length, computeMedianRun(filterToValidRuns(runs))]);
  }
  const timing = (run: Result, id: string) => run.audits[id]?.numericValue ?? Number.NaN;
  const shift = Math.max(...results.map(([, , run]) => timing(run, "cumulative-layout-shift")));
  const lowest = Math.min(...results.map(([, , run]) => lowestScore(run)));
  return {
    figures: [
      atLeast("Lighthouse mobile, lowest score of any category on any route", lowest, 100, "number"),
      atMost("layout shift (CLS), worst route", shift, 0, "number"),
    ],
    tables: [
      {
        title: "Lighthouse, mobile",
        head: ["page", "runs", ...Object.keys(results[0] ? scoresOf(results[0][2]) : {}), "LCP, ms", "TBT, ms"],
        rows: results.map(([path, runs, run]) => [
          path,
          runs,
          ...Object.values(scoresOf(run)),
          Math.round(timing(run, "largest-contentful-paint")),
          Math.round(timing(run, "total-blocking-time")),
        ]),
      },
    ],
  };
}

function lowestScore(run: Result): number {
  return Math.min(...Object.values(scoresOf(run)));
}
