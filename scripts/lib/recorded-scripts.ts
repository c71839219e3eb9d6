import type { CDPSession, Page } from "@playwright/test";

/** A script of the site's own: a file, or one that stands in the document. */
export interface Script {
  id: string;
  /** Of the file, or of the document that holds it. */
  url: string;
  source: string;
}

/** Tells which scripts a page has. */
export interface ScriptRecorder {
  /** Everything the browser has read as script since the recorder was started, whether it ran or not. */
  read(): Promise<Script[]>;
  /** What ran of it. */
  executed(): Promise<Script[]>;
}

/**
 * Records the scripts of an origin from now on. Listens to V8 itself, so that inline scripts and modules count, and inert
 * ones, such as data or what is not yet live, do not.
 */
export async function recordScripts(page: Page, origin: string): Promise<ScriptRecorder> {
  const session = await page.context().newCDPSession(page);
  const parsed: { id: string; url: string }[] = [];
  session.on("Debugger.scriptParsed", ({ scriptId, url }) => {
    if (url.startsWith(origin)) parsed.push({ id: scriptId, url });
  });
  await session.send("Debugger.enable");
  await session.send("Profiler.enable");
  await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const read = () => Promise.all(parsed.map((script) => withSource(session, script)));
  return {
    read,
    async executed() {
      const { result } = await session.send("Profiler.takePreciseCoverage");
      const ran = new Set(
        result
          .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
          .map(({ scriptId }) => scriptId),
      );
      return (await read()).filter(({ id }) => ran.has(id));
    },
  };
}

/**
 * Keeps a page from ever being idle, as far as its scripts can tell: what waits for idleness or for somebody to do
 * something then waits for good.
 */
export async function neverIdle(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

/** The first sign of a visitor: the pointer moves, and a key goes down that changes nothing. */
export async function showIntent(page: Page): Promise<void> {
  await page.mouse.move(40, 200);
  await page.mouse.move(44, 204);
  await page.keyboard.press("Shift");
}

async function withSource(session: CDPSession, { id, url }: { id: string; url: string }): Promise<Script> {
  const { scriptSource } = await session.send("Debugger.getScriptSource", { scriptId: id });
  return { id, url, source: scriptSource };
}
