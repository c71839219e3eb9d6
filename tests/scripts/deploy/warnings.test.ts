import { expect, test } from "vitest";
import { launchDateWarning } from "#app/owner/overview/launch-date.ts";

const at = (time: string) => Date.parse(time);

test("a launch ahead gives no warning, nor does an open product, nor a site without a launch date", () => {
  expect(launchDateWarning(undefined, at("2027-05-31T23:00:00Z"), "2027-05-31")).toBeNull();
  expect(launchDateWarning("https://app.market.test", at("2027-06-01T00:00:00Z"), "2027-05-31")).toBeNull();
  expect(launchDateWarning(undefined, at("2027-06-01T00:00:00Z"), null)).toBeNull();
});

test("a launch date that has passed is named", () => {
  const warning = launchDateWarning(undefined, at("2027-06-01T00:00:00Z"), "2027-05-31");
  expect(warning).toMatch(/31 May 2027.*has passed.*LAUNCH_URL.*launchDate.*app\/site\.ts/s);
});
