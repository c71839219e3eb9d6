import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_BODY_LENGTH } from "#app/features/letters/send/letter-problems.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { renderLetter } from "#app/features/letters/send/render-letter.server.ts";

// In Node, because the clock of the Workers runtime stands still while code runs.

/**
 * For any 40,000 characters. Milliseconds of CPU time, for which a busy machine matters little; the shortest of three runs
 * counts. An idle machine takes about a third of it; a slow one gets as much more as it takes for {@link simpleLoop}.
 */
const MAX_TIME = Math.max(300, 5 * cpuTimeOf(simpleLoop));

const links = {
  unsubscribe: "https://waitlist-site.example/unsubscribe/7.TOKEN",
  entry: "https://waitlist-site.example/your-data/7-0.TOKEN",
  web: null,
};
const context = {
  siteUrl: "https://waitlist-site.example",
  controller: { name: "Grace Hopper", address: "1 Market Sq" },
};

/** What the owner's pages do with a text. */
function render(body: string): void {
  if (parseLetter(body).problems.length > 0) return;
  renderLetter({ subject: "News", preview_line: "", body }, links, context);
}

function cpuTimeOf(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

function simpleLoop(): void {
  let sum = 0;
  for (let n = 0; n < 20_000_000; n += 1) sum = (sum * 31 + n) | 0;
  expect(sum).toBeTypeOf("number");
}

function expectLittleTime(body: string): void {
  let time = cpuTimeOf(() => render(body));
  for (let run = 1; run < 3 && time > MAX_TIME; run += 1) time = cpuTimeOf(() => render(body));
  expect(time, `${JSON.stringify(body.slice(0, 200))}, ${body.length} characters`).toBeLessThanOrEqual(MAX_TIME);
}

/** The signs of lists and quotes that a line begins with, one after the other. */
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/gy;

/** Repeats a unit as far as a letter's limits allow, line by line, so that none of it is refused for its size. */
function withinLimits(unit: string, width: number): string {
  const lines: string[] = [];
  const sum = { length: 0, containers: 0, signs: 0 };
  const empty = { length: 0, emphasis: 0, brackets: 0 };
  let paragraph = { ...empty };
  const parts = unit.includes("\n") ? unit.split("\n").slice(0, -1) : [unit];
  for (let n = 0; lines.length < 998; n += 1) {
    const part = parts[n % parts.length] ?? "";
    // Repeated in a line, quotes would be inside each other.
    const line = /^[\s>]*$/.test(part) ? part : part.repeat(Math.max(1, Math.floor(width / part.length)));
    const emphasis = line.match(/[*_]/g)?.length ?? 0;
    const brackets = line.match(/[[\]]/g)?.length ?? 0;
    sum.containers += line.match(container)?.length ?? 0;
    sum.signs += line.match(/[*_[\]<\\&`]/g)?.length ?? 0;
    if (sum.length + line.length + 2 > MAX_BODY_LENGTH || sum.containers > 500 || sum.signs > 4_000) break;
    const isFull =
      paragraph.length + line.length > 5_000 ||
      paragraph.emphasis + emphasis > 100 ||
      paragraph.brackets + brackets > 300;
    if (isFull) lines.push("");
    if (lines.at(-1) === "") paragraph = { ...empty };
    lines.push(line);
    paragraph.length += line.length;
    paragraph.emphasis += emphasis;
    paragraph.brackets += brackets;
    sum.length += line.length + 2;
  }
  return lines.join("\n");
}

/** Within the limits, all of these are rendered. */
const units = [
  ..."*_|_*\n|a*_|*a*|**a** *b* |[|[a](|(](\n[a](| (]([a\\\n|![|&amp;|\\|<|\\`|&#96;a |{ {a}} |<a|a < \\` |a\\<! ".split(
    "|",
  ),
  ..."a\n-\n|a\n===\n|>\n\n|> a\n\n|- - - - - a\n|- > 1. - > a\n|-\n\n  a\n|- - * - * a\n".split("|"),
  ..."- a\n|- a\n\n|1. a\n   - b\n|a\n\n|# a\n|***\n|[a](https://b.example) |**[a](https://b.example)**\n\n".split("|"),
  `a\n${" ".repeat(4_000)}x\n\n`,
  "![a](https://b.example/pictures/of/stalls/c.png)\n\n",
  "word ".repeat(50),
];

test.each(units.map((unit) => [unit.slice(0, 20), unit] as const))("%j over and over takes little time", (_, unit) => {
  for (const width of [0, 38, 90]) {
    const body = withinLimits(unit, width);
    expect(parseLetter(body).problems, `in lines of ${width}`).toEqual([]);
    expectLittleTime(body);
  }
});

test("anything else that Markdown's signs can be combined to takes little time", { timeout: 300_000 }, () => {
  const sign = fc.constantFrom(
    ..."*_[]()!<>`\\&|#-+ a\n\n\t",
    "\n\n",
    "](",
    "- ",
    "1. ",
    "> ",
    "    ",
    "[a](https://b.example)",
  );
  const unit = fc.array(sign, { minLength: 2, maxLength: 6 }).map((signs) => signs.join(""));
  const check = fc.property(unit, fc.constantFrom(0, 38, 90), (text, width) => {
    expectLittleTime(withinLimits(text, width));
  });
  fc.assert(check, { numRuns: 100, endOnFailure: true });
});
