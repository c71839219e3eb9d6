import type { Page } from "@playwright/test";
import { hydrate, untilHydrated } from "#scripts/lib/hydrated.ts";
import { formOn } from "#tests/support/browser/sign-up-form.ts";

/**
 * Opens a page, types an address, which starts hydration, and has the page translated at a moment of hydration. Translated
 * texts stand in « ».
 */
export async function openTranslated(page: Page, url: string, moment: "before" | "during" | "after", typed: string) {
  if (moment === "before") {
    await page.addInitScript({ content: `addEventListener("DOMContentLoaded", ${translatePage})` });
  }
  if (moment === "during") {
    // React Router sets this when it starts to render.
    const set = `set: (router) => { delete window[name]; window[name] = router; (${translatePage})(); }`;
    const content = `{ const name = "__reactRouterDataRouter"; Object.defineProperty(window, name, { configurable: true, ${set} }); }`;
    await page.addInitScript({ content });
  }
  await page.goto(url);
  if (typed !== "") await formOn(page).email.fill(typed);
  await (typed === "" ? hydrate(page) : untilHydrated(page));
  if (moment === "after") await page.evaluate(translatePage);
}

/**
 * Puts translated texts into `<font><font>` where the texts were, now and whenever something changes, as Google Translate
 * does. Runs in the page.
 */
export function translatePage(): void {
  function translate() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const isLeftAlone = text.parentElement?.closest("script, style, noscript, svg, font, [translate=no]");
      if (text.data.trim() === "" || isLeftAlone) continue;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data.replace(/\S(.*\S)?/s, "«$&»");
      outer.append(inner);
      text.replaceWith(outer);
    }
  }

  document.documentElement.className = "translated-ltr";
  translate();
  new MutationObserver(translate).observe(document, { childList: true, characterData: true, subtree: true });
}

/** Errors in the console, but for failed requests, the refusal to share and view transitions that a slow machine skips. */
export function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => {
    if (!message.startsWith("Transition was skipped")) errors.push(message);
  });
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !/^(Failed to load resource|Sharing failed)/.test(text)) errors.push(text);
  });
  return errors;
}
