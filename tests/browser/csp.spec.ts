import { needs } from "#tests/support/browser/needs.ts";
import { expect, test } from "#tests/support/browser/test.ts";

declare global {
  interface Window {
    planted?: boolean;
  }
}

test.describe("an injected script", () => {
  test.use({ expectsCspViolations: true });

  test("does not run, and is reported once", async ({ page, site, cspViolations }) => {
    await page.route(`${site.url}/privacy`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace("</head>", "<script>window.planted = true</script></head>");
      await route.fulfill({ response, body });
    });
    const earlier = site.logged("csp-violation").length;
    await page.goto(`${site.url}/privacy`);
    expect(await page.evaluate(() => window.planted)).toBeUndefined();
    await expect
      .poll(() => site.logged("csp-violation").slice(earlier))
      .toMatchObject([{ level: "warn", directive: "script-src-elem", blocked: "inline", page: "/privacy" }]);
    await expect.poll(() => cspViolations).toHaveLength(1);
  });

  test("cannot write markup, load a script or create a function", async ({ page, site, cspViolations }) => {
    needs("roadmap");
    await page.goto(`${site.url}/roadmap`);
    const attempts = await page.evaluate(async () => {
      const attempt = (step: () => void) => {
        try {
          step();
          return "done";
        } catch (error) {
          return (error as Error).name;
        }
      };
      // Code run by the debugger may call eval; code run after a timer may not.
      await new Promise((resolve) => setTimeout(resolve));
      return [
        attempt(() => Object.assign(document.body, { innerHTML: "<img src=x onerror='window.planted = true'>" })),
        attempt(() => document.write("<script>window.planted = true</script>")),
        attempt(() => Object.assign(document.createElement("script"), { src: "https://evil.example/x.js" })),
        attempt(() => new Function("window.planted = true")()),
      ];
    });
    expect(attempts).toEqual(["TypeError", "TypeError", "TypeError", "EvalError"]);
    expect(await page.evaluate(() => window.planted)).toBeUndefined();
    await expect.poll(() => cspViolations.length).toBeGreaterThanOrEqual(4);
  });
});
