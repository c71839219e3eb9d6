import type { BrowserContext, Page } from "@playwright/test";
import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";

declare global {
  interface Window {
    /** Set by {@link recordHydration}. */
    hasStarted?: boolean;
    /** React Router's own, once the application has started. */
    __reactRouterDataRouter: { navigate(to: string): Promise<void>; state: { actionData: unknown } };
  }
}

/** Until the application has taken over, links load documents and forms are the browser's. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => window.hasStarted === true);
}

/** Has every document of a browser note that the application has taken it over. */
export async function recordHydration(context: BrowserContext): Promise<void> {
  await context.addInitScript((hydrated) => {
    document.addEventListener(hydrated, () => {
      window.hasStarted = true;
    });
  }, HYDRATED_EVENT);
}
