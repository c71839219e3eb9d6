import { describe, expect, test } from "vitest";
import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { renderEmail } from "#app/email/render-email.server.ts";
import { dailyQuotaEmail } from "#app/email/templates/owner-emails.server.ts";
import { verifyToken } from "#app/server/hashes/signed-token.server.ts";
import { site } from "#app/site.ts";
import { verifyDataToken, verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { newsOnly, withFollowUps } from "#app/waitlist/sign-up/consent-wording.ts";
import {
  type Case,
  claimed,
  emailContext as context,
  entryEmails,
  id,
  OWNER,
  OWNER_ID,
  ownerEmails,
  subscriber,
  toConfirm,
  withDataLink,
} from "#tests/support/pool/all-emails.ts";
import { escaped } from "#tests/support/pool/built.ts";
import { technicalWordsIn } from "#tests/support/pool/owner.ts";

/** Without pictures, which only the HTML has. */
const linksIn = (part: string) =>
  (part.match(/https?:\/\/[^\s"<)]+/g) ?? []).filter((link) => !link.startsWith(`${context.siteUrl}/email/`));

const endOfLetter = new RegExp(`\n\n${RegExp.escape(site.name)}\n(?:https:\\S+\n)?\n--\n`);

/** To people whom an owner added, with the original words and with the owner's. */
const ownWords = '{"subject":"Please confirm your address","heading":"Yours?","body":"Tell us, please."}';
const addedToConfirm = toConfirm.flatMap(([kind, claim]): Case[] => [
  [`${kind} (to a person whom an owner added)`, { ...claim, wasAddedByOwner: true }],
  [`${kind} (to such a person, in the owner's words)`, { ...claim, wasAddedByOwner: true, wording: ownWords }],
]);

const signs: Record<string, string> = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&#39;": "'", "&amp;": "&" };

/** The words of a text in their order, without addresses of links. */
const wordsOf = (text: string) => text.replace(/:? \(?https?:\S+/g, "").split(/[\s·]+/);

describe.each<Case>([
  ...entryEmails,
  ["imported person's welcome", { ...subscriber, wasAddedByOwner: true }],
  ...addedToConfirm,
  ["welcome, once the product has launched,", subscriber, { launchUrl: "https://open.example/?a=1&b=2" }],
  ...ownerEmails,
])("the %s email", (_, claim, changes) => {
  const rendered = renderEmail(claimed(claim), { ...context, ...changes });

  test("says the same in text and in HTML, in the same order and with the same links", async () => {
    const { text, html } = await rendered;
    const body = html
      .slice(html.indexOf("<body"))
      .replaceAll(/ href="([^"]*)"[^>]*>([^<]*)/g, "> $2: $1")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/&(?:quot|lt|gt|#39|amp);/g, (sign) => signs[sign] ?? sign);
    const [letter = "", smallPrint = ""] = text.split(endOfLetter);
    expect(wordsOf(` ${body}`).filter(Boolean)).toEqual([site.name, letter, smallPrint].flatMap(wordsOf));
    expect(new Set(linksIn(text))).toEqual(new Set(linksIn(body)));
  });

  test("is in words, but for paragraphs that begin with Advanced, with typographic apostrophes and its heading once", async () => {
    const { subject, text, html } = await rendered;
    for (const part of [subject, text, html.replaceAll(/<[^>]*>/g, "")]) expect(part).not.toMatch(/'|&#39;|npm run/);
    expect(technicalWordsIn(`${subject}\n\n${text}`)).toEqual([]);
    const [heading = "", first] = text.split("\n\n");
    expect(first).not.toContain(heading);
  });

  test("contains no email address, and is the same at every attempt, as idempotency keys require", async () => {
    const { text, html, subject } = await rendered;
    expect(`${subject}${text}${html.replace("@media", "")}`).not.toContain("@");
    expect(await renderEmail(claimed({ ...claim, attempts: 5 }), { ...context, ...changes })).toEqual(await rendered);
  });
});

test("the emails about limits are in words, too", async () => {
  const told = { kind: "send-limit", data: { perHour: 500, waiting: 42, unverifiedPerHour: 250 }, ownerId: OWNER_ID };
  const emails = [await renderEmail(claimed(told as Case[1]), context), renderContent(dailyQuotaEmail(context))];
  for (const { text } of emails)
    expect([text, technicalWordsIn(text)]).toEqual([expect.stringContaining("Advanced: "), []]);
});

test.each(entryEmails)(
  "the %s email names the sender, asks autoresponders not to reply, and with https unsubscribes with one click (RFC 8058)",
  async (_, claim) => {
    const { to, replyTo, headers, text, html } = await renderEmail(claimed(claim), context);
    for (const body of [text, html]) expect(body).toContain("Grace Hopper, 1 Market Square, Exampleton");
    expect({ to, replyTo }).toEqual({ to: "ada@example.com", replyTo: context.replyTo });
    const oneClick = /^<https:\/\/waitlist-site\.example\/unsubscribe\/7\.[\w-]{43}\/one-click>$/;
    expect(headers).toEqual({
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": expect.stringMatching(oneClick),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    const local = await renderEmail(claimed(claim), { ...context, siteUrl: "http://localhost:8787" });
    expect(local.headers).toEqual({ "Auto-Submitted": "auto-generated" });
  },
);

test.each(withDataLink)(
  "the %s email links only to the site, its home by a personal link, the recipient's entry and the pages of privacy and to unsubscribe, each by a token for that alone",
  async (_, claim) => {
    const { text, html, headers } = await renderEmail(claimed(claim), context);
    const { siteUrl } = context;
    const own = ["", "/privacy", "/your-data/7-0.TOKEN"].map((path) => siteUrl + path);
    for (const body of [text, html]) {
      const known = linksIn(body)
        .map((link) => link.replace(/(your-data\/7-0|unsubscribe\/7)\.[\w-]{43}$/, "$1.TOKEN"))
        .filter((link) => link !== `${siteUrl}/unsubscribe/7.TOKEN` && !/\/\?via=\w{8}$/.test(link));
      expect(new Set([...known, `${siteUrl}/privacy`])).toEqual(new Set(own));
    }
    const unsubscribe = /unsubscribe\/([^/]+)/.exec(headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
    const page = /your-data\/(\S+)/.exec(text)?.[1] ?? "";
    expect(await verifyEntryToken("unsubscribe:v1", unsubscribe, [context.hashKey])).toBe(7);
    expect(await verifyDataToken(page, [context.linkSecret], 0)).toMatchObject({ entryId: 7, expired: false });
    const every = [context.hashKey, context.linkSecret];
    expect(await verifyDataToken(unsubscribe, every, 0)).toBeNull();
    expect(await verifyEntryToken("unsubscribe:v1", page, every)).toBeNull();
  },
);

describe.each([...toConfirm, ...addedToConfirm])("the %s email", (_, claim) => {
  const rendered = renderEmail(claimed(claim), context);

  test("has one link, to the page that confirms the address, and no promotion", async () => {
    const { subject, text, html } = await rendered;
    const people = [site.pioneer, site.host, site.stallholder].map(({ one }) => one.replace(/^an? /, ""));
    const promotion = new RegExp(["launch", ...people].map(RegExp.escape).join("|"), "i");
    for (const body of [text, html]) {
      const links = linksIn(body);
      expect(links).toEqual([expect.stringMatching(/^https:\/\/waitlist-site\.example\/confirm\/7\.[\w-]{43}$/)]);
      const token = links[0]?.split("/").at(-1) ?? "";
      expect(await verifyEntryToken("confirm:v1", token, [context.linkSecret])).toBe(7);
      const every = [context.hashKey, context.linkSecret];
      expect(await verifyEntryToken("unsubscribe:v1", token, every)).toBeNull();
      expect(await verifyDataToken(token, every, 0)).toBeNull();
      expect(body).not.toMatch(promotion);
    }
    expect(subject).toContain("confirm your address");
  });

  test("says once who entered or added the address", async () => {
    const { subject, text, html } = await rendered;
    const { wasAddedByOwner = false, wording } = claim;
    for (const body of [text, html.replaceAll(escaped(site.name), site.name)]) {
      const added = body.match(new RegExp(`the owner of ${RegExp.escape(site.name)} added this address`, "gi")) ?? [];
      expect([added.length, /entered/.test(body)]).toEqual([wasAddedByOwner ? 1 : 0, !wasAddedByOwner]);
    }
    expect(text).toMatch(wasAddedByOwner ? /If you didn’t give it to us, ignore/ : /someone entered this address/i);
    if (wording) expect(`${subject} ${text}`).toMatch(/^Please confirm your address Yours\?\s+Tell us, please\./);
  });
});

test.each(ownerEmails)(
  "the %s email goes only to a present owner, without unsubscribe headers, links only to the site, and has its numbers",
  async (kind, claim) => {
    const { to, replyTo, headers, text, html } = await renderEmail(claimed(claim), context);
    const addressed = { to: OWNER, replyTo: context.replyTo, headers: { "Auto-Submitted": "auto-generated" } };
    expect({ to, replyTo, headers }).toEqual(addressed);
    expect(linksIn(text + html).filter((link) => new URL(link).origin !== context.siteUrl)).toEqual([]);
    if (kind !== "sign-in") for (const body of [text, html]) expect(body).toMatch(/\b42\b/);
    const former = { ...context, ownerEmails: ["second-owner@waitlist-site.example"] };
    await expect(renderEmail(claimed(claim), former)).rejects.toThrow("no present or former owner has this id");
  },
);

const promises = [newsOnly, withFollowUps].map(({ version, text }) => [version, text] as const);
test.each([...promises, [null, newsOnly.text] as const])(
  "the welcome email says what its reader has become and agreed to (%s), with one button and a link to unsubscribe",
  async (consentVersion, promise) => {
    const { text, html } = await renderEmail(claimed({ ...subscriber, consentVersion }), context);
    expect(text).toMatch(new RegExp(`^You’re ${RegExp.escape(site.pioneer.one)}\n`));
    expect(html.match(/class="e-button"/g)).toHaveLength(1);
    for (const body of [text, html]) expect(body).toContain(promise);
    expect(text).toMatch(/^Unsubscribe: https:\S+\/unsubscribe\/7\.[\w-]{43}$/m);
    expect(html).toMatch(/<a href="https:[^"]+\/unsubscribe\/7\.[\w-]{43}"[^>]*>Unsubscribe<\/a>/);
  },
);

test("the link in a sign-in email is derived from the email's id, and is valid for nothing else", async () => {
  const claim = claimed({ kind: "sign-in", data: { expiresAt: 0 }, ownerId: OWNER_ID });
  const { text, html } = await renderEmail(claim, context);
  const token = /\/owner\/sign-in\/([\w.-]+)/.exec(text)?.[1] ?? "";
  expect(html).toContain(`/owner/sign-in/${token}"`);
  expect(await verifyToken("owner-sign-in:v1", token, [context.linkSecret])).toBe(id);
  const every = [context.linkSecret, context.hashKey];
  for (const purpose of ["your-data:v1", "unsubscribe:v1"] as const)
    expect(await verifyToken(purpose, token, every)).toBeNull();
});
