import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import { sendClaimed } from "#app/email/sender.server.ts";
import { localSecrets } from "#app/server/config/local-secrets.server.ts";
import { logError } from "#app/server/log.ts";
import { createAppContext } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";
import { withStandIns } from "#worker/warm-up/global-scope.ts";

const SITE_URL = "https://waitlist-site.example";

interface Handlers {
  fetch(request: Request, env: Env, execution: ExecutionContext): Response | Promise<Response>;
  scheduled(env: Env, execution: ExecutionContext): Promise<void>;
}

/** The headers of a request that counts as a visit. */
const VISIT = {
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Site": "cross-site",
  Referer: "https://social.example/",
  "User-Agent": "Mozilla/5.0",
};

/** One for each kind of work that a first request might have to do. */
const requests = [
  () => new Request(`${SITE_URL}/?utm_source=newsletter`, { headers: VISIT }),
  () => post("/", "application/x-www-form-urlencoded", "email=ada%40example.com"),
  () => post("/api/signup", "application/json", '{"email":"ada@example.com"}'),
  () => post("/api/send-welcome", "application/json", '{"email":"ada@example.com"}'),
  () => new Request(`${SITE_URL}/owner`),
];

function post(path: string, type: string, body: string): Request {
  const headers = { Origin: SITE_URL, "Content-Type": type, "Content-Length": String(body.length) };
  return new Request(SITE_URL + path, { method: "POST", headers, body });
}

/** How many steps of promises the warm-up may take. It takes about a tenth of them. */
const MAX_STEPS = 5_000;

/**
 * Handles some requests while the Worker starts up, and drops the responses. The runtime compiles a function when it first
 * runs, which would cost the first visitor of an isolate more CPU time than the request itself. Cloudflare's free plan
 * allows a request 10 ms, and the start-up a second.
 * https://developers.cloudflare.com/workers/platform/limits/
 *
 * Never rejects and always ends, whatever the runtime refuses: the first request is slower then, and the log says why.
 */
export async function warmUp(handlers: Handlers): Promise<void> {
  const failures: unknown[] = [];
  await withStandIns(async () => {
    const work = handleAll(handlers).catch((error: unknown) => failures.push(error));
    // A module whose evaluation never ends keeps the Worker from starting.
    const end = steps(MAX_STEPS).then(() => failures.push(new Error("it did not end")));
    await Promise.race([work, end]);
  });
  for (const failure of failures) logError("warm-up-failed", failure);
}

/** @throws if a request fails, or no email is sent */
async function handleAll({ fetch, scheduled }: Handlers): Promise<void> {
  const { env, sent } = sampleEnv();
  const work: Promise<unknown>[] = [];
  const execution = { waitUntil: (promise: Promise<unknown>) => work.push(promise) } as unknown as ExecutionContext;
  for (const request of requests) {
    const response = await fetch(request(), env, execution);
    await response.text();
    if (response.status >= 500) throw new Error(`${response.status} for ${request().url}`);
  }
  await scheduled(env, execution);
  // The database is empty, so that the run above had none to send.
  const { mailer, ...app } = createAppContext(env, execution, added);
  if (mailer !== null) await sendClaimed({ ...app, mailer }, [sampleEmail]);
  await Promise.all(work);
  if (sent.length === 0) throw new Error("no email was sent");
}

async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await null;
}

/** A welcome email that waited in the outbox. */
const sampleEmail: ClaimedEmail = {
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
 * An environment whose services respond at once, without I/O; `sent` collects the emails. Queries find nothing, but every
 * statement of a batch returns a row with an id.
 */
function sampleEnv(): { env: Env; sent: unknown[] } {
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
      // A sign-up reads the id of its new entry from this row.
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
