import { audit, scoresOf } from "#scripts/lib/lighthouse.ts";
import { paths } from "#scripts/lib/site-paths.ts";
import { nightly } from "#tests/support/browser/slow.ts";
import { expect, test } from "#tests/support/browser/test.ts";

const categories = ["accessibility", "best-practices", "seo", "agentic-browsing"];

/** WebMCP audits apply only to pages with an annotated form, in browsers that support WebMCP. */
const WEB_MCP = ["webmcp-registered-tools", "webmcp-form-coverage", "webmcp-schema-validity"];

for (const path of paths.slice(0, -1)) {
  test(`Lighthouse gives ${path} 100 in every category`, nightly, async ({ site }) => {
    test.setTimeout(120_000);
    const result = await audit(`${site.url}${path}`, categories);
    const { audits } = result;
    const failed = Object.values(audits)
      .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === "error" || (score !== null && score < 1))
      .map(({ id, title, errorMessage, explanation, displayValue }) =>
        [id, title, errorMessage, explanation, displayValue].filter(Boolean).join(": "),
      );
    expect(scoresOf(result), failed.join("\n")).toEqual({
      accessibility: 100,
      "best-practices": 100,
      seo: 100,
      "agentic-browsing": 100,
    });
    if (path !== "/") return;
    for (const id of WEB_MCP) expect(audits[id]?.scoreDisplayMode, id).not.toBe("notApplicable");
  });
}
