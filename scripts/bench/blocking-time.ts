import { launch } from "chrome-launcher";
import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";
import { CHROMIUM_FLAGS, findChromium } from "#scripts/lib/chromium.ts";
import { type DevToolsSession, openTab } from "#scripts/lib/devtools.ts";
import { pressButton } from "#scripts/lib/hydrated.ts";
import { phoneSlowdown } from "#scripts/lib/phone-slowdown.ts";

/** The part of a task beyond this blocks input (milliseconds). https://web.dev/articles/tbt */
const LONG_TASK = 50;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur: number;
  /** CPU time of the thread (microseconds). */
  tdur?: number;
}

/**
 * Total blocking time (milliseconds) from the first paint until hydration has finished, which starts when the page has
 * loaded, on Lighthouse's phone.
 *
 * Lighthouse's own figure is unusable for script this fast: it counts the time in which other processes run, and a
 * debugger's `Runtime` domain, which Lighthouse and Playwright enable, makes V8 parse React twice. This counts the
 * thread's CPU time, without that domain.
 */
export async function measureBlockingTime(url: string): Promise<number> {
  const chrome = await launch({
    chromePath: findChromium() ?? undefined,
    chromeFlags: [...CHROMIUM_FLAGS, "--headless", "--window-size=412,823"],
  });
  try {
    const slowdown = await phoneSlowdown(chrome.port);
    return blockingTime(await trace(await openTab(chrome.port), url), slowdown);
  } finally {
    chrome.kill();
  }
}

async function trace({ call, on }: DevToolsSession, url: string): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  on("Tracing.dataCollected", ({ value }) => events.push(...(value as TraceEvent[])));
  const tracingEnded = new Promise((resolve) => on("Tracing.tracingComplete", resolve));
  const hydrated = `window.hydration = new Promise((resolve) => addEventListener("${HYDRATED_EVENT}", resolve, true))`;
  const loaded = 'document.readyState === "complete" || new Promise((resolve) => addEventListener("load", resolve))';
  await call("Page.enable");
  await call("Page.addScriptToEvaluateOnNewDocument", { source: hydrated });
  await call("Tracing.start", { traceConfig: { includedCategories: ["toplevel", "loading"] } });
  await call("Page.navigate", { url });
  await call("Runtime.evaluate", { expression: loaded, awaitPromise: true });
  await call("Runtime.evaluate", { expression: `(${pressButton})()` });
  await call("Runtime.evaluate", { expression: "window.hydration.then(() => true)", awaitPromise: true });
  await call("Tracing.end");
  await tracingEnded;
  return events;
}

/**
 * The blocking time in a trace. Of a task that contains the first paint only the share after it counts, as for
 * [Lighthouse](https://web.dev/articles/tbt).
 *
 * @param slowdown of the phone, relative to this machine
 * @returns milliseconds
 */
export function blockingTime(events: TraceEvent[], slowdown: number): number {
  const paint = events.findLast(({ name }) => name === "firstContentfulPaint");
  if (paint === undefined) throw new Error("The trace has no first paint");
  return events
    .filter(({ pid, tid, ts, dur }) => pid === paint.pid && tid === paint.tid && ts + dur > paint.ts)
    .filter(({ name, ph }) => ph === "X" && name === "ThreadControllerImpl::RunTask")
    .map(({ ts, dur, tdur = 0 }) => tdur * Math.min(1, (ts + dur - paint.ts) / dur))
    .map((microseconds) => (microseconds / 1_000) * slowdown - LONG_TASK)
    .reduce((total, blocked) => total + Math.max(0, blocked), 0);
}
