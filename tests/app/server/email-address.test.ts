import { describe, expect, test } from "vitest";
import { isEmailAddress, normaliseEmail } from "#app/server/email-address.ts";

const local64 = "a".repeat(64);

describe("accepts", () => {
  test.each([
    "ada@example.com",
    "ada+stalls@mail.example.co.uk",
    "o'brien@example.com",
    "zoë@bücher.example",
    "1@2.3",
    `${local64}@example.com`,
    `ada@${"b".repeat(254 - 8)}.com`,
  ])("%j", (value) => expect(isEmailAddress(value)).toBe(true));
});

describe("rejects", () => {
  test.each([
    "",
    "ada",
    "ada@example",
    "@example.com",
    "ada@.com@example.com",
    "ada@@example.com",
    "ada@example.",
    "ada lovelace@example.com",
    "ada@example.com\nbcc: eve@example.com",
    "ada@example.com\r",
    "ada\u0000@example.com",
    "ada\u2028@example.com",
    "ada\u200b@example.com",
    "ada\ud800@example.com",
    "\ufffdda@example.com",
    "<ada@example.com>",
    "Ada<ada@example.com>",
    "ada@example.com,eve.example",
    '"ada"@example.com',
    "ada(comment)@example.com",
    `a${local64}@example.com`,
    `ada@${"b".repeat(255 - 8)}.com`,
  ])("%j", (value) => expect(isEmailAddress(value)).toBe(false));
});

test("normalising lower-cases and trims spaces", () => {
  expect(normaliseEmail("  Ada@Example.COM ")).toBe("ada@example.com");
});

test.each([[undefined], [null], [42], [["ada@example.com"]], [{ toString: () => "ada@example.com" }]])(
  "%j is not an address",
  (value) => expect(normaliseEmail(value)).toBeNull(),
);
