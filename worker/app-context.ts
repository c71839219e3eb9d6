import type { AppContext } from "#app/context.ts";
import { bindingMailer } from "#app/email/binding-mailer.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import { resendMailer } from "#app/email/resend-mailer.server.ts";
import type { Config } from "#app/server/config.server.ts";
import { createViolationLog } from "#app/server/csp-reports.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { newNonce } from "#app/server/nonce.server.ts";
import { createBlockedCounter } from "#app/waitlist/abuse/blocked-counter.server.ts";
import { createTurnstile, type Turnstile } from "#app/waitlist/abuse/turnstile.server.ts";

/** Enough for a good day, and no more than a new sender's reputation bears. */
const MAIL_PER_HOUR = 500;

/** Turns bindings and configuration into what the domain uses. */
export function createAppContext(
  env: Env,
  config: Config,
  execution: Pick<ExecutionContext, "waitUntil">,
  client = "unknown",
): AppContext {
  const { tally, ...shared } = sharedBy(env, config);
  const { db } = shared;
  const now = Date.now;
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  return {
    ...shared,
    countBlocked: (reason) => tally.count({ db, now, waitUntil }, reason),
    now,
    client,
    nonce: newNonce(),
    waitUntil,
  };
}

/** What all requests of an isolate have in common, since they share its bindings, and gather in its memory. */
type Shared = ReturnType<typeof share>;

const isolates = new WeakMap<Env, Shared>();

function sharedBy(env: Env, config: Config): Shared {
  const found = isolates.get(env) ?? share(env, config);
  isolates.set(env, found);
  return found;
}

function share(env: Env, config: Config) {
  return {
    config,
    db: openDb(env.DB),
    cache: env.CACHE,
    mailer: createMailer(env, config),
    emailsPerHour: config.MAIL_PER_HOUR ?? MAIL_PER_HOUR,
    ownerEmail: config.OWNER_EMAIL ?? null,
    ownerTimeZone: config.OWNER_TIME_ZONE ?? "UTC",
    facts: { siteUrl: config.SITE_URL, replyTo: config.CONTACT_EMAIL, linkSecret: config.LINK_SECRET },
    linkSecrets: [config.LINK_SECRET, config.LINK_SECRET_PREVIOUS].filter((secret) => secret !== undefined),
    limits: { client: env.CLIENT_LIMIT, address: env.ADDRESS_LIMIT, strict: env.STRICT_LIMIT },
    turnstile: turnstileOf(config),
    version: env.VERSION.id,
    tally: createBlockedCounter(),
    violations: createViolationLog(),
  };
}

/** Null where it is not configured. */
function turnstileOf({ TURNSTILE_SECRET, TURNSTILE_URL }: Config): Turnstile | null {
  return TURNSTILE_SECRET === undefined ? null : createTurnstile({ secret: TURNSTILE_SECRET, url: TURNSTILE_URL });
}

/** Null while no sender is configured. */
function createMailer(env: Env, { MAIL_FROM, RESEND_API_KEY, RESEND_URL }: Config): Mailer | null {
  if (MAIL_FROM === undefined) return null;
  if (RESEND_API_KEY === undefined) return bindingMailer(env.EMAIL, MAIL_FROM);
  return resendMailer({ apiKey: RESEND_API_KEY, from: MAIL_FROM, url: RESEND_URL });
}
