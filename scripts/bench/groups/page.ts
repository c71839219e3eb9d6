import type { BarId } from "#scripts/bench/bars.ts";
import { ask } from "#scripts/bench/controls.ts";
import { explainBytes, partsOf } from "#scripts/bench/explain.ts";
import { type GroupOptions, type Outcome, type Table, wantsReason } from "#scripts/bench/outcome.ts";
import { withBrowser } from "#scripts/bench/with-browser.ts";
import { startSite } from "#scripts/bench/workers.ts";
import { type PageWeight, sum, weigh } from "#scripts/lib/page-weight.ts";
import { paths } from "#scripts/lib/site-paths.ts";

/** What every page weighs, in Chromium. */
export async function measurePages(options: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ door: "edge" });
  const weights = await withBrowser(async (browser) => {
    const weighed: [path: string, PageWeight][] = [];
    for (const path of options.short ? ["/"] : paths) {
      await using context = await browser.newContext();
      weighed.push([path, await weigh(await context.newPage(), `${site.url}${path}`)]);
    }
    return weighed;
  });
  const landing = weights[0]?.[1];
  if (landing === undefined) throw new Error("The landing page was not weighed");
  const worst = (cost: (weight: PageWeight) => number) => Math.max(...weights.map(([, weight]) => cost(weight)));
  const figures = {
    firstFlight: landing.html + landing.blockingCss,
    earlyScript: worst(({ earlyScript }) => sum(Object.values(earlyScript))),
    allScript: worst(({ allScript }) => sum(Object.values(allScript))),
    blocking: worst(({ blocking }) => blocking.length),
  };
  return {
    figures,
    tables: [weightTable(weights)],
    reasons: reasons(landing, figures, (await ask(`${site.url}/`)).body, options),
  };
}

function weightTable(weights: [string, PageWeight][]): Table {
  return {
    title: "What each page weighs, in bytes",
    head: [
      "page",
      "HTML",
      "blocking CSS",
      "script before intent",
      "all script",
      "fonts",
      "blocking",
      "requests before intent",
    ],
    rows: weights.map(([path, weight]) => [
      `\`${path}\``,
      weight.html,
      weight.blockingCss,
      sum(Object.values(weight.earlyScript)),
      sum(Object.values(weight.allScript)),
      weight.fonts,
      weight.blocking.length,
      sum(Object.values(weight.requests)),
    ]),
  };
}

/** Parts of the landing page's document. */
const PARTS = {
  "styles in the document": /<style\b.*?<\/style>/gs,
  "data and scripts in the document": /<script\b.*?<\/script>/gs,
  drawings: /<svg\b.*?<\/svg>/gs,
};

function reasons(
  landing: PageWeight,
  figures: Partial<Record<BarId, number>>,
  html: string,
  options: GroupOptions,
): Table[] {
  const wants = (id: BarId) => wantsReason(id, figures[id] ?? Number.NaN, options);
  const tables: Table[] = [];
  if (wants("firstFlight")) {
    const parts = { ...partsOf(html, PARTS), "stylesheets that block": landing.blockingCss };
    tables.push(explainBytes("What the landing page's first paint waits for", parts));
  }
  if (wants("earlyScript")) {
    tables.push(explainBytes("Script of the landing page that runs before intent or idle", landing.earlyScript));
  }
  if (wants("allScript")) tables.push(explainBytes("All script of the landing page", landing.allScript));
  if (wants("blocking")) {
    const rows = landing.blocking.map((url) => [`\`${new URL(url).pathname}\``]);
    tables.push({ title: "What blocks the landing page's first paint", head: ["request"], rows });
  }
  return tables;
}
