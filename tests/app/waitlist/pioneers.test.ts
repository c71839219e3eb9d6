import { expect, test } from "vitest";
import { atLeast } from "#app/waitlist/pioneers.server.ts";

test.each([
  [0, null],
  [99, null],
  [100, "100+"],
  [149, "100+"],
  [150, "150+"],
  [999, "950+"],
  [1_000, "1,000+"],
  [1_499, "1,000+"],
  [12_345, "10,000+"],
  [1_050_000, "1,000,000+"],
])("of %i Pioneers visitors read %s", (count, text) => {
  expect(atLeast(count)).toBe(text);
});
