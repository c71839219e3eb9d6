import { test } from "vitest";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const parsers: Parser[] = [["a letter", "", (text) => parseLetter(text)]];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
