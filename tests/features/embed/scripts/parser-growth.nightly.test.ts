import { test } from "vitest";
import { readOrigin } from "#app/features/embed/read-origin.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const parsers: Parser[] = [["an origin", "https://", (text) => readOrigin(text, "https://b.example")]];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
