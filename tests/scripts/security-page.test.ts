import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

const page = readFileSync(`${root}/docs/security.md`, "utf8");

test("the security page covers all 17 chapters of ASVS 5.0, each with its result", () => {
  const chapters = [...page.matchAll(/^\| V(\d+) [^|]+ \| [^|]+ \| [^|]+ \|$/gm)].map(([, number]) => Number(number));
  expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
});

test.each([
  ["security.md", 20],
  ["security-review.md", 10],
])("every test that %s names exists", (name, atLeast) => {
  const text = readFileSync(`${root}/docs/${name}`, "utf8");
  const files = [...text.matchAll(/`(tests\/[^`]+)`/g)].map(([, file]) => file ?? "");
  expect(files.length).toBeGreaterThan(atLeast);
  expect(files.filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
});
