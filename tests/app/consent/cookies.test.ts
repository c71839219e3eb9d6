import { expect, test } from "vitest";
import { consentCategories } from "#app/consent/categories.ts";
import { isCookieOf } from "#app/consent/cookies.ts";
import { expireCookies } from "#app/consent/expire-cookies.ts";

const nothing = { analytics: false, marketing: false };

test.each([
  ["cookiePreferences", "necessary"],
  ["_ga", "analytics"],
  ["_ga_ABC123", "analytics"],
  ["_gid", "analytics"],
  ["_gat_UA-1-1", "analytics"],
  ["_fbp2", "marketing"],
  ["_fbc_x", "marketing"],
  ["_gate", null],
  ["_garden", null],
  ["cookiePreferences2", null],
  ["session", null],
])("%s belongs to %s", (name, category) => {
  expect(consentCategories.filter((candidate) => isCookieOf(candidate, name))).toEqual(category ? [category] : []);
});

test.each([
  [
    "on the host and every parent domain",
    "_fbc=1",
    "www.shop.stalls.example",
    [
      "_fbc=; Max-Age=0; Path=/",
      "_fbc=; Max-Age=0; Path=/; Domain=www.shop.stalls.example",
      "_fbc=; Max-Age=0; Path=/; Domain=shop.stalls.example",
      "_fbc=; Max-Age=0; Path=/; Domain=stalls.example",
    ],
  ],
  ["only on the host if that is an IP address", "_fbc=1", "127.0.0.1", ["_fbc=; Max-Age=0; Path=/"]],
  [
    "once, and not with malformed names",
    "_fbp\r\nSet-Cookie: a=1; _fbp,x=1; _ga=1; _ga=2; session=3; ",
    "localhost",
    ["_ga=; Max-Age=0; Path=/"],
  ],
])("cookies of declined categories expire %s", (_, cookies, host, expected) => {
  expect(expireCookies(cookies, host, nothing)).toEqual(expected);
});

test("limits the number of cookies expired for a forged header", () => {
  const cookies = Array.from({ length: 500 }, (_, index) => `_fbp${index}=1`).join("; ");
  expect(expireCookies(cookies, "localhost", nothing).length).toBeLessThan(50);
});
