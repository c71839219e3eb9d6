import type { BrowserContext, Page } from "@playwright/test";
import { HYDRATED } from "#app/late/starter.ts";

declare global {
  interface Window {
    /** Set by {@link noteStart}. */
    hasStarted?: boolean;
    /** React Router's own, once the application has started. */
    __reactRouterDataRouter: { navigate(to: string): Promise<void>; state: { actionData: unknown } };
  }
}

/** Until the application has taken over, links load documents and forms are the browser's. */
export async function untilStarted(page: Page): Promise<void> {
  await page.waitForFunction(() => window.hasStarted === true);
}

/** Has every document of a browser note that the application has taken it over. */
export async function noteStart(context: BrowserContext): Promise<void> {
  await context.addInitScript((hydrated) => {
    document.addEventListener(hydrated, () => {
      window.hasStarted = true;
    });
  }, HYDRATED);
}
