import { expect, test } from "vitest";
import { failureMessage, messages, UNREACHABLE } from "#app/waitlist/messages.ts";
import { collectTexts, type Text } from "#tests/support/texts.ts";
import { exclamations, unwantedWords } from "#tests/support/unwanted-words.ts";

const texts = await collectTexts();

const readable = ({ file, text }: Text) => `${file}: ${text}`;

test("the collected texts include those of pages, emails, the owner's pages and commands", () => {
  const all = texts.map(({ text }) => text);
  for (const text of [
    "But what will it do?",
    "This email is already on our waitlist!",
    "Hello, and thank you for joining.",
    "No entries match.",
    "use the deployed waitlist",
  ])
    expect(all).toContain(text);
});

test.each(unwantedWords)("no text contains %s: write %s", (pattern) => {
  expect(texts.filter(({ text }) => pattern.test(text)).map(readable)).toEqual([]);
});

test("every message of a refused form says what to do next, unless the specification words it", () => {
  const { joined: _, "already-joined": _already, ...refused } = messages;
  for (const message of [...Object.values(refused), UNREACHABLE, failureMessage("7Q2F-M0XK")])
    expect(message).toMatch(/\bPlease \w/);
});

test("pages and emails have no exclamation marks beyond the specification's", () => {
  const found = texts.filter(({ file, text }) => file.startsWith("app/") && /\w!(?:\s|$)/.test(text));
  expect(new Set(found.map(({ text }) => text))).toEqual(new Set(exclamations));
});
