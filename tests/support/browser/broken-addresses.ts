import { expect, type Page } from "@playwright/test";

/** Tests that no address on a page begins on one line and ends on another, on a phone, a tablet and a desktop. */
export async function expectWholeAddresses(page: Page): Promise<void> {
  for (const width of [390, 800, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(brokenAddresses), `${width} px`).toEqual([]);
  }
}

/** Runs in the page. */
function brokenAddresses(): string[] {
  const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  let seen = 0;
  while (texts.nextNode()) {
    for (const { 0: address, index } of (texts.currentNode.textContent ?? "").matchAll(/[\w.]+@[\w.]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + address.length);
      seen += 1;
      if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) broken.push(address);
    }
  }
  return seen < 3 ? [`only ${seen} addresses`] : broken;
}
