import type { Page } from "@playwright/test";

/**
 * Replaces the browser's share sheet and clipboard. `refused`: the clipboard takes nothing.
 *
 * @returns the values that reach them
 */
export async function fakeSharing(page: Page, options: { native: boolean; refused?: boolean }) {
  const shared: unknown[] = [];
  await page.exposeFunction("collect", (value: unknown) => void shared.push(value));
  await page.addInitScript(({ native, refused }) => {
    const collect = (window as unknown as { collect: (value: unknown) => Promise<void> }).collect;
    const writeText = refused ? () => Promise.reject(new DOMException("no", "NotAllowedError")) : collect;
    Object.defineProperty(navigator, "share", { value: native ? collect : undefined });
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  }, options);
  return shared;
}
