import { bars, isMet } from "#scripts/bench/bars.ts";
import { measureBlockingTime } from "#scripts/bench/blocking-time.ts";
import type { GroupOptions, Outcome, Table } from "#scripts/bench/outcome.ts";
import { median } from "#scripts/bench/statistics.ts";
import { startSite } from "#scripts/bench/workers.ts";
import { type Audited, measure } from "#scripts/lib/lighthouse.ts";
import { paths } from "#scripts/lib/site-paths.ts";

/** The only category that varies between runs. */
const TIMED = "performance";

const categories = [TIMED, "accessibility", "best-practices", "seo", "agentic-browsing"];

/** Without the missing page: it is not indexable, which Lighthouse counts against it. */
const routes = paths.slice(0, -1);

/**
 * Measures Lighthouse's scores of every route, performance as the median of five runs, as Lighthouse recommends
 * (https://github.com/GoogleChrome/lighthouse/blob/main/docs/variability.md), and the blocking time as the median of five.
 */
export async function measureLighthouse({ short }: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "edge" });
  const results: { path: string; runs: Audited[]; blockingTime: number }[] = [];
  for (const path of short ? ["/"] : routes) {
    const runs = [await measure(`${site.url}${path}`, categories)];
    for (let run = 1; run < (short ? 1 : 5); run += 1) runs.push(await measure(`${site.url}${path}`, [TIMED]));
    const blocked = [];
    for (let run = 0; run < (short ? 1 : 5); run += 1) blocked.push(await measureBlockingTime(`${site.url}${path}`));
    results.push({ path, runs, blockingTime: median(blocked) });
  }
  const scores = results.map(({ runs }) => categories.map((id) => score(runs, id)));
  const values = {
    lighthouse: Math.min(...scores.flat()),
    shift: Math.max(...results.map(({ runs }) => timing(runs, "cumulative-layout-shift"))),
    blockingTime: Math.max(...results.map(({ blockingTime }) => blockingTime)),
  };
  return {
    values,
    tables: [
      {
        title: "Lighthouse, mobile, medians",
        head: ["page", ...categories, "LCP, ms", "CLS", "its TBT, ms", "TBT by CPU time, ms", "CPU slowdown"],
        rows: results.map(({ path, runs, blockingTime }, index) => [
          `\`${path}\``,
          ...(scores[index] ?? []),
          Math.round(timing(runs, "largest-contentful-paint")),
          Number(timing(runs, "cumulative-layout-shift").toFixed(3)),
          Math.round(timing(runs, "total-blocking-time")),
          Math.round(blockingTime),
          `${median(runs.map(({ slowdown }) => slowdown)).toFixed(1)}`,
        ]),
      },
    ],
    explanations: isMet(bars.lighthouse, values.lighthouse) ? [] : [failedAudits(results)],
  };
}

function score(runs: Audited[], id: string): number {
  return median(runs.flatMap(({ scores }) => scores[id] ?? []));
}

function timing(runs: Audited[], id: string): number {
  return median(runs.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN));
}

/** The audits that kept pages below 100, from each page's first run. */
function failedAudits(results: { path: string; runs: Audited[] }[]): Table {
  const pages = new Map<string, string[]>();
  for (const { path, runs } of results) {
    for (const { title, displayValue, score, scoreDisplayMode } of Object.values(runs[0]?.audits ?? {})) {
      if (scoreDisplayMode !== "error" && (score === null || score === 1)) continue;
      pages.set(title, [...(pages.get(title) ?? []), `\`${path}\`${displayValue ? ` ${displayValue}` : ""}`]);
    }
  }
  const rows = [...pages].map(([title, where]) => [title, where.join(", ")]);
  return { title: "Failed Lighthouse audits", head: ["audit", "pages"], rows };
}
