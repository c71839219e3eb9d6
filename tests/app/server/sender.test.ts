import fc from "fast-check";
import { expect, test } from "vitest";
import { formatSender, parseSender } from "#app/server/sender.ts";

test.each([
  ["hello@example.com", null],
  ["Ada Maker <hello@example.com>", "Ada Maker"],
  ['"Maker, Ada" <hello@example.com>', "Maker, Ada"],
  ["Zoë & Søn <hello@example.com>", "Zoë & Søn"],
  ["<hello@example.com>", null],
])("%s is read", (text, name) => {
  expect(parseSender(text)).toEqual({ name, address: "hello@example.com" });
});

test.each([
  "Ada Maker",
  "Ada <hello>",
  "Ada <hello@example.com",
  "Ada <a@example.com> <b@example.com>",
  "Ada\r\nBcc: eve@example.com <hello@example.com>",
  'A"da <hello@example.com>',
  `${"x".repeat(101)} <hello@example.com>`,
])("%j is refused", (text) => {
  expect(parseSender(text)).toBeNull();
});

test("any name that is accepted is read again from the header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
      const sender = parseSender(`"${text}" <hello@example.com>`);
      fc.pre(sender !== null);
      expect(parseSender(formatSender(sender as NonNullable<typeof sender>))).toEqual(sender);
    }),
  );
});
