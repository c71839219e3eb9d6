import { beforeEach, describe, expect, test } from "vitest";
import { listedColumns } from "#app/waitlist/entries/entry-columns.server.ts";
import { parseEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import { fillGreetings, greetingProblem, sampleAnswers } from "#app/waitlist/questions/greetings.server.ts";
import { earlierAnswers, parseAnswers, presentAnswers } from "#app/waitlist/questions/questions.server.ts";
import { withSettings } from "#tests/support/pool/settings.ts";

/* Whatever reads the questions reads those that hold now, and accepts answers to those that were asked before. */

const firstName = { key: "first_name", label: "First name", wording: "What should we call you?" };
const tent = { key: "tent", label: "Tent", wording: "A tent?", answers: { yes: "Yes", no: "No" } };

describe("a question that was added", () => {
  beforeEach(() => withSettings({ questions: [tent, firstName] }));

  test.each<[string, unknown, unknown]>([
    ["answers", () => parseAnswers({ first_name: "Ada" }), { answers: { first_name: "Ada" } }],
    ["greetings", () => fillGreetings("Hi {{first_name|there}}", { first_name: "Ada" }), "Hi Ada"],
    ["samples of greetings", () => sampleAnswers()["first_name"], "[First name]"],
    ["the list’s columns", () => listedColumns().map(({ name }) => name), expect.arrayContaining(["answer_tent"])],
    ["filters", () => parseEntryFilter(new URLSearchParams({ answer_first_name: "Ada" })).problems, []],
  ])("is in %s", (_, read, expected) => {
    expect((read as () => unknown)()).toEqual(expected);
  });
});

describe("what is no longer asked", () => {
  const retired = { key: "tent", label: "Tent", wording: "A tent?", answers: { no_idea: "No idea" } };
  beforeEach(() => withSettings({ questions: [tent], retiredQuestions: [firstName, retired] }));

  test("is accepted and kept, and shown as an earlier answer", () => {
    const answers = { first_name: "Ada", tent: "no_idea" };
    expect(parseAnswers(answers)).toEqual({ answers });
    expect(parseAnswers({ tent: "yes" })).toEqual({ answers: { tent: "yes" } });
    expect(earlierAnswers(answers)).toEqual(answers);
    expect(presentAnswers(answers)).toEqual({});
  });

  test("is refused if it never was an answer", () => {
    expect(parseAnswers({ tent: "maybe" })).toEqual({ problem: "invalid-answer" });
    expect(parseAnswers({ town: "York" })).toEqual({ problem: "unknown-question" });
  });

  test("leaves letters that greet by it as they can be sent, with the words after the sign", () => {
    expect(greetingProblem("{{first_name|there}}")).toBeNull();
    expect(fillGreetings("Hi {{first_name|there}}", { first_name: "Ada" })).toBe("Hi there");
    expect(greetingProblem("{{town|there}}")).toContain("does not match a question");
  });
});
