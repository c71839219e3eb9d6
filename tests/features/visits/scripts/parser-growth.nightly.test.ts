import { isbot } from "isbot";
import { test } from "vitest";
import { visitNames } from "#app/features/visits/visit.server.ts";
import { isStorableName } from "#app/waitlist/entries/campaign-name.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const site = { siteUrl: "https://a.example", publicPaths: new Set(["/"]) };

const parsers: Parser[] = [
  ["a name of a campaign", "", isStorableName],
  ["a user agent", "Mozilla/5.0 (", isbot],
  ["a visit", "https://a.example/?via=", (text) => visitNames({ url: text, headers: new Headers() }, site)],
];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
