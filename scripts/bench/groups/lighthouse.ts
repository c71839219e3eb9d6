import type { Result } from "lighthouse";
import { computeMedianRun, filterToValidRuns } from "lighthouse/core/lib/median-run.js";
import { atLeast, atMost, type Outcome } from "#scripts/bench/measurement.ts";
import { audit, scoresOf } from "#scripts/lib/lighthouse.ts";
import { startSite } from "#scripts/lib/running-site.ts";

/** As many as Lighthouse recommends. https://github.com/GoogleChrome/lighthouse/blob/main/docs/variability.md */
const RUNS = 5;

/** Audits the landing page, whose median run counts. `npm run test:nightly` audits every page. */
export async function measure(): Promise<Outcome> {
  await using site = await startSite();
  const runs: Result[] = [];
  while (runs.length < RUNS) runs.push(await audit(site.url));
  const run: Result = computeMedianRun(filterToValidRuns(runs));
  const value = (id: string) => run.audits[id]?.numericValue ?? Number.NaN;
  const [paint, blocked] = [value("largest-contentful-paint"), value("total-blocking-time")];
  const times = { "LCP, ms": Math.round(paint), "TBT, ms": Math.round(blocked) };
  const scores = scoresOf(run);
  return {
    figures: [
      atLeast("Lighthouse mobile, landing page, lowest score", Math.min(...Object.values(scores)), 100, "number"),
      atMost("layout shift (CLS) of the landing page", value("cumulative-layout-shift"), 0, "number"),
    ],
    tables: { "Lighthouse, mobile": [{ page: "/", ...scores, ...times }] },
  };
}
