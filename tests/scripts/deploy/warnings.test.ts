import { expect, test } from "vitest";
import { forgottenChanges } from "#scripts/deploy/warnings.ts";

const product = { name: "Pitchup", launch: "in spring 2027", launchDate: "2027-05-31" };

test("a changed name and a launch ahead give no warning", () => {
  expect(forgottenChanges(product, new Date("2027-05-31T23:00:00Z"))).toEqual([]);
});

test("a launch date that has passed is named, with what the site still says", () => {
  const [warning, ...others] = forgottenChanges(product, new Date("2027-06-01T00:00:00Z"));
  expect(warning).toMatch(/31 May 2027.*has passed.*"in spring 2027".*app\/site\.ts/);
  expect(others).toEqual([]);
});

test("the sample's name is named", () => {
  const [warning, ...others] = forgottenChanges({ ...product, name: "Stallwright" }, new Date("2027-01-01"));
  expect(warning).toMatch(/still called Stallwright.*docs\/make-it-yours\.md/);
  expect(others).toEqual([]);
});
