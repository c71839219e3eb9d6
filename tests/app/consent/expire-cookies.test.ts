import { expect, test } from "vitest";
import { expireCookies } from "#app/consent/expire-cookies.ts";

const nothing = { analytics: false, marketing: false };

test("expires the cookies of declined categories, and no others", () => {
  const cookies = "_ga=1; _ga_X1=2; _gid=3; _fbp=4; session=5; _garden=6; cookiePreferences=7";
  expect(expireCookies(cookies, "localhost", { analytics: false, marketing: true })).toEqual(
    ["_ga", "_ga_X1", "_gid"].map((name) => `${name}=; Max-Age=0; Path=/`),
  );
  expect(expireCookies(cookies, "localhost", { analytics: true, marketing: false })).toEqual([
    "_fbp=; Max-Age=0; Path=/",
  ]);
  expect(expireCookies(cookies, "localhost", { analytics: true, marketing: true })).toEqual([]);
});

test("expires cookies on the host and on every parent domain", () => {
  expect(expireCookies("_fbc=1", "www.shop.stalls.example", nothing)).toEqual([
    "_fbc=; Max-Age=0; Path=/",
    "_fbc=; Max-Age=0; Path=/; Domain=www.shop.stalls.example",
    "_fbc=; Max-Age=0; Path=/; Domain=shop.stalls.example",
    "_fbc=; Max-Age=0; Path=/; Domain=stalls.example",
  ]);
});

test("an IP address has no parent domain", () => {
  expect(expireCookies("_fbc=1", "127.0.0.1", nothing)).toEqual(["_fbc=; Max-Age=0; Path=/"]);
});

test("ignores malformed names and expires repeated names once", () => {
  expect(expireCookies("_fbp\r\nSet-Cookie: a=1; _fbp,x=1; _ga=1; _ga=2; ", "localhost", nothing)).toEqual([
    "_ga=; Max-Age=0; Path=/",
  ]);
});

test("limits the number of cookies expired for a forged header", () => {
  const cookies = Array.from({ length: 500 }, (_, index) => `_fbp${index}=1`).join("; ");
  expect(expireCookies(cookies, "localhost", nothing).length).toBeLessThan(50);
});
