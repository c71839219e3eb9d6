import { expect, test, vi } from "vitest";
import { isEmailAddress, normaliseEmail } from "#app/server/email-address.ts";
import { suggestAddress } from "#app/waitlist/suggest-address.ts";

const local64 = "a".repeat(64);
const label63 = "b".repeat(63);
/** A domain of 250 characters, so that an address with a local part of three has 254. */
const longDomain = `${label63}.${label63}.${label63}.${"c".repeat(54)}.com`;

test.each([
  "ada@example.com",
  "ada+stalls@mail.example.co.uk",
  "o'brien@example.com",
  "zoë@bücher.example",
  "=ada?@example.com",
  "ada@example.com.",
  "ada@a--b.example",
  `${local64}@example.com`,
  `ada@${longDomain}`,
])("accepts %j", (value) => expect(isEmailAddress(value)).toBe(true));

test.each([
  "",
  "ada",
  "ada@example",
  "@example.com",
  "ada@.com@example.com",
  "ada@example.",
  " ada@example.com",
  "ada lovelace@example.com",
  "ada@example.com\nbcc: eve@example.com",
  "ada\u0000@example.com",
  "ada\u200b@example.com",
  "o’brien@example.com",
  "ada\ud800@example.com",
  "\ufffdda@example.com",
  "<ada@example.com>",
  "Ada<\u0338ada@example.com",
  "ada@example.com,eve.example",
  '"ada"@example.com',
  "ada(comment)@example.com",
  `a${local64}@example.com`,
  `adam@${longDomain}`,
])("rejects %j", (value) => expect(isEmailAddress(value)).toBe(false));

test.each(["=?utf-8?q?ada=40evil.example=3e?=@example.com", "ada=?iso-8859-1?b?YQ?=@example.com", "=?x@example.com"])(
  "rejects the encoded word in %j",
  (value) => expect(normaliseEmail(value)).toBeNull(),
);

test.each([
  [".example.com", "an empty first label"],
  ["example..com", "an empty label"],
  ["-example.com", "a leading hyphen"],
  ["example-.com", "a trailing hyphen"],
  [`${label63}b.com`, "a label of 64 characters"],
  [`${"ü".repeat(60)}.com`, "a label that is too long in ASCII"],
  ["2.3", "an IP address in short form"],
  ["192.0.2.1", "an IP address"],
  ["example.0x7f", "a number as the last label"],
  ["ex_ample.com", "an underscore"],
  ["ex%61mple.com", "a percent sign"],
  ["example.com/x", "a path"],
  ["example.com／x", "a full-width slash"],
  ["ex!ample.com", "punctuation"],
  ["xn--.com", "an empty encoded label"],
  ["\u0301example.com", "a combining character in front"],
])("rejects a domain that cannot exist, %s: %s", (domain) => expect(normaliseEmail(`ada@${domain}`)).toBeNull());

test.each([
  ["  Ada@Example.COM ", "ada@example.com"],
  ["ada@example.com.", "ada@example.com"],
  ["ada@Bücher.example", "ada@xn--bcher-kva.example"],
  ["ada@bu\u0308cher.example", "ada@xn--bcher-kva.example"],
  ["ada@faß.example", "ada@xn--fa-hia.example"],
  ["ada@ｇｍａｉｌ.com", "ada@gmail.com"],
  ["ada@ex。ample.com", "ada@ex.ample.com"],
  ["zoe\u0308@example.com", "zoë@example.com"],
  ["ZOË@example.com", "zoë@example.com"],
  // What comes along when an address is pasted.
  ["ada@example.com\r\n", "ada@example.com"],
  ["\u00a0ada@example.com\u202f", "ada@example.com"],
  ["\ufeffada@example.com\u200b", "ada@example.com"],
  ["\u202aada@example.com\u202c", "ada@example.com"],
  ["\u2068ada@example.com\u2069 \u200f", "ada@example.com"],
  ["ada@example.com.\u2028\u3000\u0085\ufe0f\u00ad", "ada@example.com"],
  // What word processors and foreign keyboards make of an apostrophe, which no provider sends to.
  ["O’Brien@example.com", "o'brien@example.com"],
  ["o‘b‛rʼi′e＇n´@example.com", "o'b'r'i'e'n'@example.com"],
  // It may be so in an international mailbox.
  ["zoë’s@example.com", "zoë’s@example.com"],
])("normalised, %j becomes %j", (typed, normalised) => expect(normaliseEmail(typed)).toBe(normalised));

test.each([[undefined], [null], [42], [["ada@example.com"]], [{ toString: () => "ada@example.com" }]])(
  "%j is not an address",
  (value) => expect(normaliseEmail(value)).toBeNull(),
);

test.each([
  ["spaces inside", `ada@example.com${" ".repeat(90_000)}x`],
  ["spaces around", " ".repeat(2_000_000)],
  ["many at signs", "@".repeat(90_000)],
])("refuses %s by their length, before any pattern reads them", (_, text) => {
  const patterns = vi.spyOn(RegExp.prototype, "exec");
  const results = [normaliseEmail(text), isEmailAddress(text), suggestAddress(text)];
  const read = patterns.mock.calls.map(([received]) => received.length);
  patterns.mockRestore();
  expect(results).toEqual([null, false, undefined]);
  expect(Math.max(0, ...read)).toBeLessThanOrEqual(1_000);
});
