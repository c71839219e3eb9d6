import type { CDPSession, Page } from "@playwright/test";

/** A script of the site: a file, or inline in the document. */
export interface Script {
  id: string;
  /** Of the file, or of the document for inline scripts. */
  url: string;
  source: string;
}

export interface ScriptRecorder {
  /** Every script parsed since the recorder started, executed or not. */
  parsed(): Promise<Script[]>;
  executed(): Promise<Script[]>;
}

/** Records the scripts of an origin with V8's debugger, which includes inline scripts and modules but not data blocks. */
export async function recordScripts(page: Page, origin: string): Promise<ScriptRecorder> {
  const session = await page.context().newCDPSession(page);
  const scripts: { id: string; url: string }[] = [];
  session.on("Debugger.scriptParsed", ({ scriptId, url }) => {
    if (url.startsWith(origin)) scripts.push({ id: scriptId, url });
  });
  await session.send("Debugger.enable");
  await session.send("Profiler.enable");
  await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const parsed = () => Promise.all(scripts.map((script) => withSource(session, script)));
  return {
    parsed,
    async executed() {
      const { result } = await session.send("Profiler.takePreciseCoverage");
      const executed = new Set(
        result
          .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
          .map(({ scriptId }) => scriptId),
      );
      return (await parsed()).filter(({ id }) => executed.has(id));
    },
  };
}

/** Moves the pointer and presses a key without effect, as a reader does. */
export async function touchPage(page: Page): Promise<void> {
  await page.mouse.move(40, 200);
  await page.mouse.move(44, 204);
  await page.keyboard.press("Shift");
}

async function withSource(session: CDPSession, { id, url }: { id: string; url: string }): Promise<Script> {
  const { scriptSource } = await session.send("Debugger.getScriptSource", { scriptId: id });
  return { id, url, source: scriptSource };
}
