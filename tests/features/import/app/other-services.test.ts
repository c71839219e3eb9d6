import { expect, test } from "vitest";
import { importHarness } from "#tests/features/import/pool/imports.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const files = import.meta.glob<string>("../exports/*.csv", { query: "?raw", import: "default", eager: true });

const meanings: Record<string, string> = {
  "+": "active",
  "-": "unsubscribed",
  "!": "bounced",
  "0": "nothing",
  "?": "leave-out",
  _: "",
};

interface Outcome {
  /** What the owner is asked, and says: that a word means + gets email, - opted out, ! bounced, 0 nothing, ? leave out. */
  asked: Record<string, string>;
  /** Who gets email then, and who is stored as unsubscribed. All others are left out. */
  gets: string;
  left: string;
}

/** By file. The columns are those of the services' own exports. */
const table: Record<string, Outcome> = {
  beehiiv: {
    asked: { status: "inactive- pending? validating? needs·approval?" },
    gets: "wants wants-premium",
    left: "opted-out premium-opted-out",
  },
  brevo: {
    asked: {
      "DOUBLE_OPT-IN": "yes+ no? empty?",
      OPT_IN: "empty?",
      email_marketing: "subscribed+ blocklisted- empty?",
      sms_marketing: "subscribed0 blocklisted0 empty0",
    },
    gets: "wants wants-no-sms",
    left: "never-opted-in opted-out",
  },
  buttondown: {
    asked: { type: "complaining- regular+ premium+ unactivated? churned?" },
    gets: "paying wants",
    left: "bounced complained opted-out opted-out-by-date",
  },
  "excel-english": {
    asked: { Newsletter: "empty? ask·again?", "GDPR consent": "withdrawn·12/11/2026- signed·the·list·at·the·fair+" },
    gets: "wants",
    left: "bounced do-not-email opted-out opted-out-by-date withdrawn",
  },
  "excel-german": {
    asked: { Newsletter: "empty? unbekannt?", Bemerkung: "widerspruch·vom·01.10.2026- mag·töpfe;·kommt·wieder0" },
    gets: "wants",
    left: "bounced do-not-contact objected opted-out opted-out-by-date",
  },
  "excel-title-line": {
    asked: { "OK to email?": "y+ n- empty? ??", Removed: "x- 2·oct·2026-" },
    gets: "wants",
    left: "opted-out removed removed-by-date",
  },
  ghost: {
    asked: { subscribed_to_emails: "empty?", labels: "fair,·do-not-contact- fair0" },
    gets: "wants wants-complimentary",
    left: "deleted opted-out paying-opted-out tagged",
  },
  "google-forms": {
    asked: {
      "I agree to be emailed about the launch": "i·agree+ empty?",
      "Anything else we should know?": "please·do·not·contact·me·by·email,·phone·only- looking·forward·to·it!0",
    },
    gets: "changed-mind wants wants-too",
    left: "remark",
  },
  "google-forms-german": {
    asked: {
      "Ich bin einverstanden, dass ihr mir zum Start eine E-Mail schickt": "ich·stimme·zu+ empty?",
      "Newsletter?": "ja+ nein- vielleicht·später?",
    },
    gets: "wants",
    left: "refused-newsletter",
  },
  hubspot: {
    asked: {
      "Lead Status": "do·not·contact- new0 open0",
      "Marketing contact status": "marketing·contact0 non-marketing·contact?",
      "Opted out of email: Marketing Information": "yes- no0",
      "Opted out of email: One to One": "yes-",
      "Marketing emails bounced": "00 10 2!",
      "Email hard bounce reason": "unknown·user!",
      "Legal basis for processing contact's data": "freely·given·consent·from·contact+ not·applicable?",
    },
    gets: "wants",
    left: "bounce-count bounced do-not-contact opted-out opted-out-of-marketing opted-out-one-to-one",
  },
  keila: {
    asked: { Data: '{"do_not_contact":true}- {"tags":["fair"]}0', Status: "empty?" },
    gets: "wants",
    left: "bounced data-opted-out opted-out",
  },
  kit: {
    asked: { status: "inactive? cold? empty?" },
    gets: "wants",
    left: "bounced complained opted-out",
  },
  launchlist: { asked: { Role: "baker_", Verified: "yes+ no? empty?" }, gets: "wants wants-both", left: "" },
  listmonk: {
    asked: {
      attributes: '{"unsubscribed":·true}- {}0 {"city":·"leeds",·"source":·"fair"}0',
      status: "disabled? enabled+",
    },
    gets: "enabled enabled-left-the-list",
    left: "attribute-opted-out opted-out",
  },
  "mailchimp-all": {
    asked: {
      UNSUB_CAMPAIGN_TITLE: "may·news-",
      UNSUB_CAMPAIGN_ID: "9a8b7c6d5e-",
      UNSUB_REASON: "other-",
      UNSUB_REASON_OTHER: "too·many·emails-",
    },
    gets: "wants",
    left: "bounced came-back campaign-only complained opted-out reason-only",
  },
  "mailchimp-subscribed": {
    asked: { TAGS: '"fair","do·not·email"- "fair","host"0' },
    gets: "imported low-rating wants wants-with-note",
    left: "tagged",
  },
  mailerlite: {
    asked: { Status: "unconfirmed?" },
    gets: "wants wants-imported",
    left: "bounced complained opted-out opted-out-by-date",
  },
  shopify: {
    asked: { "Accepts Email Marketing": "empty?", Tags: "do·not·contact,·vip- fair,·host0" },
    gets: "wants wants-both",
    left: "opted-out sms-only tagged",
  },
  substack: {
    asked: { active_subscription: "false0 true0", email_disabled: "maybe?" },
    gets: "wants wants-lapsed wants-paying",
    left: "opted-out paying-opted-out",
  },
  waitlister: {
    asked: {
      Status: "waiting? empty?",
      Deliverability: "unsubscribed- undeliverable! deliverable+ unconfirmed? risky? disposable? pending?",
    },
    gets: "wants",
    left: "bounced opted-out",
  },
};

/** The words of a text such as `not·sure? yes+` with what they mean. */
function answersIn(text: string): Record<string, string> {
  const pairs = text.split(" ").map((given) => {
    const word = given.slice(0, -1).replaceAll("·", " ");
    return [word === "empty" ? "" : word, meanings[given.slice(-1)]];
  });
  return Object.fromEntries(pairs);
}

test.each(Object.entries(files))("%s", async (path, file) => {
  const { asked, gets, left } = table[/([\w-]+)\.csv/.exec(path)?.[1] ?? ""] ?? { asked: {}, gets: "", left: "" };
  const settings = { consentDate: "2026-01-01", monthFirst: null };
  const { questions } = await importHarness().check(file, settings);
  const said = Object.fromEntries(Object.entries(asked).map(([name, text]) => [name, answersIn(text)]));
  expect(Object.fromEntries(questions.map(({ name, words }) => [name, words.map(({ word }) => word)]))).toEqual(
    Object.fromEntries(Object.entries(said).map(([name, words]) => [name, Object.keys(words)])),
  );
  const words = Object.fromEntries(questions.map(({ column, name }) => [String(column), said[name] ?? {}]));
  await importHarness().import(file, { ...settings, words });
  const people = await rows<{ email: string; status: string }>("waitlist_emails");
  const named = (wanted: string) =>
    people.flatMap(({ email, status }) => (status === wanted ? [email.replace("@example.com", "")] : []));
  expect([named("active").toSorted().join(" "), named("unsubscribed").toSorted().join(" ")]).toEqual([gets, left]);
});
