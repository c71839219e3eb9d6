import { expect } from "vitest";

/** What stands before the hostile text, and what parses it. */
export type Parser = [name: string, before: string, parse: (text: string) => unknown];

const units = [
  ..." a@.-_'\",;=\n\r\t\u200b’1([*`<\\&/東",
  ...["%41", "](", "{{", "{{a|", "a@", "a.", "a ", "- ", "> ", "1:", "\n'", ';"'],
];

/** Characters; the longer text has eight times as many. */
const SIZE = 8_000;

/** Tests that the time a parser takes grows with the length of a hostile text, not with the square of it. */
export async function expectLinear(before: string, parse: (text: string) => unknown): Promise<void> {
  for (const unit of units) {
    const textOf = (size: number) => `${before}${unit.repeat(size / unit.length)}!`;
    const [short, long] = [await timeOf(parse, textOf(SIZE)), await timeOf(parse, textOf(8 * SIZE))];
    expect(long / Math.max(short, LEAST), `${JSON.stringify(unit)}: ${short} ms, then ${long} ms`).toBeLessThan(20);
  }
}

/** A shorter time says less than the garbage collector (milliseconds). */
const LEAST = 2;

/** The median of five (milliseconds). */
async function timeOf(parse: (text: string) => unknown, text: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const start = process.cpuUsage();
    await parse(text);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  return times.toSorted((a, b) => a - b)[2] ?? 0;
}
