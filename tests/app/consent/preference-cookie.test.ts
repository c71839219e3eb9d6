import { expect, test } from "vitest";
import {
  type Preference,
  preferenceCookieText,
  readPreference,
  resolveChoice,
} from "#app/consent/preference-cookie.ts";

const both: Preference = { analytics: true, marketing: true };
const none: Preference = { analytics: false, marketing: false };

/** The `Cookie` header of a browser that has stored a value. */
function saved(value: string): string {
  return `first=1; cookiePreferences=${encodeURIComponent(value)}; last=2`;
}

test.each([
  [none, false],
  [both, true],
  [{ analytics: true, marketing: false }, true],
])("reads %j as it was saved", (preference, secure) => {
  const text = preferenceCookieText(preference, secure);
  expect(readPreference(text.split("; ")[0] ?? "")).toEqual(preference);
});

test("a saved choice lasts 365 days on every path, and is Secure if saved over https", () => {
  const [value, ...attributes] = preferenceCookieText(both, true).split("; ");
  expect(JSON.parse(decodeURIComponent(value?.split("=")[1] ?? ""))).toEqual({ necessary: true, ...both });
  expect(attributes).toEqual(["Max-Age=31536000", "Path=/", "SameSite=Lax", "Secure"]);
  expect(preferenceCookieText(both, false)).not.toContain("Secure");
});

test.each(["", "other=1", "xcookiePreferences=1", "cookiePreferences2=1"])("%j contains no choice", (cookies) => {
  expect(readPreference(cookies)).toBe("none");
});

test.each([
  ["with only the three specified fields", encodeURIComponent('{"necessary":true,"analytics":true,"marketing":false}')],
  ["in the spelling of js-cookie", "{%22necessary%22:true%2C%22analytics%22:true,%22marketing%22:false}"],
])("a value %s is a choice", (_, value) => {
  expect(readPreference(`cookiePreferences=${value}`)).toEqual({ analytics: true, marketing: false });
});

test("a choice made under another version of the policy is outdated", () => {
  expect(readPreference(saved('{"necessary":true,"analytics":true,"marketing":true,"v":2}'))).toBe("outdated");
});

test.each([
  "",
  "[true,true,true]",
  "{",
  '{"analytics":"yes"}',
  '{"necessary":true,"analytics":1,"marketing":0,"v":1}',
  '{"necessary":true,"analytics":true,"v":1}',
  '{"necessary":false,"analytics":true,"marketing":true,"v":1}',
  '{"necessary":true,"analytics":true,"marketing":true,"v":null}',
  "x".repeat(4_000),
])("%j is unreadable", (value) => {
  expect(readPreference(saved(value))).toBe("unreadable");
});

test("a value with invalid percent-encoding is unreadable", () => {
  expect(readPreference("cookiePreferences=%E0%A4%A")).toBe("unreadable");
});

test.each([
  ["decline", both, false, none],
  ["decline", both, true, none],
  ["selected", none, false, none],
  ["selected", { analytics: false, marketing: true }, true, { analytics: false, marketing: true }],
  ["accept", none, false, both],
  ["accept", none, true, { analytics: true, marketing: false }],
  ["accept", both, true, both],
] as const)("%s with toggles %j and Global Privacy Control %j resolves to %j", (choice, toggles, gpc, expected) => {
  expect(resolveChoice(choice, toggles, gpc)).toEqual(expected);
});
