import { expect, test } from "vitest";
import { colour } from "#app/ui/theme.ts";

test.each(["light", "dark"] as const)("the path has the colour of sand, not a grey, in the %s scheme", (scheme) => {
  const [red = 0, green = 0, blue = 0] = (colour("trail", scheme).match(/\w\w/g) ?? []).map((part) =>
    parseInt(part, 16),
  );
  expect(red).toBeGreaterThan(green);
  expect(green).toBeGreaterThan(blue);
  expect(red - blue).toBeGreaterThan(40);
});
