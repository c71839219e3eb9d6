import { type BarId, bars, isMet } from "#scripts/bench/bars.ts";
import { capture } from "#scripts/bench/controls.ts";
import { explainBytes, partsOf } from "#scripts/bench/explain.ts";
import type { GroupOptions, Outcome, Table } from "#scripts/bench/outcome.ts";
import { withBrowser } from "#scripts/bench/with-browser.ts";
import { startSite } from "#scripts/bench/workers.ts";
import { type PageWeight, sum, weigh } from "#scripts/lib/page-weight.ts";
import { paths } from "#scripts/lib/site-paths.ts";

/** Measures the weight of every page in Chromium. */
export async function measurePages({ short }: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "edge" });
  const weights = await withBrowser(async (browser) => {
    const weighed: [path: string, PageWeight][] = [];
    for (const path of short ? ["/"] : paths) {
      await using context = await browser.newContext();
      weighed.push([path, await weigh(await context.newPage(), `${site.url}${path}`)]);
    }
    return weighed;
  });
  const landing = weights[0]?.[1];
  if (landing === undefined) throw new Error("The landing page was not measured");
  const worst = (cost: (weight: PageWeight) => number) => Math.max(...weights.map(([, weight]) => cost(weight)));
  const values = {
    firstFlight: landing.html + landing.blockingCss,
    earlyScript: worst(({ earlyScript }) => sum(Object.values(earlyScript))),
    allScript: worst(({ allScript }) => sum(Object.values(allScript))),
    blocking: worst(({ blocking }) => blocking.length),
  };
  return {
    values,
    tables: [weightTable(weights)],
    explanations: explanations(landing, values, (await capture(`${site.url}/`)).body),
  };
}

function weightTable(weights: [string, PageWeight][]): Table {
  return {
    title: "Weight of each page, in bytes",
    head: [
      "page",
      "HTML",
      "blocking CSS",
      "script before hydration",
      "all script",
      "fonts",
      "blocking",
      "requests before hydration",
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

/** Parts of a page's HTML. */
const PARTS = {
  "inline styles": /<style\b.*?<\/style>/gs,
  "inline data and scripts": /<script\b.*?<\/script>/gs,
  "inline SVG": /<svg\b.*?<\/svg>/gs,
};

function explanations(landing: PageWeight, values: Partial<Record<BarId, number>>, html: string): Table[] {
  const isMissed = (id: BarId) => !isMet(bars[id], values[id] ?? Number.NaN);
  const tables: Table[] = [];
  if (isMissed("firstFlight")) {
    const parts = { ...partsOf(html, PARTS), "blocking stylesheets": landing.blockingCss };
    tables.push(explainBytes("Bytes before the landing page's first paint", parts));
  }
  if (isMissed("earlyScript")) {
    tables.push(explainBytes("Script of the landing page that runs before hydration", landing.earlyScript));
  }
  if (isMissed("allScript")) tables.push(explainBytes("All script of the landing page", landing.allScript));
  if (isMissed("blocking")) {
    const rows = landing.blocking.map((url) => [`\`${new URL(url).pathname}\``]);
    tables.push({ title: "Requests that block the landing page's first paint", head: ["request"], rows });
  }
  return tables;
}
