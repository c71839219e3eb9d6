/** Values of `npm run bench -- --only`. */
export const groups = ["landing", "sign-up", "page", "paint", "reading", "lighthouse", "worker", "memory"] as const;

export type Group = (typeof groups)[number];

type Unit = "ratio" | "bytes" | "requests" | "milliseconds" | "share" | "score" | "shift";

/** The threshold that a measurement must reach. */
export interface Bar {
  group: Group;
  label: string;
  chartLabel: string;
  sense: "at least" | "at most" | "under";
  limit: number;
  unit: Unit;
}

const KB = 1024;

/** All bars, in report order. Ratios compare measurements of the same run. */
export const bars = {
  cached: {
    group: "landing",
    label: "landing page, requests/s relative to a bare Worker returning the same bytes",
    chartLabel: "landing page vs bare Worker",
    sense: "at least",
    limit: 0.75,
    unit: "ratio",
  },
  counted: {
    group: "landing",
    label: "landing page, requests/s of visits that are counted relative to a bare Worker returning the same bytes",
    chartLabel: "counted visits vs bare Worker",
    sense: "at least",
    limit: 0.8,
    unit: "ratio",
  },
  signUp: {
    group: "sign-up",
    label: "`POST /api/signup`, requests/s relative to a bare Worker running the same batch",
    chartLabel: "sign-up vs bare Worker",
    sense: "at least",
    limit: 0.85,
    unit: "ratio",
  },
  firstFlight: {
    group: "page",
    label: "landing page, HTML and critical CSS, brotli quality 5",
    chartLabel: "landing page, HTML and critical CSS",
    sense: "at most",
    limit: 15 * KB,
    unit: "bytes",
  },
  earlyScript: {
    group: "page",
    label: "script executed before hydration, gzip, worst route",
    chartLabel: "script before hydration",
    sense: "at most",
    limit: 1.5 * KB,
    unit: "bytes",
  },
  allScript: {
    group: "page",
    label: "all script, gzip, worst route",
    chartLabel: "all script",
    sense: "at most",
    limit: 125 * KB,
    unit: "bytes",
  },
  blocking: {
    group: "page",
    label: "requests that block the first paint, not counting the document, worst route",
    chartLabel: "requests that block the first paint",
    sense: "at most",
    limit: 0,
    unit: "requests",
  },
  largestPaint: {
    group: "paint",
    label: "landing page, largest contentful paint relative to the same page as a static file without script",
    chartLabel: "largest paint vs static file",
    sense: "at most",
    limit: 1.1,
    unit: "ratio",
  },
  landingBytes: {
    group: "reading",
    label: "landing page read to its end with the sample posts, everything, as transferred",
    chartLabel: "landing page, everything",
    sense: "at most",
    limit: 64 * KB,
    unit: "bytes",
  },
  readerScript: {
    group: "reading",
    label: "script that a visitor downloads who reads, opens the accordion and follows links",
    chartLabel: "script that a reader downloads",
    sense: "at most",
    limit: 0,
    unit: "bytes",
  },
  shift: {
    group: "lighthouse",
    label: "layout shift (CLS), worst route",
    chartLabel: "layout shift",
    sense: "at most",
    limit: 0,
    unit: "shift",
  },
  blockingTime: {
    group: "lighthouse",
    label: "total blocking time by the main thread's CPU time, on Lighthouse's phone, worst route",
    chartLabel: "total blocking time",
    sense: "under",
    limit: 20,
    unit: "milliseconds",
  },
  lighthouse: {
    group: "lighthouse",
    label: "Lighthouse mobile, lowest score of any category on any route",
    chartLabel: "Lighthouse, lowest score",
    sense: "at least",
    limit: 100,
    unit: "score",
  },
  startUpBundle: {
    group: "worker",
    label: "modules of the Worker that every start-up evaluates, gzip",
    chartLabel: "Worker modules at start-up",
    sense: "at most",
    limit: 125 * KB,
    unit: "bytes",
  },
  // The rest is loaded when a request needs it. Cloudflare's free plan allows 3 MB.
  bundle: {
    group: "worker",
    label: "whole Worker, gzip",
    chartLabel: "whole Worker",
    sense: "at most",
    limit: 400 * KB,
    unit: "bytes",
  },
  startUp: {
    group: "worker",
    label: "Worker start-up, CPU, median of 15",
    chartLabel: "Worker start-up",
    sense: "at most",
    limit: 20,
    unit: "milliseconds",
  },
  memory: {
    group: "memory",
    label: "growth of the runtime's peak memory over 10,000 requests after warm-up",
    chartLabel: "memory growth",
    sense: "under",
    limit: 0.05,
    unit: "share",
  },
} as const satisfies Record<string, Bar>;

export type BarId = keyof typeof bars;

/** Whether a value reaches its bar. NaN (not measured) never does. */
export function isMet({ sense, limit }: Bar, value: number): boolean {
  if (sense === "at least") return value >= limit;
  return sense === "at most" ? value <= limit : value < limit;
}

/** A value relative to its bar: 1 at the bar, more when better, 0 when not measured. */
export function ratioToBar({ sense, limit }: Bar, value: number): number {
  if (Number.isNaN(value)) return 0;
  if (sense === "at least") return value / limit;
  if (value <= 0) return Number.POSITIVE_INFINITY;
  return limit / value;
}

/** `at most 15.0 KB` */
export function describeBar({ sense, limit, unit }: Bar): string {
  return limit === 0 ? formatValue(0, unit) : `${sense} ${formatValue(limit, unit)}`;
}

/** A value with its unit, such as `15.0 KB`. */
export function formatValue(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return "not measured";
  if (unit === "bytes") return `${(value / KB).toFixed(1)} KB`;
  if (unit === "milliseconds") return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
  if (unit === "share") return `${(value * 100).toFixed(1)} %`;
  if (unit === "ratio") return value.toFixed(2);
  return unit === "shift" ? String(Number(value.toFixed(3))) : String(value);
}
