import { expect } from "@playwright/test";
import { pressButton } from "#scripts/lib/hydrated.ts";
import { desktop, type EngineBrowser, until } from "#tests/support/engines/engine.ts";
import { hydrate, parts, untilText, type Visit } from "#tests/support/engines/engine-test.ts";

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
  // Every component that renders the words of the button.
  const broken = `(()=>{throw Error("${BROKEN}")})()`;
  proxy.changeScripts = (_, text) => text.replaceAll(/[`"']Join Waitlist[`"']/g, broken);
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
