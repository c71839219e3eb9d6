import { describe, expect, test } from "vitest";
import { describeProblems, parseConfig } from "#app/config.server.ts";

const required = {
  SITE_URL: "https://stallwright.example",
  CONTACT_EMAIL: "hello@stallwright.example",
  CONTROLLER_NAME: "The owner",
  CONTROLLER_ADDRESS: "1 Market Square",
  LINK_SECRET: "0123456789abcdef0123456789abcdef",
};

test("the required variables alone make a configuration with everything else off", () => {
  expect(parseConfig(required)).toEqual({ config: required, problems: [] });
});

test("bindings and variables it does not know are left alone, and blank optional ones count as unset", () => {
  expect(parseConfig({ ...required, DB: {}, HOME: "/root", SURVEY_URL: "" })).toEqual({
    config: required,
    problems: [],
  });
});

test("an origin is taken without its trailing slash", () => {
  expect(parseConfig({ ...required, SITE_URL: "https://Stallwright.example/" }).config?.SITE_URL).toBe(
    required.SITE_URL,
  );
});

test("Turnstile's two keys go together, and one alone is off and says what it lacks", () => {
  const both = { TURNSTILE_SITE_KEY: "1x0", TURNSTILE_SECRET: "2x0" };
  expect(parseConfig({ ...required, ...both })).toEqual({ config: { ...required, ...both }, problems: [] });
  for (const [name, other] of [Object.keys(both), Object.keys(both).toReversed()] as [string, string][]) {
    expect(parseConfig({ ...required, [other]: "1x0" })).toEqual({
      config: required,
      problems: [{ name, problem: `must be set where ${other} is`, fatal: false }],
    });
  }
});

test.each(["250", 250])("MAIL_PER_HOUR=%j is a number, as text or as it is", (value) => {
  const { config, problems } = parseConfig({ ...required, MAIL_PER_HOUR: value });
  expect({ perHour: config?.MAIL_PER_HOUR, problems }).toEqual({ perHour: 250, problems: [] });
});

describe("a missing required variable", () => {
  test.each(Object.keys(required))("%s leaves no configuration and is named", (name) => {
    const { config, problems } = parseConfig({ ...required, [name]: undefined });
    expect(config).toBeNull();
    expect(describeProblems(problems)).toBe(`${name}: is not set`);
  });
});

describe("a malformed required variable", () => {
  test.each([
    ["SITE_URL", "stallwright.example"],
    ["SITE_URL", "https://stallwright.example/home"],
    ["SITE_URL", "ftp://stallwright.example"],
    ["SITE_URL", 42],
    ["CONTACT_EMAIL", "hello"],
    ["CONTACT_EMAIL", "hello@stallwright.example\nBcc: eve@example.com"],
    ["CONTROLLER_NAME", "   "],
    ["LINK_SECRET", "too-short"],
  ])("%s=%j leaves no configuration and is named", (name, value) => {
    const { config, problems } = parseConfig({ ...required, [name]: value });
    expect(config).toBeNull();
    expect(problems).toEqual([{ name, problem: expect.stringMatching(/^must /), fatal: true }]);
  });
});

describe("a malformed optional variable", () => {
  test.each([
    ["SURVEY_URL", "http://forms.example/1"],
    ["SURVEY_URL", "javascript:alert(1)"],
    ["SUPPORT_URL", "coffee"],
    ["FACEBOOK_URL", "//facebook.example"],
    ["MAIL_FROM", "Stallwright"],
    ["LINK_SECRET_PREVIOUS", "too-short"],
    ["RESEND_URL", "resend.example"],
    ["MAIL_PER_HOUR", "many"],
    ["MAIL_PER_HOUR", "0"],
    ["MAIL_PER_HOUR", "1.5"],
    ["MAIL_PER_HOUR", true],
    ["OWNER_EMAIL", "me"],
  ])("%s=%j is off and named, and the rest works", (name, value) => {
    const { config, problems } = parseConfig({ ...required, [name]: value });
    expect(config).toEqual(required);
    expect(problems).toEqual([{ name, problem: expect.stringMatching(/^must /), fatal: false }]);
  });
});
