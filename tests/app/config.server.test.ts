import { describe, expect, test } from "vitest";
import { describeProblems, parseConfig } from "#app/config.server.ts";

const required = {
  SITE_URL: "https://stallwright.example",
  CONTACT_EMAIL: "hello@stallwright.example",
  CONTROLLER_NAME: "The owner",
  CONTROLLER_ADDRESS: "1 Market Square",
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

test("the ids of analytics, pixel and web analytics are taken as they are", () => {
  const ids = {
    GA_MEASUREMENT_ID: "G-ABC123DEF4",
    META_PIXEL_ID: "123456789012345",
    CF_BEACON_TOKEN: "0123456789abcdef0123456789abcdef",
  };
  expect(parseConfig({ ...required, ...ids })).toEqual({ config: { ...required, ...ids }, problems: [] });
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
    ["GA_MEASUREMENT_ID", "UA-12345-1"],
    ["GA_MEASUREMENT_ID", "G-ABC'+alert(1)+'"],
    ["META_PIXEL_ID", "pixel"],
    ["META_PIXEL_ID", 1234567890],
    ["CF_BEACON_TOKEN", "\"}'><script>"],
  ])("%s=%j is off and named, and the rest works", (name, value) => {
    const { config, problems } = parseConfig({ ...required, [name]: value });
    expect(config).toEqual(required);
    expect(problems).toEqual([{ name, problem: expect.stringMatching(/^must /), fatal: false }]);
  });
});
