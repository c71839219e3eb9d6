import type { Config } from "#app/config.server.ts";
import type { AppContext } from "#app/context.ts";
import { openDb } from "#app/db/client.server.ts";
import { bindingMailer } from "#app/email/binding-mailer.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import { resendMailer } from "#app/email/resend-mailer.server.ts";
import { type BlockedTally, blockedTally } from "#app/gate/blocked-attempts.server.ts";
import { createTurnstile, type Turnstile } from "#app/gate/turnstile.server.ts";

/** Enough for a good day, and no more than a new sender's reputation bears. */
const MAIL_PER_HOUR = 500;

/** Turns bindings and configuration into what the domain uses. */
export function createAppContext(
  env: Env,
  config: Config,
  execution: Pick<ExecutionContext, "waitUntil">,
  client = "unknown",
): AppContext {
  const db = openDb(env.DB);
  const now = Date.now;
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  const tally = tallyOf(env);
  return {
    config,
    db,
    cache: env.CACHE,
    mailer: createMailer(env, config),
    mailPerHour: config.MAIL_PER_HOUR ?? MAIL_PER_HOUR,
    ownerEmail: config.OWNER_EMAIL ?? null,
    facts: { siteUrl: config.SITE_URL, replyTo: config.CONTACT_EMAIL, linkSecret: config.LINK_SECRET },
    linkSecrets: [config.LINK_SECRET, config.LINK_SECRET_PREVIOUS].filter((secret) => secret !== undefined),
    limits: { client: env.CLIENT_LIMIT, address: env.ADDRESS_LIMIT, strict: env.STRICT_LIMIT },
    turnstile: turnstileOf(config),
    countBlocked: (reason) => tally.count({ db, now, waitUntil }, reason),
    now,
    client,
    waitUntil,
  };
}

const tallies = new WeakMap<Env, BlockedTally>();

/** One tally for all requests of an isolate, which share its bindings. */
function tallyOf(env: Env): BlockedTally {
  const tally = tallies.get(env) ?? blockedTally();
  tallies.set(env, tally);
  return tally;
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
