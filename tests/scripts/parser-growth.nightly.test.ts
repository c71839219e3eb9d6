import { test } from "vitest";
import { readPreference } from "#app/consent/preference-cookie.ts";
import { readQueuedEvent } from "#app/email/providers/cloudflare/events.server.ts";
import { suppressionOutcome } from "#app/email/providers/cloudflare/mailer.server.ts";
import { escapeFormulas, unescapeFormulas } from "#app/owner/ui/csv.ts";
import { cleanAddress, normaliseEmail } from "#app/server/email-address.ts";
import { parseCspReports } from "#app/server/http/csp-reports.server.ts";
import { redactToken } from "#app/server/http/token-path.ts";
import { redactAddresses } from "#app/server/log.ts";
import { parseSender } from "#app/server/sender.ts";
import { questions } from "#app/site.ts";
import { campaignFromSearch, campaignValue, referrerHost } from "#app/waitlist/entries/campaign.ts";
import { cleanConsentNote } from "#app/waitlist/entries/consent-note.ts";
import { parseNote } from "#app/waitlist/entries/note.ts";
import { toSource } from "#app/waitlist/entries/sources.ts";
import { parseEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import { verifyDataToken } from "#app/waitlist/my-data/token.server.ts";
import { fillGreetings, lineGreetingProblem } from "#app/waitlist/questions/greetings.server.ts";
import { parseAnswers } from "#app/waitlist/questions/questions.server.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";
import { suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";
import { expectLinear, type Parser } from "#tests/support/parser-growth.ts";

/* The time that text from outside takes grows with its length, not with the square of it. */

const choice = questions.find(({ answers }) => answers !== undefined) ?? {
  key: "",
  label: "",
  wording: "",
  answers: {},
};

/** Each with what stands before the hostile text. */
const parsers: Parser[] = [
  ["an address", "ada@example.com", normaliseEmail],
  ["a search in addresses", "", cleanAddress],
  ["a misspelt address", "ada@gmial.com", suggestAddress],
  ["a sign-up", "a", (text) => parseSignUp({ email: text, source: text, via: text, utm_source: text })],
  ["a sender", '"Ada', parseSender],
  ["a cell with a formula", "", (text) => escapeFormulas(unescapeFormulas(text))],
  ["answers", "", (text) => parseAnswers({ [choice.key]: text, town: text })],
  ["a greeting", "{{town|", (text) => [fillGreetings(text, { town: text }), lineGreetingProblem(text)]],
  ["an answer in a greeting", "", (text) => fillGreetings("{{town|you}}", { town: text })],
  ["a source", "", toSource],
  ["a name of a campaign", "", campaignValue],
  [
    "a query string",
    "utm_source=",
    (text) => [campaignFromSearch(new URLSearchParams(text)), parseEntryFilter(new URLSearchParams(text))],
  ],
  ["a referrer", "https://a.example/", (text) => referrerHost(text, "b.example")],
  ["notes", "", (text) => [parseNote(text), cleanConsentNote(text)]],
  ["a cookie", "cookiePreferences=", readPreference],
  ["a log line", "ada@", (text) => redactToken(redactAddresses(text))],
  [
    "a report of the content policy",
    "https://a.example/",
    (text) => parseCspReports({ "csp-report": { "blocked-uri": text, "document-uri": text } }),
  ],
  ["a link's token", "1.", (text) => verifyDataToken(text, ["s"], 0)],
  ["an event of a provider", "", (text) => [readQueuedEvent({ type: text }, text), suppressionOutcome(text)]],
];

test.each(parsers)("the time of %s grows with its length", (_, before, parse) => expectLinear(before, parse));
