import { launch } from "chrome-launcher";
import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";
import { CHROMIUM_FLAGS, findChromium } from "#scripts/lib/chromium.ts";
import { pressButton } from "#scripts/lib/hydrated.ts";

/** Lighthouse's slow phone: this many times slower than the machine that measures. */
const CPU_SLOWDOWN = 4;

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
 * Total blocking time (milliseconds) from the first paint until hydration has finished, which starts when the page has loaded, on a phone
 * {@link CPU_SLOWDOWN} times slower than this machine.
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
    const opened = await fetch(`http://127.0.0.1:${chrome.port}/json/new?about:blank`, { method: "PUT" });
    const { webSocketDebuggerUrl } = (await opened.json()) as { webSocketDebuggerUrl: string };
    const events = await trace(await connect(webSocketDebuggerUrl), url);
    return blockingTime(events);
  } finally {
    chrome.kill();
  }
}

async function trace({ call, events, tracingEnded }: Session, url: string): Promise<TraceEvent[]> {
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

function blockingTime(events: TraceEvent[]): number {
  const paint = events.findLast(({ name }) => name === "firstContentfulPaint");
  if (paint === undefined) throw new Error("The trace has no first paint");
  return events
    .filter(({ pid, tid, ts, dur }) => pid === paint.pid && tid === paint.tid && ts + dur > paint.ts)
    .filter(({ name, ph }) => ph === "X" && name === "ThreadControllerImpl::RunTask")
    .map(({ tdur = 0 }) => (tdur / 1_000) * CPU_SLOWDOWN - LONG_TASK)
    .reduce((total, blocked) => total + Math.max(0, blocked), 0);
}

interface Session {
  call: (method: string, params?: object) => Promise<unknown>;
  /** Filled while tracing. */
  events: TraceEvent[];
  tracingEnded: Promise<void>;
}

/** A bare session of the DevTools protocol. https://chromedevtools.github.io/devtools-protocol/ */
async function connect(url: string): Promise<Session> {
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onerror = () => opened.reject(new Error("Chromium's debugger did not answer"));
  await opened.promise;
  const answers = new Map<number, (result: unknown) => void>();
  const events: TraceEvent[] = [];
  const ended = Promise.withResolvers<void>();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.method === "Tracing.dataCollected") events.push(...message.params.value);
    if (message.method === "Tracing.tracingComplete") ended.resolve();
    answers.get(message.id)?.(message.result);
  };
  let calls = 0;
  return {
    events,
    tracingEnded: ended.promise,
    call: (method, params = {}) =>
      new Promise((resolve) => {
        calls += 1;
        answers.set(calls, resolve);
        socket.send(JSON.stringify({ id: calls, method, params }));
      }),
  };
}
