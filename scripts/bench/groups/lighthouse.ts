import type { Result } from "lighthouse";
import { computeMedianRun, filterToValidRuns } from "lighthouse/core/lib/median-run.js";
import { atLeast, atMost, type Outcome, type Row } from "#scripts/bench/measurement.ts";
import { audit, scoresOf } from "#scripts/lib/lighthouse.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { paths } from "#scripts/lib/site-paths.ts";

/** As many as Lighthouse recommends. https://github.com/GoogleChrome/lighthouse/blob/main/docs/variability.md */
const RUNS = 5;

/** For a page whose first run is not perfect. */
const MORE_RUNS = 3;

/**
 * Audits every route: the landing page by the median of five runs, the others by one run, or by the median of three if that
 * is not perfect. Without the missing page: it is not indexable, which Lighthouse counts against it.
 */
export async function measure(): Promise<Outcome> {
  await using site = await startSite();
  const rows: Row[] = [];
  let [lowest, shift] = [100, 0];
  for (const path of paths.slice(0, -1)) {
    const runs = [await audit(site.url + path)];
    const needed = path === "/" ? RUNS : runs.some((run) => lowestScore(run) < 100) ? MORE_RUNS : 1;
    while (runs.length < needed) {
      runs.push(await audit(site.url + path));
    }
    const run: Result = computeMedianRun(filterToValidRuns(runs));
    const value = (id: string) => run.audits[id]?.numericValue ?? Number.NaN;
    lowest = Math.min(lowest, lowestScore(run));
    shift = Math.max(shift, value("cumulative-layout-shift"));
    const [paint, blocked] = [value("largest-contentful-paint"), value("total-blocking-time")];
    const times = { "LCP, ms": Math.round(paint), "TBT, ms": Math.round(blocked) };
    rows.push({ page: path, runs: runs.length, ...scoresOf(run), ...times });
  }
  return {
    figures: [
      atLeast("Lighthouse mobile, lowest score of any category on any route", lowest, 100, "number"),
      atMost("layout shift (CLS), worst route", shift, 0, "number"),
    ],
    tables: { "Lighthouse, mobile": rows },
  };
}

function lowestScore(run: Result): number {
  return Math.min(...Object.values(scoresOf(run)));
}
