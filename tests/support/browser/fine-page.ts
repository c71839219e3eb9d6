import type { Page } from "@playwright/test";
import { schemes } from "#scripts/lib/site-paths.ts";
import { htmlProblems } from "#tests/support/browser/html.ts";
import { sidewaysScroll, violations } from "#tests/support/browser/measure.ts";
import { expect } from "#tests/support/browser/owner-test.ts";

/** Whatever an owner's page shows: valid HTML, no sideways scroll, and accessible in both schemes. The checker is a script. */
export async function expectFinePage(page: Page, javaScriptEnabled: boolean): Promise<void> {
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await htmlProblems(await page.content())).toEqual([]);
  if (!javaScriptEnabled) return;
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page), colorScheme).toEqual([]);
  }
}
