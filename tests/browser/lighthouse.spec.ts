import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { CHROMIUM_FLAGS, findChromium } from "#scripts/lib/chromium.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { paths } from "#tests/browser/support/routes.ts";
import { expect, test } from "#tests/browser/support/test.ts";

const categories = ["accessibility", "best-practices", "seo", "agentic-browsing"];

/** The audits of WebMCP apply to pages with an annotated form, and only in a browser that knows it. */
const WEB_MCP = ["webmcp-registered-tools", "webmcp-form-coverage", "webmcp-schema-validity"];

for (const path of paths.slice(0, -1)) {
  test(`Lighthouse gives ${path} 100 in every category`, async ({ site }) => {
    test.setTimeout(120_000);
    const { scores, audits } = await audit(`${site.url}${path}`);
    const failed = Object.values(audits)
      .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === "error" || (score !== null && score < 1))
      .map(({ id, title, errorMessage, explanation, displayValue }) =>
        [id, title, errorMessage, explanation, displayValue].filter(Boolean).join(": "),
      );
    expect(scores, failed.join("\n")).toEqual({
      accessibility: 100,
      "best-practices": 100,
      seo: 100,
      "agentic-browsing": 100,
    });
    if (path !== "/") return;
    for (const id of WEB_MCP) expect(audits[id]?.scoreDisplayMode, id).not.toBe("notApplicable");
  });
}

interface Audit {
  id: string;
  title: string;
  errorMessage?: string;
  explanation?: string;
  displayValue?: string;
  score: number | null;
  scoreDisplayMode: string;
}

async function audit(url: string): Promise<{ scores: Record<string, number>; audits: Record<string, Audit> }> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`, "--enable-features=WebMCP,WebMCPTesting"],
  });
  try {
    const result = await lighthouse(url, { port, onlyCategories: categories, logLevel: "error", output: "json" });
    if (result === undefined) throw new Error("Lighthouse gave no result");
    const scores = Object.values(result.lhr.categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]);
    return { scores: Object.fromEntries(scores), audits: result.lhr.audits };
  } finally {
    await browser.close();
  }
}
