import { textOf } from "#app/email/blocks/blocks.ts";
import { readLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

/** A line such as “Hello Ada,”. */
const salutation = /^.{0,60},$/;

/** The first line of a letter's text after the salutation, as strangers read it and without its Markdown; empty without text. */
export function readFirstLine(body: string): string {
  const lines = readLetter(body)
    .blocks.flatMap((block) => (block.type === "paragraph" ? textOf(block.children).split("\n") : []))
    .map((line) => fillGreetings(line, null).trim())
    .filter((line) => line !== "");
  return lines.find((line, index) => index > 0 || !salutation.test(line)) ?? "";
}
