import type { BrowserContext, Page } from "@playwright/test";
import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";

declare global {
  interface Window {
    /** Set by {@link recordHydration}. */
    isHydrated?: boolean;
    /** Set by React Router after hydration. */
    __reactRouterDataRouter: { navigate(to: string): Promise<void>; state: { actionData: unknown } };
  }
}

/** Starts hydration as a press on a script-only button does, and waits for it. */
export async function hydrate(page: Page): Promise<void> {
  await page.waitForLoadState("domcontentloaded");
  await page.evaluate(pressButton);
  await untilHydrated(page);
}

/** Presses a button that does nothing. Runs in the page. */
export function pressButton(): void {
  const button = document.createElement("button");
  button.type = "button";
  document.body.append(button);
  button.click();
  button.remove();
}

/** Waits for hydration. Before it, the browser handles links and forms natively. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => window.isHydrated === true);
}

/** Moves the pointer and presses a key without effect, as a reader does. */
export async function touchPage(page: Page): Promise<void> {
  await page.mouse.move(40, 200);
  await page.mouse.move(44, 204);
  await page.keyboard.press("Shift");
}

/** Makes every document of a browser context record its hydration. */
export async function recordHydration(context: BrowserContext): Promise<void> {
  await context.addInitScript((hydrated) => {
    document.addEventListener(hydrated, () => {
      window.isHydrated = true;
    });
  }, HYDRATED_EVENT);
}
