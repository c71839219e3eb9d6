import { expect, test } from "vitest";
import { describeAudience, readAudience, writeAudience } from "#app/features/letters/write/audience.ts";
import { questions } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";

const question = questions.find(({ answers = {} }) => Object.keys(answers).length > 1);
const [first = "", second = ""] = Object.keys(question?.answers ?? {});

test("an audience is described, and read again from the form that shows it", () => {
  const stored = { filter: { source: "stall", invited: false }, first: 50 };
  const words = ["Source: stall", "Invited: Not yet", "Limit: 50 (earliest sign-ups first)"];
  expect(describeAudience(stored)).toEqual(words);
  expect(readAudience(writeAudience(stored, true)).audience).toEqual(stored);
});

test("letters in an audience are named by their subjects, without greetings; a number that is none is refused", () => {
  const stored = { filter: {}, sentLetter: 3, notSentLetter: 12 };
  const subjects = new Map([[3, "News, {{town|friend}}"]]);
  expect(describeAudience(stored, subjects)).toEqual(["Sent “News, friend”", "Not sent letter 12"]);
  expect(readAudience(writeAudience(stored, false)).audience).toEqual(stored);
  expect(Object.keys(readAudience(new URLSearchParams({ sent: "x" })).problems)).toEqual(["sent"]);
});

test.skipIf(question === undefined)("an audience has several answers, and says what cannot be combined", () => {
  const { key, label } = question ?? { key: "", label: "" };
  const field = answerField({ key });
  const values = [first, second].map((value) => [field, value]);
  const given = readAudience(new URLSearchParams(values));
  expect(given.audience).toEqual({ filter: { answers: { [key]: [first, second] } } });
  expect(writeAudience(given.audience, false).getAll(field)).toEqual([first, second]);
  const { problems } = readAudience(new URLSearchParams([...values, ["without", field]]));
  expect(problems).toEqual({ without: `This cannot be combined with “${label}”.` });
});
