import type { Nodes, PhrasingContent, Text } from "mdast";
import { hiddenCharacter } from "#app/email/hidden-character.ts";
import { siteAddress } from "#app/features/letters/send/counted-link.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { isEmailAddress } from "#app/server/email-address.ts";
import { isPublicHost } from "#app/server/http/public-host.server.ts";
import { readPicturePath } from "#app/server/pictures/picture-address.ts";
import { anyPlaceholder, greetingProblem } from "#app/waitlist/questions/greetings.server.ts";

/** Characters. Gmail hides what goes beyond 102 KB of HTML. */
export const MAX_BODY_LENGTH = 40_000;

const MAX_LINES = 1_000;

/** Lists and quotes inside each other, or emphasis inside emphasis. */
export const MAX_DEPTH = 5;

/** What is wrong with a body, as a sentence, and the line it stands on (from 1). */
export interface LetterProblem {
  line: number;
  text: string;
}

export const NOTHING_WRITTEN = "Write the letter.";

/** A letter that cannot be rendered, such as one with an answer to a question that this site no longer asks. */
export class LetterProblemError extends Error {
  override readonly name = "LetterProblemError";
}

export function textProblems(body: string): LetterProblem[] {
  if (body.length > MAX_BODY_LENGTH) {
    const [length, most] = [body.length, MAX_BODY_LENGTH].map(formatNumber);
    return [{ line: 1, text: `The letter has ${length} characters. Shorten it to ${most} at most.` }];
  }
  const lines = body.split("\n");
  if (lines.length > MAX_LINES) {
    const [count, most] = [lines.length, MAX_LINES].map(formatNumber);
    return [{ line: MAX_LINES + 1, text: `The letter has ${count} lines. Shorten it to ${most} at most.` }];
  }
  const inLines = lines.flatMap((line, index) => lineProblems(line).map((text) => ({ line: index + 1, text })));
  return [...sizeProblems(lines), ...inLines];
}

/*
 * What makes Markdown slow: the time can grow with the square of most of these. Together with the limits above they keep any
 * letter below 300 ms (tests/features/letters/scripts/letter-time.nightly.test.ts).
 */
const limits = {
  containers: {
    most: 500,
    // A line with more is refused for that.
    countIn: (line) => (ruleLine.test(line) ? 0 : Math.min(line.match(container)?.length ?? 0, MAX_DEPTH + 1)),
    problem: (most) => `The letter has more than ${most} items of lists and lines of quotes. Use fewer.`,
  },
  signs: {
    most: 4_000,
    countIn: (line) => line.match(/[*_[\]<\\&`]/g)?.length ?? 0,
    problem: (most) => `The letter has more than ${most} of the signs * _ [ ] < & \\ and \`. Use fewer.`,
  },
  length: {
    most: 5_000,
    countIn: (line) => line.length,
    problem: () => "This paragraph is too long. Divide it with empty lines.",
  },
  emphasis: {
    most: 100,
    countIn: (line) => line.match(/[*_]/g)?.length ?? 0,
    problem: (most) => `This paragraph has more than ${most} * and _ signs. Divide it with empty lines.`,
  },
  // Two for each link.
  brackets: {
    most: 300,
    countIn: (line) => line.match(/[[\]]/g)?.length ?? 0,
    problem: (most) => `This paragraph has more than ${most} [ and ] signs. Split it with empty lines.`,
  },
} satisfies Record<string, Limit>;

interface Limit {
  most: number;
  countIn(line: string): number;
  problem(most: string): string;
}

/** Where a letter or a paragraph first exceeds a limit. */
function sizeProblems(lines: string[]): LetterProblem[] {
  const problems: LetterProblem[] = [];
  const counts = { containers: 0, signs: 0, length: 0, emphasis: 0, brackets: 0 };
  let isInList = false;
  for (const [index, line] of lines.entries()) {
    const isItem = startsItem(line, { length: counts.length, isInList });
    if (isItem || /^[ \t]*$/.test(line)) {
      Object.assign(counts, { length: 0, emphasis: 0, brackets: 0 });
      isInList = isItem;
    }
    for (const name of Object.keys(limits) as (keyof typeof limits)[]) {
      const { most, countIn, problem }: Limit = limits[name];
      const before = counts[name];
      counts[name] += countIn(line);
      if (before <= most && counts[name] > most) problems.push({ line: index + 1, text: problem(formatNumber(most)) });
    }
  }
  return problems;
}

/** A list's item ends the paragraph before it. Where that is no item of a list, a number does so only if it is 1. */
function startsItem(line: string, before: { length: number; isInList: boolean }): boolean {
  const [, sign] = /^ {0,3}([-+*]|\d{1,9}[.)])[ \t]+[^ \t]/.exec(line) ?? [];
  return (
    sign !== undefined &&
    (sign.length === 1 || Number.parseInt(sign, 10) === 1 || before.length === 0 || before.isInList)
  );
}

function lineProblems(line: string): string[] {
  const problems: string[] = [];
  const hidden = hiddenCharacter.exec(line)?.[0];
  if (hidden !== undefined) {
    const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    problems.push(`There is a character that cannot be shown (U+${code}). Delete it.`);
  }
  if (manyContainers.test(line) && !ruleLine.test(line)) problems.push(tooDeep);
  if (unclosedHtml.test(line)) problems.push(noHtml);
  return problems;
}

/** The signs of more lists and quotes than are allowed, of which Markdown could read thousands for a minute. */
const manyContainers = new RegExp(`^(\\s*>|\\s*([-+*]|\\d{1,9}[.)])(?=\\s)){${MAX_DEPTH + 1}}`);

/** At the beginning of a line, one after the other. */
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/gy;

/** The beginning of a comment or an instruction, whose end Markdown would look for in the rest of the paragraph. */
const unclosedHtml = /(?<!\\)(?:\\\\)*<[!?]/;

const ruleLine = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;

export const noHtml = "A letter cannot have HTML. Write it in Markdown, or put a backslash before the < sign.";

export const tooDeep = `At most ${MAX_DEPTH} lists or quotes can be inside each other.`;

/**
 * What the site fills in, as the address of a link or button: the recipient's page to unsubscribe, and the address of the
 * site, which a path may follow, also as that of a counted link.
 */
export const placeholders = {
  unsubscribe: "{{unsubscribe}}",
  site: siteAddress.plain,
  counted: siteAddress.counted,
} as const;

export function linkProblem(address: string): string | null {
  if (address === placeholders.unsubscribe) return null;
  const own = [placeholders.site, placeholders.counted].find((placeholder) => address.startsWith(placeholder));
  const path = own === undefined ? null : address.slice(own.length);
  if (path !== null && /^([/?#]|$)/.test(path)) {
    if (own === placeholders.counted && /[?&](utm_source|utm_campaign)=/i.test(path)) {
      return `The site adds the labels of a counted link itself. Remove yours: ${quoted(address)}.`;
    }
    return urlProblem(`https://site.example${path}`, address);
  }
  if (/^mailto:/i.test(address)) return mailtoProblem(address);
  return urlProblem(address, address);
}

/** The path and the size of a picture that was uploaded here; null for one of another site. */
export function ownPicture(source: string) {
  if (!source.startsWith(placeholders.site)) return null;
  const path = source.slice(placeholders.site.length);
  const found = readPicturePath(path);
  return found === null ? null : { path, width: found.width, height: found.height };
}

export function imageProblem(source: string): string | null {
  if (ownPicture(source) !== null) return null;
  if (source.startsWith(placeholders.site)) {
    return `Behind ${placeholders.site}, an image has the address of one of your pictures: ${quoted(source)}.`;
  }
  if (source.includes("{{")) return `An image has no placeholder in its address: ${quoted(source)}.`;
  return urlProblem(source, source);
}

/** @param url the address with its placeholder filled */
function urlProblem(url: string, address: string): string | null {
  if (address === "") return "The address in the round brackets is missing.";
  if (url.includes("{{"))
    return `Only ${placeholders.site} or ${placeholders.counted} can begin an address: ${quoted(address)}.`;
  if (!/^https:\/\//i.test(url))
    return `The address must begin with https://, and this one does not: ${quoted(address)}.`;
  const parsed = URL.parse(url);
  const isComplete = parsed !== null && isPublicHost(parsed) && /^https:\/\/[^/?#\s\\\p{C}][^\s\\\p{C}]*$/iu.test(url);
  if (!isComplete) return `This is not a valid address: ${quoted(address)}.`;
  if (parsed.username !== "" || parsed.password !== "") {
    return `The address must not hold a user name or password: ${quoted(address)}.`;
  }
  return null;
}

function mailtoProblem(address: string): string | null {
  if (address.includes("{{")) return `An email address has no placeholder: ${quoted(address)}.`;
  const [recipient = "", query] = address.slice("mailto:".length).split("?");
  if (query !== undefined && !/^(subject|body)=[^&{}\s]*(&(subject|body)=[^&{}\s]*)?$/i.test(query)) {
    return `After the email address, only ?subject= can follow: ${quoted(address)}.`;
  }
  return isEmailAddress(recipient) ? null : `This is not an email address: ${quoted(address)}.`;
}

function quoted(address: string): string {
  return address.length > 80 ? `${address.slice(0, 79)}…` : address;
}

/**
 * Placeholders in the text of a block that the site cannot fill: those for addresses, and greetings that are malformed or
 * that begin and end in different emphasis.
 */
export function placeholderProblems(nodes: PhrasingContent[]): LetterProblem[] {
  const texts = textsIn(nodes);
  const whole = texts.map(({ value }) => value).join("");
  return Array.from(whole.matchAll(anyPlaceholder)).flatMap(({ 0: found, index }) => {
    const isAddress = Object.values(placeholders).some((placeholder) => placeholder === found);
    const { isWhole, line } = placeIn(texts, index, found.length);
    const text = isAddress ? `${found} is an address. ${addressHelp}` : greetingProblem(found);
    if (text !== null) return [{ line, text }];
    return isWhole ? [] : [{ line, text: "Between {{ and }} there can be no * or _ signs, links or line breaks." }];
  });
}

const addressHelp = `Use it as the address of a link: [Unsubscribe](${placeholders.unsubscribe}) or [our site](${placeholders.site}).`;

function textsIn(nodes: PhrasingContent[]): Text[] {
  return nodes.flatMap((node) => {
    if (node.type === "text") return [node];
    if (node.type === "break") return [{ type: "text", value: "\n", position: node.position }];
    return "children" in node ? textsIn(node.children) : [];
  });
}

/** Whether one of the texts has all of a part of the joined ones, and the line of the source that the part begins on. */
function placeIn(texts: Text[], index: number, length: number): { isWhole: boolean; line: number } {
  let start = 0;
  for (const text of texts) {
    const end = start + text.value.length;
    if (index < end) {
      const breaks = text.value.slice(0, index - start).split("\n").length - 1;
      // A character reference can be a line break, too, which is no line of the source.
      const line = Math.min(lineOf(text) + breaks, text.position?.end.line ?? 1);
      return { isWhole: index + length <= end, line };
    }
    start = end;
  }
  return { isWhole: false, line: 1 };
}

export function lineOf({ position }: Pick<Nodes, "position">): number {
  return position?.start.line ?? 1;
}
