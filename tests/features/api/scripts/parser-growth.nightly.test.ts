import * as v from "valibot";
import { test } from "vitest";
import { newEntrySchema } from "#app/features/api/v1/schemas/entries.server.ts";
import { questions } from "#app/site.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

const choice = questions.find(({ answers }) => answers !== undefined) ?? {
  key: "",
  label: "",
  wording: "",
  answers: {},
};

const parsers: Parser[] = [
  [
    "a new entry by the API",
    "ada@example.com",
    (text) =>
      v.safeParse(newEntrySchema(), {
        email: text,
        source: text,
        consent: { at: text, note: text },
        answers: { [choice.key]: text, [text]: text },
      }),
  ],
];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
