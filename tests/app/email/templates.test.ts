import { describe, expect, test } from "vitest";
import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import { type EmailContext, entryTemplates, type OwnerEmailData, renderEmail } from "#app/email/render-email.server.ts";
import type { EmailKind } from "#app/server/db/schema/email.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import { verifyToken } from "#app/server/signed-token.server.ts";
import { site } from "#app/site.ts";
import { consentWording } from "#app/waitlist/consent-wording.ts";
import { DATA_LINK_LIFETIME, verifyDataToken, verifyEntryToken } from "#app/waitlist/my-data/token.server.ts";

const OWNER = "owner@waitlist-site.example";

const context = {
  siteUrl: "https://waitlist-site.example",
  replyTo: "hello@waitlist-site.example",
  linkSecret: "0123456789abcdef0123456789abcdef",
  hashKey: "abcdef0123456789abcdef0123456789",
  ownerEmails: [OWNER, "second-owner@waitlist-site.example"],
  ownerTimeZone: "Europe/London",
  controller: { name: "Grace Hopper", address: "1 Market Square\nExampleton" },
};

const OWNER_ID = await ownerId(OWNER);

const id = "3b241101-e2bb-4255-8caf-4136c566a962";

function claimed(email: Partial<ClaimedEmail>): ClaimedEmail {
  const none = { entryId: null, email: null, ownerId: null, data: null, wording: null, wasAddedByOwner: false };
  return { id, kind: "welcome", ...none, createdAt: 0, attempts: 1, ...email };
}

const subscriber = { entryId: 7, email: "ada@example.com" };

type Case = [name: string, claim: Partial<ClaimedEmail>, changes?: Partial<EmailContext>];

const toSubscriber = (kind: EmailKind): Case => [kind, { kind, ...subscriber }];
const confirmKinds: EmailKind[] = ["confirm", "confirm-reminder"];
const toConfirm = confirmKinds.map(toSubscriber);
const withDataLink = (Object.keys(entryTemplates) as EmailKind[])
  .filter((kind) => !confirmKinds.includes(kind))
  .map(toSubscriber);
const entryEmails = [...withDataLink, ...toConfirm];

const ownerEmails = Object.entries({
  "sign-in": { expiresAt: Date.UTC(2026, 10, 21) },
  "send-limit": { perHour: 500, waiting: 42 },
  digest: { from: 0, until: Date.UTC(2026, 10, 21), joined: 42, active: 40, waiting: 1, dead: 1 },
  alert: {
    since: 0,
    dead: 42,
    reasons: [{ reason: "address-refused", emails: 42 }],
    blocked: { day: "2026-11-21", count: 500, usual: 3 },
    letters: [{ id: 3, subject: 'Fish & "chips" <b>', reason: "bounces" }],
  },
} satisfies OwnerEmailData).map(([kind, data]): Case => [kind, { kind: kind as EmailKind, data, ownerId: OWNER_ID }]);

const linksIn = (part: string) => part.match(/https?:\/\/[^\s"<)]+/g) ?? [];

const endOfLetter = new RegExp(`\n\n${RegExp.escape(site.name)}\n(?:https:\\S+\n)?\n--\n`);

/** The words of a text in their order, without addresses of links. */
const wordsOf = (text: string) => text.replace(/:? \(?https?:\S+/g, "").split(/[\s·]+/);

describe.each<Case>([
  ...entryEmails,
  ["imported person's welcome", { ...subscriber, wasAddedByOwner: true }],
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
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&");
    const [letter = "", smallPrint = ""] = text.split(endOfLetter);
    expect(wordsOf(` ${body}`).filter(Boolean)).toEqual([
      ...wordsOf(site.name),
      ...wordsOf(letter),
      ...wordsOf(smallPrint),
    ]);
    expect(new Set(linksIn(text))).toEqual(new Set(linksIn(body)));
  });

  test("contains no email address", async () => {
    const { text, html, subject } = await rendered;
    expect(`${subject}${text}${html.replace("@media", "")}`).not.toContain("@");
  });

  test("is the same at every attempt, as idempotency keys require", async () => {
    expect(await renderEmail(claimed({ ...claim, attempts: 5 }), { ...context, ...changes })).toEqual(await rendered);
  });
});

describe.each(entryEmails)("the %s email", (_, claim) => {
  const rendered = renderEmail(claimed(claim), context);

  test("names the sender with the postal address", async () => {
    const { text, html } = await rendered;
    for (const body of [text, html]) expect(body).toContain("Grace Hopper, 1 Market Square, Exampleton");
  });

  test("has one-click unsubscribe headers (RFC 8058) and asks autoresponders not to reply", async () => {
    const { to, replyTo, headers } = await rendered;
    expect({ to, replyTo }).toEqual({ to: "ada@example.com", replyTo: context.replyTo });
    expect(headers).toEqual({
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": expect.stringMatching(
        /^<https:\/\/waitlist-site\.example\/unsubscribe\/7\.[\w-]{43}\/one-click>$/,
      ),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  });

  test("has no unsubscribe headers on a site without https, where they would be rejected", async () => {
    const { headers } = await renderEmail(claimed(claim), { ...context, siteUrl: "http://localhost:8787" });
    expect(headers).toEqual({ "Auto-Submitted": "auto-generated" });
  });
});

describe.each(withDataLink)("the %s email", (_, partial) => {
  const claim = claimed(partial);
  const rendered = renderEmail(claim, context);

  test("links only to the site, the recipient's entry, the page to unsubscribe and the privacy page", async () => {
    const { text, html } = await rendered;
    for (const body of [text, html]) {
      const known = linksIn(body)
        .map((link) => link.replace(/(your-data\/7-0|unsubscribe\/7)\.[\w-]{43}$/, "$1.TOKEN"))
        .filter((link) => link !== `${context.siteUrl}/unsubscribe/7.TOKEN`);
      const { siteUrl } = context;
      expect(new Set([...known, `${siteUrl}/privacy`])).toEqual(
        new Set([siteUrl, `${siteUrl}/privacy`, `${siteUrl}/your-data/7-0.TOKEN`]),
      );
    }
  });

  test("has a token in its unsubscribe header that can only unsubscribe, signed with HASH_KEY", async () => {
    const { text, headers } = await rendered;
    const unsubscribe = /unsubscribe\/([^/]+)/.exec(headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
    const page = /your-data\/(\S+)/.exec(text)?.[1] ?? "";
    expect(await verifyEntryToken("unsubscribe:v1", unsubscribe, [context.hashKey])).toBe(7);
    expect(await verifyDataToken(page, [context.linkSecret], 0)).toEqual({ entryId: 7, expired: false });
    const every = [context.hashKey, context.linkSecret];
    expect(await verifyDataToken(unsubscribe, every, 0)).toBeNull();
    expect(await verifyEntryToken("unsubscribe:v1", page, every)).toBeNull();
  });

  test("has the same link in all attempts, which expires 30 days after the email was queued", async () => {
    const page = async (attempts: number) => {
      const { text } = await renderEmail({ ...claim, createdAt: 1_000, attempts }, context);
      return /your-data\/(\S+)/.exec(text)?.[1] ?? "";
    };
    expect(await page(9)).toBe(await page(1));
    const verify = async (now: number) => verifyDataToken(await page(1), [context.linkSecret], now);
    expect(DATA_LINK_LIFETIME).toBe(30 * 24 * 3_600_000);
    expect(await verify(1_000 + DATA_LINK_LIFETIME - 1)).toEqual({ entryId: 7, expired: false });
    expect(await verify(1_000 + DATA_LINK_LIFETIME)).toEqual({ entryId: 7, expired: true });
  });
});

describe.each(toConfirm)("the %s email", (_, claim) => {
  const rendered = renderEmail(claimed(claim), context);

  test("has one link, to the page that confirms the address", async () => {
    const { text, html } = await rendered;
    for (const body of [text, html]) {
      const links = linksIn(body);
      expect(links).toEqual([expect.stringMatching(/^https:\/\/waitlist-site\.example\/confirm\/7\.[\w-]{43}$/)]);
      const token = links[0]?.split("/").at(-1) ?? "";
      expect(await verifyEntryToken("confirm:v1", token, [context.linkSecret])).toBe(7);
      const every = [context.hashKey, context.linkSecret];
      expect(await verifyEntryToken("unsubscribe:v1", token, every)).toBeNull();
      expect(await verifyDataToken(token, every, 0)).toBeNull();
    }
  });

  test("holds no promotion", async () => {
    const people = [site.pioneer, site.host, site.stallholder].map(({ one }) => one.replace(/^an? /, ""));
    const promotion = new RegExp(["launch", ...people].map(RegExp.escape).join("|"), "i");
    const { subject, text, html } = await rendered;
    for (const body of [text, html]) expect(body).not.toMatch(promotion);
    expect(subject).toContain("confirm your address");
  });
});

describe.each(ownerEmails)("the %s email", (kind, claim) => {
  const rendered = renderEmail(claimed(claim), context);

  test("goes to its owner, without unsubscribe headers", async () => {
    const { to, replyTo, headers } = await rendered;
    expect({ to, replyTo }).toEqual({ to: OWNER, replyTo: context.replyTo });
    expect(headers).toEqual({ "Auto-Submitted": "auto-generated" });
  });

  test("links only to the site", async () => {
    const { text, html } = await rendered;
    const foreign = linksIn(text + html).filter((link) => new URL(link).origin !== context.siteUrl);
    expect(foreign).toEqual([]);
  });

  if (kind !== "sign-in") {
    test("has its numbers in text and in HTML", async () => {
      const { text, html } = await rendered;
      for (const body of [text, html]) expect(body).toMatch(/\b42\b/);
    });
  }

  test("cannot be rendered for a former owner", async () => {
    const former = { ...context, ownerEmails: ["second-owner@waitlist-site.example"] };
    await expect(renderEmail(claimed(claim), former)).rejects.toThrow("OWNER_EMAIL");
  });
});

test("the welcome email repeats the form's promise and offers to unsubscribe", async () => {
  const { text, html } = await renderEmail(claimed(subscriber), context);
  for (const body of [text, html]) expect(body).toContain(consentWording);
  expect(text).toMatch(/^Unsubscribe: https:\S+\/unsubscribe\/7\.[\w-]{43}$/m);
  expect(html).toMatch(/<a href="https:[^"]+\/unsubscribe\/7\.[\w-]{43}"[^>]*>Unsubscribe<\/a>/);
});

test("the link in a sign-in email is derived from the email's id, and is valid for nothing else", async () => {
  const { text, html } = await renderEmail(
    claimed({ kind: "sign-in", data: { expiresAt: 0 }, ownerId: OWNER_ID }),
    context,
  );
  const token = /\/owner\/sign-in\/([\w.-]+)/.exec(text)?.[1] ?? "";
  expect(html).toContain(`/owner/sign-in/${token}"`);
  expect(await verifyToken("owner-sign-in:v1", token, [context.linkSecret])).toBe(id);
  const every = [context.linkSecret, context.hashKey];
  for (const purpose of ["your-data:v1", "unsubscribe:v1"] as const)
    expect(await verifyToken(purpose, token, every)).toBeNull();
});
