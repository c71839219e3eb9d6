import { hiddenCharacter } from "#app/email/hidden-character.ts";
import {
  type EmailWording,
  hasBrokenLink,
  paragraphsOf,
  type WordedKind,
  wordingLinks,
} from "#app/email/templates/wording.ts";
import { isEmailAddress } from "#app/server/email-address.ts";
import { isPublicHost } from "#app/server/http/public-host.server.ts";
import { anyPlaceholder, lineGreetingProblem } from "#app/waitlist/questions/greetings.server.ts";

/** Characters of the subject and of the heading, and of the text. */
const MAX_LINE_LENGTH = 150;
export const MAX_WORDING_LENGTH = 5_000;

export function checkWording(kind: WordedKind, wording: EmailWording): Partial<Record<keyof EmailWording, string>> {
  const problems = {
    subject: lineProblem("The subject", wording.subject, kind),
    heading: lineProblem("The heading", wording.heading, kind),
    body: bodyProblem(wording.body, kind),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== null));
}

function lineProblem(name: string, text: string, kind: WordedKind): string | null {
  if (text.trim() === "") return `${name} is empty. Write one.`;
  if (/[\t\n]/.test(text) || hiddenCharacter.test(text))
    return `${name} has a character that cannot be shown. Type it again.`;
  if (text.length > MAX_LINE_LENGTH) return `${name} has ${text.length} characters. Shorten it to ${MAX_LINE_LENGTH}.`;
  const problem = greetingsProblem(text, kind);
  return problem === null ? null : `${name}: ${problem}`;
}

/** What is wrong with the greetings of a line, which only the welcome email can have. */
function greetingsProblem(text: string, kind: WordedKind): string | null {
  if (!text.includes("{{")) return null;
  if (kind !== "welcome") return NO_GREETINGS;
  // They are filled in after the text was read.
  const hasSigns = (text.match(anyPlaceholder) ?? []).some((found) => /[*[\]\\]/.test(found));
  return hasSigns ? "Between {{ and }} there can be no signs such as * or [." : lineGreetingProblem(text);
}

const NO_GREETINGS =
  "An email that asks for confirmation has no greetings: the address may be someone else’s, who would read what a stranger typed.";

function bodyProblem(body: string, kind: WordedKind): string | null {
  if (body.trim() === "") return "Write something.";
  if (body.length > MAX_WORDING_LENGTH) {
    const [length, most] = [body.length, MAX_WORDING_LENGTH].map((count) => count.toLocaleString("en-GB"));
    return `The text has ${length} characters. Shorten it to ${most}.`;
  }
  for (const { line, lines } of paragraphsOf(body)) {
    const isMixed = lines.some((text) => text.startsWith("- ")) && !lines.every((text) => text.startsWith("- "));
    if (isMixed) return `Line ${line}: Leave an empty line above and below a list.`;
    for (const [index, text] of lines.entries()) {
      const found = unsupported.find(([pattern]) => pattern.test(text));
      const problem = found?.[1] ?? greetingsProblem(text, kind);
      if (problem !== null) return `Line ${line + index}: ${problem}`;
    }
  }
  if (hasBrokenLink(body))
    return "A link is written as [text](https://example.com), without brackets or spaces inside.";
  const links = wordingLinks(body);
  if (links.length > 0 && kind !== "welcome")
    return "An email that asks for confirmation has no links besides its button.";
  const wrong = links.find((address) => !isLink(address));
  return wrong === undefined
    ? null
    : `A link must be a public https:// address or a mailto: address. This one is not: ${wrong}`;
}

const unsupported: [pattern: RegExp, problem: string][] = [
  [hiddenCharacter, "There is a character that cannot be shown. Delete it."],
  [/^#{1,6}\s/, "The text has no headings besides the one above."],
  [/^([*+]|\d{1,9}[.)])\s/, "Begin each item of a list with a hyphen and a space."],
  [/^>/, "The text cannot have quotations."],
  [/^([-*_])(\s*\1){2,}$/, "The text cannot have horizontal lines."],
  [/!\[/, "The text cannot have images."],
  [/<[a-z!/]/i, "The text cannot have HTML."],
  [/`/, "The text cannot have code. Remove the ` signs."],
];

function isLink(address: string): boolean {
  if (/^mailto:/i.test(address)) return isEmailAddress(address.slice("mailto:".length));
  if (address.includes("{{")) return false;
  const url = /^https:\/\//i.test(address) ? URL.parse(address) : null;
  return url !== null && isPublicHost(url) && url.username === "" && url.password === "";
}
