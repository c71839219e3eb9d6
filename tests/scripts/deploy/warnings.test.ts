import { expect, test } from "vitest";
import { launchDateWarning } from "#scripts/deploy/settings.ts";

test("a launch ahead gives no warning, nor does an open product", () => {
  expect(launchDateWarning(undefined, "2027-05-31", new Date("2027-05-31T23:00:00Z"))).toBeNull();
  expect(launchDateWarning("https://app.market.test", "2027-05-31", new Date("2027-06-01T00:00:00Z"))).toBeNull();
});

test("a launch date that has passed is named", () => {
  const warning = launchDateWarning(undefined, "2027-05-31", new Date("2027-06-01T00:00:00Z"));
  expect(warning).toMatch(/31 May 2027.*has passed.*LAUNCH_URL.*app\/site\.ts/);
});
