import { expect, test } from "vitest";
import { forgottenChanges } from "#scripts/deploy/warnings.ts";

const product = {
  name: "Pitchup",
  launch: "in spring 2027",
  launchDate: "2027-05-31",
  milestones: [{ title: "Opening day", status: "upcoming" as const }],
};

test("a changed name and a launch ahead give no warning", () => {
  expect(forgottenChanges(undefined, product, new Date("2027-05-31T23:00:00Z"))).toEqual([]);
});

test("a launch date that has passed is named, with what the site still says", () => {
  const [warning, ...others] = forgottenChanges(undefined, product, new Date("2027-06-01T00:00:00Z"));
  expect(warning).toMatch(/31 May 2027.*has passed.*"in spring 2027".*LAUNCH_URL.*app\/site\.ts/);
  expect(others).toEqual([]);
});

test("the sample's name is named", () => {
  const [warning, ...others] = forgottenChanges(undefined, { ...product, name: "Stallwright" }, new Date("2027-01-01"));
  expect(warning).toMatch(/still called Stallwright.*docs\/make-it-yours\.md/);
  expect(others).toEqual([]);
});

test("with LAUNCH_URL set the launch date does not matter, but a roadmap that still shows the launch as upcoming does", () => {
  const after = new Date("2027-06-01T00:00:00Z");
  const [warning, ...others] = forgottenChanges("https://app.market.test", product, after);
  expect(warning).toMatch(/LAUNCH_URL is set.*"Opening day".*milestones\.ts/);
  expect(others).toEqual([]);
  const milestones = [{ title: "Opening day", status: "completed" as const }];
  expect(forgottenChanges("https://app.market.test", { ...product, milestones }, after)).toEqual([]);
});
