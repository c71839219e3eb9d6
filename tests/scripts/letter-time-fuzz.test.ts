import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_BODY_LENGTH } from "#app/email/letters/letter-problems.server.ts";
import { parseLetter } from "#app/email/letters/parse-letter.server.ts";
import { renderLetter } from "#app/email/letters/render-letter.server.ts";
import { testPart } from "#scripts/lib/test-part.ts";

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
  renderLetter({ subject: "News", previewLine: "", body }, links, context);
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
  let time = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && time > MAX_TIME; run += 1)
    time = Math.min(
      time,
      cpuTimeOf(() => render(body)),
    );
  expect(time, `${JSON.stringify(body.slice(0, 200))}, ${body.length} characters`).toBeLessThanOrEqual(MAX_TIME);
}

/** Repeats a unit to a text of the most characters, in long lines if it has no line break. */
function repeated(unit: string): string {
  const lines = unit.includes("\n") ? unit : `${unit.repeat(4_990 / unit.length)}\n`;
  return lines.repeat(MAX_BODY_LENGTH / lines.length);
}

/** The signs of lists and quotes that a line begins with, one after the other. */
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/gy;

/** Repeats a unit as far as a letter's limits allow, line by line, so that none of it is refused for its size. */
function withinLimits(unit: string, width: number): string {
  const lines: string[] = [];
  const sum = { length: 0, containers: 0, signs: 0 };
  let paragraph = { length: 0, emphasis: 0, brackets: 0 };
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
    if (lines.at(-1) === "") paragraph = { length: 0, emphasis: 0, brackets: 0 };
    lines.push(line);
    paragraph = {
      length: paragraph.length + line.length,
      emphasis: paragraph.emphasis + emphasis,
      brackets: paragraph.brackets + brackets,
    };
    sum.length += line.length + 2;
  }
  return lines.join("\n");
}

/** Within the limits, all of these are rendered. */
const units = [
  ...[
    "*_",
    "_*\n",
    "a*_",
    "*a*",
    "**a** *b* ",
    "[",
    "[a](",
    "(](\n[a](",
    " (]([a\\\n",
    "![",
    "&amp;",
    "\\",
    "<",
    "\\`",
    "&#96;a ",
    "{ {a}} ",
    "<a",
    "a < \\` ",
    "a\\<! ",
  ],
  ...["a\n-\n", "a\n===\n", ">\n\n", "> a\n\n", "- - - - - a\n", "- > 1. - > a\n", "-\n\n  a\n", "- - * - * a\n"],
  ...["- a\n", "- a\n\n", "1. a\n   - b\n", "a\n\n", "# a\n", "***\n", `a\n${" ".repeat(4_000)}x\n\n`],
  ...[
    "[a](https://b.example) ",
    "**[a](https://b.example)**\n\n",
    "![a](https://b.example/pictures/of/stalls/c.png)\n\n",
    "word ".repeat(50),
  ],
];

const isQuick = testPart() === "quick";

test.each(units.map((unit) => [unit.slice(0, 20), unit] as const))("%j over and over takes little time", (_, unit) => {
  expectLittleTime(repeated(unit));
  for (const width of isQuick ? [38] : [0, 38, 90]) {
    const body = withinLimits(unit, width);
    expect(parseLetter(body).problems, `in lines of ${width}`).toEqual([]);
    expectLittleTime(body);
  }
});

/** What letters cannot have. It is found while Markdown is read, or before. */
const refused = ["`", "`a`\n\n", "``a ", "{{a}} ", "- - * - * - ", "a<!", "a <!--", "<?a", "\\\\<!a"];

test.each(refused)("%j over and over is refused in little time", (unit) => {
  for (const body of [repeated(unit), withinLimits(unit, 38)]) {
    expect(parseLetter(body).problems).not.toEqual([]);
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
    expectLittleTime(repeated(text));
    expectLittleTime(withinLimits(text, width));
  });
  fc.assert(check, { numRuns: isQuick ? 4 : 100, endOnFailure: true });
});

test("a long letter of an ordinary kind has no problems", () => {
  const list = Array.from(
    { length: 100 },
    (_, n) => `${n + 1}. **Stall ${n}** is [here](https://map.example/?a_b=${n})`,
  );
  const body = `# News\n\n${`${"We *open* soon, as we said. ".repeat(20)}\n\n`.repeat(40)}${list.join("\n")}`;
  expect(parseLetter(body).problems).toEqual([]);
});

test("a newsletter of 3,000 words with contents, links, lists and emphasis has no problems", () => {
  const tags = "utm_source=letter&utm_medium=email&utm_campaign=spring_fair";
  const link = (text: string, path: string) => `[${text}](https://market.example/${path}?${tags})`;
  const chapters = Array.from({ length: 13 }, (_, n) => `Fairs of week ${n + 1}`);
  const contents = chapters.map((chapter, n) => `${n + 1}. ${link(chapter, `week_${n + 1}`)}`).join("\n");
  const texts = chapters.map((chapter, n) => {
    const sentence = `On *Saturday* we open **${n + 3} new pitches** at ${link("the old market hall", `pitch_${n}`)} \\& beyond.`;
    const paragraph = `${sentence} Bring the family, a bag and some time: there is more to see than in any year before. `;
    const stalls = Array.from(
      { length: 8 },
      (_, k) => `- **Stall ${k}**: ${link("bread & cheese", `stall_${k}`)}, _daily_`,
    );
    return `## ${chapter}\n\n${`${paragraph.repeat(3)}\n\n`.repeat(2)}${stalls.join("\n")}\n\n> “Best fair of the year.”\n\n**${link("Book a pitch", "book")}**`;
  });
  const body = ["# Spring at the market", contents, ...texts, "---", "[Unsubscribe]({{unsubscribe}})"].join("\n\n");
  const words = body.replaceAll(/\]\([^)]*\)/g, "").match(/[\w’]+/g)?.length;
  expect(words).toBeGreaterThan(3_000);
  expect(parseLetter(body).problems).toEqual([]);
  expectLittleTime(body);
});
