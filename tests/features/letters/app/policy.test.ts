import { expect, test } from "vitest";
import { renderEmail } from "#app/email/render-email.server.ts";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import { composeLetter } from "#app/features/letters/send/render-letter.server.ts";
import * as switches from "#app/switches.ts";
import { verifyDataToken, verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { claimed, emailContext, entryEmails, toConfirm } from "#tests/support/pool/all-emails.ts";
import policy from "../../../../app/features/legal/privacy.tsx?raw";

/* What the privacy policy says about emails, held against every email to people on the list. */

const QUEUED = Date.UTC(2026, 10, 21);
const { hashKey, linkSecret } = emailContext;
const written = { id: 1, key: "k", subject: "News", preview_line: "", body: "Hello.", reply_to: null } as Letter;
const letters = switches.letters ? { letter: written, "follow-up": { ...written, step_id: 1 } } : {};
const asksToConfirm = new Set(toConfirm.map(([kind]) => kind));

/** Every email to a person, as sent to the entry with a number. */
async function emailsTo(entryId: number) {
  const single = entryEmails.map(async ([name, claim]) => {
    return [name, await renderEmail(claimed({ ...claim, entryId, createdAt: QUEUED }), emailContext)] as const;
  });
  const many = Object.entries(letters).map(async ([name, letter]) => {
    const member = { position: 0, entryId, email: "ada@example.com", answers: null };
    return [name, await composeLetter(letter, emailContext)(member, QUEUED)] as const;
  });
  return Promise.all([...single, ...many]);
}

type Email = Awaited<ReturnType<typeof emailsTo>>[number][1];

/** The tokens of the links to a page of the entry, in text and in HTML. */
const tokensIn = ({ text, html }: Email) =>
  [text, html].map((body) => new Set(Array.from(body.matchAll(/\/your-data\/([\w.-]+)/g), ([, token = ""]) => token)));

const statements: [statement: string, holds: (name: string, email: Email) => Promise<void>][] = [
  [
    "Our emails link to a page about your entry, except those that only ask you to confirm your address.",
    async (name, email) => {
      for (const tokens of tokensIn(email)) expect(tokens.size, name).toBe(asksToConfirm.has(name) ? 0 : 1);
    },
  ],
  [
    "The link works for 30 days, and for your entry only",
    async (name, email) => {
      for (const token of tokensIn(email).flatMap((tokens) => [...tokens])) {
        const at = async (days: number) => verifyDataToken(token, [linkSecret], QUEUED + days * 24 * 3_600_000);
        const [open, ended] = [false, true].map((expired) => ({ entryId: 7, issuedAt: QUEUED, expired }));
        expect([await at(29.9), await at(30), await at(-30)], name).toEqual([open, ended, ended]);
      }
    },
  ],
  [
    "The link that only unsubscribes never expires.",
    async (name, { headers }) => {
      const [, token = ""] = /\/unsubscribe\/([\w.-]+)\/one-click>/.exec(headers["List-Unsubscribe"] ?? "") ?? [];
      expect(await verifyEntryToken("unsubscribe:v1", token, [hashKey]), name).toBe(7);
    },
  ],
];

test.each(statements)("%s", async (statement, holds) => {
  expect(policy.replace(/\s+/g, " ")).toContain(statement);
  for (const [name, email] of await emailsTo(7)) await holds(name, email);
});

test("no email has a picture that tells its readers apart", async () => {
  const pictures = (emails: Awaited<ReturnType<typeof emailsTo>>) =>
    emails.map(([, { html }]) => Array.from(html.matchAll(/(?:src|background)="([^"]*)"|url\(([^)]*)\)/g), String));
  expect(pictures(await emailsTo(7))).toEqual(pictures(await emailsTo(8)));
});
