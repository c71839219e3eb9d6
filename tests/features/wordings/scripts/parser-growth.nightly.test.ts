import { test } from "vitest";
import { checkWording } from "#app/features/wordings/check-wording.server.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const parsers: Parser[] = [
  ["an email's words", "", (text) => checkWording("welcome", { subject: text, heading: text, body: text })],
];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
