import { expect, test } from "vitest";
import { answerTo, choices } from "#app/features/landing/product/example-fairs.ts";

const answers = choices.map((choice) => answerTo(choice).verdicts.filter(({ isGood }) => !isGood));

test("most choices match a fair, and the others fail for one reason", () => {
  expect(answers).toHaveLength(24);
  expect(answers.filter((bad) => bad.length === 0).length).toBeGreaterThan(12);
  expect(Math.max(...answers.map((bad) => bad.length))).toBe(1);
});

test("each reason not to go occurs, and says what it is", () => {
  expect([...new Set(answers.flat().map(({ reason }) => reason))]).toEqual([
    "It’s 19 miles away, beyond your 10.",
    "They have all the jewellers they need.",
    "It’s 32 miles away, beyond your 10.",
    "It’s 32 miles away, beyond your 25.",
    "It’s on Sunday, not Saturday.",
  ]);
});
