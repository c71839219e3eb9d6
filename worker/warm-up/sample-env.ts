import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import { localSecrets } from "#app/server/config/local-secrets.server.ts";

export const SITE_URL = "https://waitlist-site.example";

type ClaimColumn =
  | Exclude<keyof ClaimedEmail, "claimedAt" | "email" | "consentVersion" | "wasAddedByOwner">
  | "recipient";

/** What the database answers, by how a statement begins. The others find nothing. */
const rows: [start: string, row: Record<string, unknown>][] = [
  ["INSERT INTO waitlist_emails", { id: 1 }],
  [
    "WITH used AS",
    {
      id: "00000000-0000-4000-8000-000000000000",
      kind: "welcome",
      entryId: 1,
      ownerId: null,
      data: null,
      createdAt: 0,
      attempts: 1,
      leased_until: 0,
      firstAttemptAt: 0,
      reason: null,
      wording: null,
      wasPaused: 0,
      pausedUntil: null,
      acceptsOthers: 0,
      recipient: '{"email":"ada@example.com","consentVersion":null,"wasAddedByOwner":0}',
    } satisfies Record<ClaimColumn, unknown>,
  ],
];

/** An environment whose services answer at once, without I/O: the database is empty, and `sent` gets the emails. */
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
      prepare,
      batch: async (statements: { all(): unknown }[]) => Promise.all(statements.map((each) => each.all())),
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

function prepare(sql: string) {
  const found = rows.flatMap(([start, row]) => (sql.startsWith(start) ? [row] : []));
  const result = { results: found, success: true, meta: {} };
  const statement = {
    bind: () => statement,
    all: async () => result,
    run: async () => result,
    raw: async () => found.map((row) => Object.values(row)),
    first: async () => found[0] ?? null,
  };
  return statement;
}
