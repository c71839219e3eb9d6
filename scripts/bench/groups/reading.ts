import type { GroupOptions, Outcome, Table } from "#scripts/bench/outcome.ts";
import { type Journey, takeJourney } from "#scripts/bench/reader-journey.ts";
import { median } from "#scripts/bench/statistics.ts";
import { withBrowser } from "#scripts/bench/with-browser.ts";
import { startSite } from "#scripts/bench/workers.ts";

/** Measures what a visitor receives who reads, next to one whose pages are all hydrated once they have loaded. */
export async function measureReading({ short }: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "edge" });
  const [reader, hydrated] = await withBrowser(async (browser) => {
    const journeys: [Journey[], Journey[]] = [[], []];
    // Warms up the browser and the Worker.
    await takeJourney(browser, site.url, { hydrated: false });
    for (let turn = 0; turn < (short ? 1 : 5); turn += 1) {
      journeys[0].push(await takeJourney(browser, site.url, { hydrated: false }));
      journeys[1].push(await takeJourney(browser, site.url, { hydrated: true }));
    }
    return journeys;
  });
  const values = {
    landingBytes: Math.max(...reader.map(({ landing }) => landing)),
    readerScript: Math.max(...reader.map(({ script }) => script)),
  };
  return { values, tables: [journeyTable(reader, hydrated)] };
}

function journeyTable(reader: Journey[], hydrated: Journey[]): Table {
  return {
    title: "A visitor who reads the landing page to its end, opens its accordion, and goes to the roadmap and back",
    head: [
      "medians, on a slow phone",
      "bytes, landing page",
      "bytes, all",
      "bytes, script",
      "tap to first paint, roadmap, ms",
      "tap to first paint, landing page, ms",
    ],
    rows: [row("the site", reader), row("the same with every page hydrated once it has loaded", hydrated)],
  };
}

function row(name: string, journeys: Journey[]): (string | number)[] {
  const of = (value: (journey: Journey) => number) => Math.round(median(journeys.map(value)));
  return [
    name,
    of(({ landing }) => landing),
    of(({ bytes }) => bytes),
    of(({ script }) => script),
    of(({ paints }) => paints[0]),
    of(({ paints }) => paints[1]),
  ];
}
