import { expect } from "@playwright/test";
import { pressButton } from "#scripts/lib/hydrated.ts";
import { desktop, type EngineBrowser, until } from "#tests/support/engines/engine.ts";
import { hydrate, parts, untilPath, untilText, untilVisible, type Visit } from "#tests/support/engines/engine-test.ts";

const BROKEN = "broken on purpose";

/** If any module fails while it loads, the page stays with its form. */
export async function failingModules(visit: Visit): Promise<void> {
  const { browser, proxy, url } = visit;
  await browser.open(url);
  await hydrate(browser);
  const scripts = [...proxy.scripts];
  expect(scripts.length).toBeGreaterThan(4);
  for (const script of scripts) {
    await browser.newVisit(desktop);
    proxy.recorded.length = 0;
    proxy.changeScripts = (path, text) => (path === script ? `throw Error("${BROKEN}");${text}` : text);
    await browser.open(url);
    await browser.evaluate(pressButton);
    await untilBroken(visit);
    await until(
      async () => ({ script, ...(await pageOf(browser)) }),
      ({ heading, form, styles }) => heading && form && styles,
    );
  }
}

/** An error while React takes the page over leaves the page as the server sent it. */
export async function failingHydration(visit: Visit): Promise<void> {
  const { browser, proxy, url } = visit;
  proxy.changeScripts = breakRendering("true");
  await browser.newVisit(desktop);
  await browser.open(url);
  await browser.evaluate(pressButton);
  await untilBroken(visit);
  await until(
    () => pageOf(browser),
    ({ heading, form, styles }) => heading && form && styles,
  );
  await browser.type(parts.field, "after-failure@example.com");
  await browser.click(parts.join);
  await untilText(browser, parts.message, "Thanks for joining! Please check your email.");
}

/** An error while rendering a later page is replaced by the error page. */
export async function failingLater(visit: Visit): Promise<void> {
  const { browser, proxy, url } = visit;
  proxy.changeScripts = breakRendering("location.pathname === '/privacy'");
  await browser.newVisit(desktop);
  await browser.open(url);
  await browser.click(parts.decline);
  await untilVisible(browser, parts.banner, false);
  await hydrate(browser);
  await browser.click("footer a[href='/privacy']");
  await untilBroken(visit);
  await untilPath(browser, "/privacy");
  await untilText(browser, "main h1", "Something went wrong");
  await browser.click("main a[href='/']");
  await until(
    () => pageOf(browser),
    ({ heading, form }) => heading && form,
  );
}

/** Makes every component that renders the words of the button throw under a condition. */
function breakRendering(condition: string): (path: string, text: string) => string {
  const broken = `(()=>{if(${condition})throw Error("${BROKEN}");return "Join Waitlist"})()`;
  return (_, text) => text.replaceAll(/[`"']Join Waitlist[`"']/g, broken);
}

function untilBroken({ proxy }: Visit): Promise<unknown> {
  return until(
    async () => proxy.recorded.some((line) => line.includes(BROKEN)),
    (isBroken) => isBroken,
  );
}

function pageOf(browser: EngineBrowser) {
  return browser.evaluate(() => ({
    heading: (document.querySelector("main h1")?.getBoundingClientRect().height ?? 0) > 0,
    form: document.querySelector("#join input[name=email]") !== null,
    styles: document.styleSheets.length > 0,
  }));
}
