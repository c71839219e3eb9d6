/** What `npm run bench -- --only` takes. */
export const groups = ["landing", "sign-up", "page", "paint", "lighthouse", "worker", "memory"] as const;

export type Group = (typeof groups)[number];

type Unit = "times" | "bytes" | "requests" | "milliseconds" | "share" | "score" | "shift";

/** A limit that a figure is held to. */
export interface Bar {
  group: Group;
  what: string;
  /** For the chart. */
  short: string;
  sense: "at least" | "at most" | "under";
  limit: number;
  unit: Unit;
}

const KB = 1024;

/** Every bar, in the order in which it is reported. Ratios compare sides of one run. */
export const bars = {
  cached: {
    group: "landing",
    what: "landing page, requests/s against a bare Worker returning the same bytes",
    short: "landing page beside a bare Worker",
    sense: "at least",
    limit: 0.6,
    unit: "times",
  },
  rendered: {
    group: "landing",
    what: "the same, rendered anew for each request",
    short: "landing page, rendered anew",
    sense: "at least",
    limit: 0.15,
    unit: "times",
  },
  signUp: {
    group: "sign-up",
    what: "`POST /api/signup`, requests/s against a bare Worker doing the same batch",
    short: "sign-up beside a bare Worker",
    sense: "at least",
    limit: 0.8,
    unit: "times",
  },
  firstFlight: {
    group: "page",
    what: "landing page, HTML with the CSS its first paint needs, brotli quality 5",
    short: "landing page, HTML and critical CSS",
    sense: "at most",
    limit: 14 * KB,
    unit: "bytes",
  },
  earlyScript: {
    group: "page",
    what: "script executed before intent or idle, gzip, on any route",
    short: "script before intent or idle",
    sense: "at most",
    limit: 1.5 * KB,
    unit: "bytes",
  },
  allScript: {
    group: "page",
    what: "all script of any route, gzip",
    short: "all script of a route",
    sense: "at most",
    limit: 125 * KB,
    unit: "bytes",
  },
  blocking: {
    group: "page",
    what: "requests that block the first paint, beyond the document, on any route",
    short: "requests that block the first paint",
    sense: "at most",
    limit: 0,
    unit: "requests",
  },
  largestPaint: {
    group: "paint",
    what: "landing page, largest contentful paint against the same page as a static file without script",
    short: "largest paint beside a static file",
    sense: "at most",
    limit: 1.1,
    unit: "times",
  },
  shift: {
    group: "lighthouse",
    what: "layout shift (CLS), worst route",
    short: "layout shift",
    sense: "at most",
    limit: 0,
    unit: "shift",
  },
  blockingTime: {
    group: "lighthouse",
    what: "total blocking time, worst route",
    short: "total blocking time",
    sense: "under",
    limit: 20,
    unit: "milliseconds",
  },
  lighthouse: {
    group: "lighthouse",
    what: "Lighthouse mobile, lowest score of any category on any route",
    short: "Lighthouse, lowest score",
    sense: "at least",
    limit: 100,
    unit: "score",
  },
  bundle: {
    group: "worker",
    what: "Worker bundle, gzip",
    short: "Worker bundle",
    sense: "at most",
    limit: 250 * KB,
    unit: "bytes",
  },
  startUp: {
    group: "worker",
    what: "Worker start-up, CPU, median of 5",
    short: "Worker start-up",
    sense: "at most",
    limit: 25,
    unit: "milliseconds",
  },
  memory: {
    group: "memory",
    what: "growth of the runtime's peak memory over 10,000 requests, after warm-up",
    short: "growth of memory",
    sense: "under",
    limit: 0.05,
    unit: "share",
  },
} as const satisfies Record<string, Bar>;

export type BarId = keyof typeof bars;

/** Whether a figure is good enough. What could not be measured is not. */
export function isMet({ sense, limit }: Bar, value: number): boolean {
  if (sense === "at least") return value >= limit;
  return sense === "at most" ? value <= limit : value < limit;
}

/** How far a figure has come towards its bar: 1 when it is just met, 0 when it is nowhere near. */
export function reached({ sense, limit }: Bar, value: number): number {
  if (Number.isNaN(value)) return 0;
  if (sense === "at least") return value / limit;
  if (value <= 0) return Number.POSITIVE_INFINITY;
  return limit / value;
}

/** `at most 14.0 KB` */
export function describeBar({ sense, limit, unit }: Bar): string {
  return limit === 0 ? inUnit(0, unit) : `${sense} ${inUnit(limit, unit)}`;
}

/** A figure as people read it. */
export function inUnit(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return "not measured";
  if (unit === "bytes") return `${(value / KB).toFixed(1)} KB`;
  if (unit === "milliseconds") return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
  if (unit === "share") return `${(value * 100).toFixed(1)} %`;
  if (unit === "times") return value.toFixed(2);
  return unit === "shift" ? String(Number(value.toFixed(3))) : String(value);
}
