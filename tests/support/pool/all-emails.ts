import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import { entryTemplates, type OwnerEmailData } from "#app/email/render-email.server.ts";
import type { EmailContext } from "#app/server/context.ts";
import type { EmailKind } from "#app/server/db/schema/email.server.ts";
import { ownerId } from "#app/server/owners.server.ts";

export const OWNER = "owner@waitlist-site.example";

export const emailContext = {
  siteUrl: "https://waitlist-site.example",
  replyTo: "hello@waitlist-site.example",
  linkSecret: "0123456789abcdef0123456789abcdef",
  hashKey: "abcdef0123456789abcdef0123456789",
  ownerEmails: [OWNER, "second-owner@waitlist-site.example"],
  ownerTimeZone: "Europe/London",
  controller: { name: "Grace Hopper", address: "1 Market Square\nExampleton" },
};

export const OWNER_ID = await ownerId(OWNER);

export const id = "3b241101-e2bb-4255-8caf-4136c566a962";

/** An email as the outbox claims it. */
export function claimed(email: Partial<ClaimedEmail>): ClaimedEmail {
  const none = {
    entryId: null,
    email: null,
    consentVersion: null,
    ownerId: null,
    data: null,
    wording: null,
    wasAddedByOwner: false,
  };
  return {
    id,
    kind: "welcome",
    ...none,
    createdAt: 0,
    attempts: 1,
    leased_until: 0,
    firstAttemptAt: 0,
    claimedAt: 0,
    reason: null,
    wasPaused: false,
    pausedUntil: null,
    acceptsOthers: false,
    ...email,
  };
}

export const subscriber = { entryId: 7, email: "ada@example.com" };

export type Case = [name: string, claim: Partial<ClaimedEmail>, changes?: Partial<EmailContext>];

const toSubscriber = (kind: EmailKind): Case => [
  kind,
  { kind, ...subscriber, ...(kind === "milestone" ? { data: { friends: 3 } } : {}) },
];
const confirmKinds: EmailKind[] = ["confirm", "confirm-reminder"];
export const toConfirm = confirmKinds.map(toSubscriber);
export const withDataLink = (Object.keys(entryTemplates) as EmailKind[])
  .filter((kind) => !confirmKinds.includes(kind))
  .map(toSubscriber);
export const entryEmails = [...withDataLink, ...toConfirm];

export const ownerEmails = Object.entries({
  "sign-in": { expiresAt: Date.UTC(2026, 10, 21) },
  "send-limit": { perHour: 500, waiting: 42 },
  digest: { from: 0, until: Date.UTC(2026, 10, 21), joined: 42, active: 40, waiting: 1, dead: 1 },
  alert: {
    since: 0,
    dead: 42,
    reasons: [{ reason: "address-refused", emails: 42 }],
    blocked: { day: "2026-11-21", count: 500, usual: 3 },
    letters: [{ id: 3, subject: 'Fish & "chips" <b>', stepId: null, reason: "bounces" }],
  },
  "settings-changed": {
    by: null,
    at: Date.UTC(2026, 10, 21),
    changes: [{ label: "Emails an hour, at most", from: "500", to: "42" }],
  },
} satisfies OwnerEmailData).map(([kind, data]): Case => [kind, { kind: kind as EmailKind, data, ownerId: OWNER_ID }]);

/** Every email that the site sends by itself. */
export const allEmails = [...entryEmails, ...ownerEmails].map(([name, claim]): [string, ClaimedEmail] => [
  name,
  claimed(claim),
]);
