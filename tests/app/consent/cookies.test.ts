import { expect, test } from "vitest";
import { consentCategories } from "#app/consent/categories.ts";
import { isCookieOf } from "#app/consent/cookies.ts";
import { preferenceCookie } from "#app/consent/preference-cookie.ts";

test.each([
  ["cookiePreferences", "necessary"],
  ["_ga", "analytics"],
  ["_ga_ABC123", "analytics"],
  ["_gid", "analytics"],
  ["_gat", "analytics"],
  ["_gat_UA-1-1", "analytics"],
  ["_fbp", "marketing"],
  ["_fbp2", "marketing"],
  ["_fbc_x", "marketing"],
  ["_gate", null],
  ["_garden", null],
  ["cookiePreferences2", null],
  ["session", null],
])("%s belongs to %s", (name, category) => {
  expect(consentCategories.filter((candidate) => isCookieOf(candidate, name))).toEqual(category ? [category] : []);
});

test("the preference cookie has the attributes of the specification", () => {
  expect(preferenceCookie).toEqual({ name: "cookiePreferences", maxAgeDays: 365, path: "/", sameSite: "Lax" });
});
