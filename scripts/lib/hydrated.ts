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

/** Waits for hydration. Before it, the browser handles links and forms natively. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => window.isHydrated === true);
}

/** Makes every document of a browser context record its hydration. */
export async function recordHydration(context: BrowserContext): Promise<void> {
  await context.addInitScript((hydrated) => {
    document.addEventListener(hydrated, () => {
      window.isHydrated = true;
    });
  }, HYDRATED_EVENT);
}
