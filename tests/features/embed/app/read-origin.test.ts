import { expect, test } from "vitest";
import { readOrigin } from "#app/features/embed/read-origin.ts";

const OWN = "https://waitlist-site.example";

test.each([
  ["  https://Shop.Example/about?x=1#top ", "https://shop.example"],
  ["HTTPS://shop.example:443/", "https://shop.example"],
  ["https://my_shop.example./", "https://my_shop.example"],
  ["shop.example:8443/page", "https://shop.example:8443"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["https://shop.example.:8443", "https://shop.example:8443"],
  ["https://203.0.113.7", "https://203.0.113.7"],
  ["https://[2001:DB8::7]/", "https://[2001:db8::7]"],
])("%j is %s", (typed, origin) => {
  expect(readOrigin(typed, OWN)).toEqual({ origin });
});

test.each([
  ["", "Enter the address"],
  ["http://shop.example", "must begin with https://"],
  ["HTTP://shop.example", "must begin with https://"],
  ["ftp://shop.example", "is not the address of a site"],
  ["https://", "is not the address of a site"],
  ["https://*.example.com", "is not the address of a site"],
  ["https://localhost", "is not the address of a site"],
  ["two words", "is not the address of a site"],
  [`${OWN}/privacy`, "Forms on this site need no permission"],
])("%j is refused", (typed, problem) => {
  expect(readOrigin(typed, OWN)).toEqual({ problem: expect.stringContaining(problem) });
});

const HOME = "http://localhost:8787";

test.each([
  ["http://localhost:3000/shop", "http://localhost:3000"],
  ["http://shop.localhost", "http://shop.localhost"],
  ["https://[::1]", "https://[::1]"],
])("from a site on a loopback address, %j is %s", (typed, origin) => {
  expect(readOrigin(typed, HOME)).toEqual({ origin });
  if (typed.startsWith("http:")) expect(readOrigin(typed, OWN)).toHaveProperty("problem");
});

test.each([
  "http://shop.example",
  "http://192.168.1.20",
  "http://printer.local",
  "ftp://localhost",
  "https://shop",
  HOME,
])("from there, %s is refused", (typed) => {
  expect(readOrigin(typed, HOME)).toHaveProperty("problem");
});
