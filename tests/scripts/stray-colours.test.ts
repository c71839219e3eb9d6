import { expect, test } from "vitest";
import { coloursIn } from "#scripts/lib/stray-colours.ts";

test.each([
  ["a.css", "  color: #1f6f5c;", "#1f6f5c"],
  ["a.css", "  --edge: #fff;", "#fff"],
  ["a.css", "  box-shadow: 0 0 2px rgb(1 2 3 / 0.5);", "rgb("],
  ["a.css", "  color: color-mix(in srgb, var(--ink) 75%, var(--paper));", "color-mix("],
  ["a.css", "  background: white;", "white"],
  ["a.css", '  background: url("data:image/svg+xml,fill=%23abc");', "%23abc"],
  ["a.tsx", '<path stroke="#f4b95a" />', "#f4b95a"],
  ["a.tsx", '<path fill="gold" />', "gold"],
  ["a.ts", "const page = `body { color: rgb(1, 2, 3) }`;", "rgb("],
])("%s with %s has a colour of its own", (file, line, colour) => {
  expect(coloursIn(file, `\n${line}\n`)).toEqual([`${file}:2: ${colour}`]);
});

test.each([
  ["a.css", ".gold { fill: var(--gold); color: currentColor; white-space: nowrap }"],
  ["a.css", "  white-space: nowrap;"],
  ["a.css", "  box-shadow: 0 -8px 24px -12px rgb(0 0 0 / 0.35);"],
  ["a.tsx", '<Stall hue="gold" href="#main" className="green" />'],
  ["a.ts", 'import { site } from "#app/site.ts";'],
])("%s with %s has none", (file, line) => {
  expect(coloursIn(file, line)).toEqual([]);
});
