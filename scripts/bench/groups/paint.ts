import { bars, isMet } from "#scripts/bench/bars.ts";
import { capture, startStaticPage } from "#scripts/bench/controls.ts";
import { comparePaints, type Paints, paintRatio } from "#scripts/bench/first-paint.ts";
import type { GroupOptions, Outcome, Table } from "#scripts/bench/outcome.ts";
import { median } from "#scripts/bench/statistics.ts";
import { withBrowser } from "#scripts/bench/with-browser.ts";
import { startSite } from "#scripts/bench/workers.ts";

/** Compares the landing page's largest contentful paint with that of the same page as a static file without script. */
export async function measurePaint({ short }: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ transport: "edge" });
  await using file = await startStaticPage(await capture(`${site.url}/`));
  const paints = await withBrowser((browser) => comparePaints(browser, [site.url, file.url], short ? 1 : 9));
  const largestPaint = paintRatio(paints);
  return {
    values: { largestPaint },
    tables: [
      {
        title: "Largest contentful paint on a slow phone, in milliseconds",
        head: ["", "median", "fastest", "slowest", "first byte, median", "worst layout shift"],
        rows: [row("the site", paints[0]), row("static file without script", paints[1])],
      },
    ],
    explanations: isMet(bars.largestPaint, largestPaint) ? [] : [requestTable(paints[0])],
  };
}

function row(name: string, { lcp, firstByte, shift }: Paints): (string | number)[] {
  return [
    name,
    ...[median(lcp), Math.min(...lcp), Math.max(...lcp), median(firstByte)].map(Math.round),
    Number(shift.toFixed(3)),
  ];
}

/** The requests that competed with the largest paint for the network. */
function requestTable({ requests }: Paints): Table {
  return {
    title: "Requests of the landing page before its largest paint",
    head: ["request", "from, ms", "to, ms", "bytes"],
    rows: requests.map(({ name, start, end, bytes }) => [`\`${name}\``, Math.round(start), Math.round(end), bytes]),
  };
}
