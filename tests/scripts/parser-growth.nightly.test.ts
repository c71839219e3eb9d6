import { isbot } from "isbot";
import * as v from "valibot";
import { expect, test } from "vitest";
import { readPreference } from "#app/consent/preference-cookie.ts";
import { readQueuedEvent } from "#app/email/providers/cloudflare/events.server.ts";
import { suppressionOutcome } from "#app/email/providers/cloudflare/mailer.server.ts";
import { newEntrySchema } from "#app/features/api/v1/schemas/entries.ts";
import { parsePosts } from "#app/features/blog/post.server.ts";
import { readOrigin } from "#app/features/embed/read-origin.ts";
import { answerKey, readEarlierAnswers } from "#app/features/import/file/answers.server.ts";
import { guessMapping } from "#app/features/import/file/fields.ts";
import { orderOf, parseDate } from "#app/features/import/file/parse-date.ts";
import { readCsv } from "#app/features/import/file/read-csv.server.ts";
import { toEntry } from "#app/features/import/file/to-entry.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { readHeadline } from "#app/features/links/print/headline.ts";
import { visitNames } from "#app/features/visits/visit.server.ts";
import { checkWording } from "#app/features/wordings/check-wording.server.ts";
import { escapeFormulas, unescapeFormulas } from "#app/owner/ui/csv.ts";
import { parseCspReports } from "#app/server/csp-reports.server.ts";
import { cleanAddress, normaliseEmail } from "#app/server/email-address.ts";
import { redactAddresses } from "#app/server/log.ts";
import { parseSender } from "#app/server/sender.ts";
import { redactToken } from "#app/server/token-path.ts";
import { questions } from "#app/site.ts";
import { campaignFromSearch, campaignValue, referrerHost } from "#app/waitlist/entries/campaign.ts";
import { isStorableName } from "#app/waitlist/entries/campaign-name.ts";
import { cleanConsentNote } from "#app/waitlist/entries/consent-note.ts";
import { parseNote } from "#app/waitlist/entries/note.ts";
import { toSource } from "#app/waitlist/entries/sources.ts";
import { parseEntryFilter } from "#app/waitlist/filter/entry-filter.ts";
import { verifyDataToken } from "#app/waitlist/my-data/token.server.ts";
import { fillGreetings, lineGreetingProblem } from "#app/waitlist/questions/greetings.server.ts";
import { parseAnswers } from "#app/waitlist/questions/questions.server.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";
import { suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";

/* The time that text from outside takes grows with its length, not with the square of it. */

const choice = questions.find(({ answers }) => answers !== undefined) ?? {
  key: "",
  label: "",
  wording: "",
  answers: {},
};
const zone = { timeZone: "Europe/London", monthFirst: null };
const importSettings = { mapping: ["email", "joined", "status", "source"], consentDate: "joined" } as const;
const site = { siteUrl: "https://a.example", publicPaths: new Set(["/"]) };

async function csv(text: string) {
  const { rows } = await readCsv(
    (async function* () {
      yield new TextEncoder().encode(`email,name\n${text}`);
    })(),
  );
  for await (const _ of rows);
}

/** Each with what stands before the hostile text. */
const parsers: [name: string, before: string, parse: (text: string) => unknown][] = [
  ["an address", "ada@example.com", normaliseEmail],
  ["a search in addresses", "", cleanAddress],
  ["a misspelt address", "ada@gmial.com", suggestAddress],
  ["a sign-up", "a", (text) => parseSignUp({ email: text, source: text, via: text, utm_source: text })],
  ["a sender", '"Ada', parseSender],
  ["a file's rows", "a,", (text) => csv(text).catch(() => {})],
  ["a quoted cell", 'a,"', (text) => csv(text).catch(() => {})],
  [
    "a row of a file",
    "a",
    (text) => {
      const settings = { ...importSettings, mapping: [...importSettings.mapping], note: "a", welcome: false, ...zone };
      return toEntry([2, [text, text, text, text]], { settings, now: 0 });
    },
  ],
  ["names of columns", "", (text) => guessMapping([text])],
  ["a cell with a formula", "", (text) => escapeFormulas(unescapeFormulas(text))],
  ["a date", "2026-11-21", (text) => [parseDate(text, zone), orderOf(text)]],
  ["a date with a time", "2026-11-21 ", (text) => parseDate(`${text}\nx`, zone)],
  ["a date in words", "Mon, 21 November 2026 ", (text) => parseDate(`${text}\nx`, zone)],
  ["answers of an import", "", (text) => [answerKey(choice, text), readEarlierAnswers(text)]],
  ["answers", "", (text) => parseAnswers({ [choice.key]: text, town: text })],
  ["a greeting", "{{town|", (text) => [fillGreetings(text, { town: text }), lineGreetingProblem(text)]],
  ["an answer in a greeting", "", (text) => fillGreetings("{{town|you}}", { town: text })],
  ["a letter", "", (text) => parseLetter(text)],
  ["an email's words", "", (text) => checkWording("welcome", { subject: text, heading: text, body: text })],
  ["a source", "", toSource],
  ["a name of a campaign", "", (text) => [isStorableName(text), campaignValue(text)]],
  [
    "a query string",
    "utm_source=",
    (text) => [campaignFromSearch(new URLSearchParams(text)), parseEntryFilter(new URLSearchParams(text))],
  ],
  ["a referrer", "https://a.example/", (text) => referrerHost(text, "b.example")],
  ["an origin", "https://", (text) => readOrigin(text, "https://b.example")],
  ["notes", "", (text) => [parseNote(text), cleanConsentNote(text)]],
  ["a headline", "", readHeadline],
  ["a cookie", "cookiePreferences=", readPreference],
  ["a user agent", "Mozilla/5.0 (", isbot],
  ["a visit", "https://a.example/?via=", (text) => visitNames({ url: text, headers: new Headers() }, site)],
  ["a log line", "ada@", (text) => redactToken(redactAddresses(text))],
  [
    "a report of the content policy",
    "https://a.example/",
    (text) => parseCspReports({ "csp-report": { "blocked-uri": text, "document-uri": text } }),
  ],
  ["a link's token", "1.", (text) => verifyDataToken(text, ["s"], 0)],
  [
    "a new entry by the API",
    "ada@example.com",
    (text) =>
      v.safeParse(newEntrySchema, {
        email: text,
        source: text,
        consent: { at: text, note: text },
        answers: { [choice.key]: text, [text]: text },
      }),
  ],
  [
    "Ghost's posts",
    "https://blog.example/",
    (text) =>
      parsePosts({
        posts: [
          { title: text, url: text, excerpt: text, feature_image: text, published_at: text, tags: [{ name: text }] },
        ],
      }),
  ],
  ["an event of a provider", "", (text) => [readQueuedEvent({ type: text }, text), suppressionOutcome(text)]],
];

const units = [
  ..." a@.-_'\",;=\n\r\t\u200b’1([*`<\\&/東",
  ...["%41", "](", "{{", "{{a|", "a@", "a.", "a ", "- ", "> ", "1:", "\n'", ';"'],
];

/** Characters; the longer text has eight times as many. */
const SIZE = 8_000;

test.each(parsers)("the time of %s grows with its length", async (_, before, parse) => {
  for (const unit of units) {
    const textOf = (size: number) => `${before}${unit.repeat(size / unit.length)}!`;
    const [short, long] = [await timeOf(parse, textOf(SIZE)), await timeOf(parse, textOf(8 * SIZE))];
    expect(long / Math.max(short, LEAST), `${JSON.stringify(unit)}: ${short} ms, then ${long} ms`).toBeLessThan(20);
  }
});

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
