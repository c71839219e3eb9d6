import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import { localSecrets } from "#app/server/config/local-secrets.server.ts";

export const SITE_URL = "https://waitlist-site.example";

/** A welcome email that waited in the outbox. */
export const sampleEmail: ClaimedEmail = {
  id: "00000000-0000-4000-8000-000000000000",
  kind: "welcome",
  entryId: 1,
  email: "ada@example.com",
  ownerId: null,
  data: null,
  wording: null,
  wasAddedByOwner: false,
  consentVersion: null,
  createdAt: 0,
  attempts: 1,
  leased_until: 0,
  firstAttemptAt: 0,
  claimedAt: 0,
  reason: null,
  wasPaused: false,
  pausedUntil: null,
  acceptsOthers: false,
};

/**
 * An environment whose services answer at once, without I/O, and `sent` gets the emails. The database finds nothing, except
 * that every statement of a batch has written a row.
 */
export function sampleEnv(): { env: Env; sent: unknown[] } {
  const sent: unknown[] = [];
  const limit = { limit: async () => ({ success: true }) };
  const env = {
    SITE_URL,
    CONTACT_EMAIL: "hello@waitlist-site.example",
    CONTROLLER_NAME: "Nobody",
    CONTROLLER_ADDRESS: "1 Market Square",
    ...localSecrets,
    MAIL_FROM: "pioneers@waitlist-site.example",
    OWNER_EMAIL: "owner@waitlist-site.example",
    RENDER_CACHE: "off",
    DB: {
      prepare: () => statement,
      // A sign-up learns the id of its entry.
      batch: async (statements: unknown[]) => statements.map(() => ({ ...nothing, results: [{ id: 1 }] })),
    },
    CACHE: {
      get: async () => null,
      getWithMetadata: async () => ({ value: null, metadata: null }),
      put: async () => {},
    },
    EMAIL: { send: async (email: unknown) => sent.push(email) },
    CLIENT_LIMIT: limit,
    NETWORK_56_LIMIT: limit,
    NETWORK_48_LIMIT: limit,
    ADDRESS_LIMIT: limit,
    STRICT_LIMIT: limit,
    UNVERIFIED_LIMIT: limit,
    API_LIMIT: limit,
    FAIR_LIMIT: limit,
    VERSION: { id: "warm-up" },
  };
  return { env: env as unknown as Env, sent };
}

const nothing = { results: [], success: true, meta: {} };

const statement = {
  bind: () => statement,
  all: async () => nothing,
  run: async () => nothing,
  raw: async () => [],
  first: async () => null,
};
