import { test } from "vitest";
import { readHeadline } from "#app/features/links/print/headline.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const parsers: Parser[] = [["a headline", "", readHeadline]];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
