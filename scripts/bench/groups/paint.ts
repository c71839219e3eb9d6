import { ask, startStaticPage } from "#scripts/bench/controls.ts";
import { comparePaints, type Paints, paintRatio } from "#scripts/bench/first-paint.ts";
import { type GroupOptions, type Outcome, type Table, wantsReason } from "#scripts/bench/outcome.ts";
import { median } from "#scripts/bench/statistics.ts";
import { withBrowser } from "#scripts/bench/with-browser.ts";
import { startSite } from "#scripts/bench/workers.ts";

/** The largest contentful paint of the landing page beside that of the same page as a file without script. */
export async function measurePaint(options: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ door: "edge" });
  await using file = await startStaticPage(await ask(`${site.url}/`));
  const paints = await withBrowser((browser) => comparePaints(browser, [site.url, file.url], options.short ? 1 : 9));
  const largestPaint = paintRatio(paints);
  return {
    figures: { largestPaint },
    tables: [
      {
        title: "Largest contentful paint on a slow phone, in milliseconds",
        head: ["", "median", "fastest", "slowest", "first byte, median", "worst layout shift"],
        rows: [row("the site", paints[0]), row("static file without script", paints[1])],
      },
    ],
    reasons: wantsReason("largestPaint", largestPaint, options) ? [requestsBefore(paints[0])] : [],
  };
}

function row(name: string, { lcp, firstByte, shift }: Paints): (string | number)[] {
  return [
    name,
    ...[median(lcp), Math.min(...lcp), Math.max(...lcp), median(firstByte)].map(Math.round),
    Number(shift.toFixed(3)),
  ];
}

/** What shared the network with the paint. */
function requestsBefore({ before }: Paints): Table {
  return {
    title: "What the landing page asked for before its largest paint",
    head: ["request", "from, ms", "to, ms", "bytes"],
    rows: before.map(({ name, start, end, bytes }) => [`\`${name}\``, Math.round(start), Math.round(end), bytes]),
  };
}
