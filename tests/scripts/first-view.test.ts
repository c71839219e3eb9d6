import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { firstViewBytes } from "#scripts/lib/first-view.ts";

const KB = 1024;

/** A page with text that does not compress, before or after its form. */
function page({ before = "", after = "" }): string {
  const form = '<form id="join"><button>Join</button><div role="status"></div></form>';
  const picture = '<svg class="market"><path></path></svg>';
  return `<style>a{}</style><header>Bar</header><h1>Headline</h1>${before}${form}${picture}${after}`;
}

const filler = randomBytes(20 * KB).toString("base64");

test("the first view counts with all that is sent before it, and nothing that is sent after it", () => {
  expect(firstViewBytes(page({ after: filler }))).toBeLessThan(1 * KB);
  expect(firstViewBytes(page({ before: filler }))).toBeGreaterThan(18 * KB);
});

test("a page without a part is an error", () => {
  expect(() => firstViewBytes("<style></style><header></header><h1></h1>")).toThrow("The page has no <form");
});
