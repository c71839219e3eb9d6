import { expect, test, vi } from "vitest";
import { isEmailAddress, normaliseEmail } from "#app/server/email-address.ts";
import { suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";
import { words } from "#tests/support/words.ts";

const local64 = "a".repeat(64);
const label63 = "b".repeat(63);
/** A domain of 250 characters, so that an address with a local part of three has 254. */
const longDomain = `${label63}.${label63}.${label63}.${"c".repeat(54)}.com`;

const accepted = words(`ada@example.com ada+stalls@mail.example.co.uk o'brien@example.com zoë@bücher.example
  =ada?@example.com ada@example.com. ada@a--b.example ${local64}@example.com ada@${longDomain}`);
test.each(accepted)("accepts %j", (value) => expect(isEmailAddress(value)).toBe(true));

const rejected = words(`ada ada@example @example.com ada@.com@example.com ada@example. ada\u0000@example.com
  ada\u200b@example.com o’brien@example.com ada\ud800@example.com \ufffdda@example.com <ada@example.com>
  Ada<\u0338ada@example.com ada@example.com,eve.example "ada"@example.com ada(comment)@example.com
  a${local64}@example.com adam@${longDomain}`);
const spaced = ["", " ada@example.com", "ada lovelace@example.com", "ada@example.com\nbcc: eve@example.com"];
test.each([...rejected, ...spaced])("rejects %j", (value) => expect(isEmailAddress(value)).toBe(false));

const encoded = words("=?utf-8?q?ada=40evil.example=3e?=@b.example ada=?iso-8859-1?b?YQ?=@b.example =?x@b.example");
test.each([...encoded, undefined, null, 42, ["ada@example.com"], { toString: () => "ada@example.com" }])(
  "%j is not an address",
  (value) => expect(normaliseEmail(value)).toBeNull(),
);

test.each([
  ["an empty label", ".example.com", "example..com", "xn--.com"],
  ["a hyphen at an end", "-example.com", "example-.com"],
  ["a label that is too long, also in ASCII", `${label63}b.com`, `${"ü".repeat(60)}.com`],
  ["an IP address, also in short form", "192.0.2.1", "2.3"],
  ["a number as the last label", "example.0x7f"],
  ["an underscore, a percent sign or other punctuation", "ex_ample.com", "ex%61mple.com", "ex!ample.com"],
  ["a path, also after a full-width slash", "example.com/x", "example.com／x"],
  ["a combining character in front", "\u0301example.com"],
])("rejects a domain that cannot exist: %s", (_, ...domains) => {
  expect(domains.filter((domain) => normaliseEmail(`ada@${domain}`) !== null)).toEqual([]);
});

test.each([
  ["ada@example.com", "  Ada@Example.COM ", "ada@example.com."],
  ["ada@xn--bcher-kva.example", "ada@Bücher.example", "ada@bu\u0308cher.example"],
  ["ada@xn--fa-hia.example", "ada@faß.example"],
  ["ada@gmail.com", "ada@ｇｍａｉｌ.com"],
  ["ada@ex.ample.com", "ada@ex。ample.com"],
  ["zoë@example.com", "zoe\u0308@example.com", "ZOË@example.com"],
  // What comes along when an address is pasted.
  ["ada@example.com", "ada@example.com\r\n", "\u00a0ada@example.com\u202f", "\ufeffada@example.com\u200b"],
  ["ada@example.com", "\u202aada@example.com\u202c", "\u2068ada@example.com\u2069 \u200f"],
  ["ada@example.com", "ada@example.com.\u2028\u3000\u0085\ufe0f\u00ad"],
  // What word processors and foreign keyboards make of an apostrophe, which no provider sends to.
  ["o'brien@example.com", "O’Brien@example.com"],
  ["o'b'r'i'e'n'@example.com", "o‘b‛rʼi′e＇n´@example.com"],
  // It may be so in an international mailbox.
  ["zoë’s@example.com", "zoë’s@example.com"],
])("%j is the normal form of its spellings", (normalised, ...spellings) => {
  for (const typed of spellings) expect(normaliseEmail(typed), JSON.stringify(typed)).toBe(normalised);
});

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
