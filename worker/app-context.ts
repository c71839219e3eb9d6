import { chooseMailer } from "#app/email/choose-mailer.server.ts";
import { createBlockedCounter } from "#app/server/abuse/blocked-counter.server.ts";
import { createDisposableDomains } from "#app/server/abuse/disposable-domains.server.ts";
import { createTurnstile, type Turnstile } from "#app/server/abuse/turnstile.server.ts";
import type { Config } from "#app/server/config/config.server.ts";
import { getConfig, knownSettings } from "#app/server/config/env-config.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { setSiteSettings } from "#app/server/config/settings.server.ts";
import type { AddedByFeatures, AppContext } from "#app/server/context.ts";
import { type Db, openDb } from "#app/server/db/client.server.ts";
import { newNonce } from "#app/server/http/csp.server.ts";
import { perEnv } from "#app/server/per-env.ts";
import { utcDay } from "#app/server/time/calendar.ts";

/** Enough for a busy day, and safe for a new sender's reputation. */
const DEFAULT_EMAILS_PER_HOUR = 500;

/**
 * For a request or a run of the cron job.
 *
 * @param settingsFailure why it is not known what owners have set; null if it is
 * @throws `ConfigError` if the configuration is invalid
 */
export function createAppContext(
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
  added: AddedByFeatures,
  {
    clientIp = "unknown",
    settingsFailure = null,
  }: { clientIp?: string | undefined; settingsFailure?: Error | null } = {},
): AppContext {
  const shared = sharedContext(env);
  const { blockedCounter } = isolateState(env);
  const { settings, readAt } = knownSettings(env);
  setSiteSettings(settings);
  const now = Date.now;
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  let quotaExceeded = false;
  const db = requestDb(env, waitUntil, () => {
    quotaExceeded = true;
  });
  return {
    ...shared,
    ...added,
    settingsFailure,
    settingsReadAt: readAt,
    ...(settingsFailure !== null ? { mailer: null, mustConfirm: true } : {}),
    emailContext: { ...shared.emailContext, composeLetter: added.composeLetter },
    db,
    isQuotaExceeded: () => quotaExceeded,
    countBlocked: (reason) => blockedCounter.count({ db, now: now(), waitUntil }, [[utcDay(now()), reason]]),
    now,
    clientIp,
    nonce: newNonce(),
    waitUntil,
  };
}

/** The database of one request or run. The first query that D1 refuses for the day alerts the owner, once per isolate. */
export function requestDb(env: Env, waitUntil: AppContext["waitUntil"], onQuotaExceeded = () => {}): Db {
  return openDb(env.DB, () => {
    onQuotaExceeded();
    const { quotaAlert } = isolateState(env);
    const today = utcDay(Date.now());
    if (quotaAlert.day === today) return;
    quotaAlert.day = today;
    const shared = sharedContext(env);
    // On demand, because it renders an email.
    const alerting = import("#app/email/quota-alert.server.ts");
    waitUntil(alerting.then(({ alertQuotaExceeded }) => alertQuotaExceeded({ ...shared, now: Date.now })));
  });
}

/** What an isolate keeps in memory for as long as it lives. */
const isolateState = perEnv((env: Env) => ({
  /** The last day on which it found D1's daily quota used up. */
  quotaAlert: { day: "" },
  blockedCounter: createBlockedCounter(planLimits[getConfig(env).WORKERS_PLAN ?? "free"].blockedAttempts),
  shared: null as ReturnType<typeof createSharedContext> | null,
}));

/** The part of the context that all requests of an isolate share, until its settings change. */
function sharedContext(env: Env) {
  const state = isolateState(env);
  if (state.shared?.config !== getConfig(env)) state.shared = createSharedContext(env);
  return state.shared;
}

function createSharedContext(env: Env) {
  const config = getConfig(env);
  const { settings } = knownSettings(env);
  const plan = planLimits[config.WORKERS_PLAN ?? "free"];
  return {
    config,
    cache: env.CACHE,
    mailer: chooseMailer(env.EMAIL, config),
    emailsPerHour: config.MAIL_PER_HOUR ?? DEFAULT_EMAILS_PER_HOUR,
    emailContext: {
      siteUrl: config.SITE_URL,
      replyTo: config.REPLY_TO ?? config.CONTACT_EMAIL,
      launchUrl: config.LAUNCH_URL,
      linkSecret: config.LINK_SECRET,
      hashKey: config.HASH_KEY,
      ownerEmails: config.OWNER_EMAIL ?? [],
      formerOwnerEmails: settings.formerOwners,
      notificationsOff: settings.notificationsOff,
      ownerTimeZone: config.OWNER_TIME_ZONE ?? "UTC",
      controller: { name: config.CONTROLLER_NAME, address: config.CONTROLLER_ADDRESS },
    },
    launchUrl: config.LAUNCH_URL,
    mustConfirm: config.CONFIRM_ADDRESSES === "on",
    plan,
    hashKey: config.HASH_KEY,
    linkSecrets: [config.LINK_SECRET, config.LINK_SECRET_PREVIOUS].filter((secret) => secret !== undefined),
    limits: {
      client: env.CLIENT_LIMIT,
      network56: env.NETWORK_56_LIMIT,
      network48: env.NETWORK_48_LIMIT,
      address: env.ADDRESS_LIMIT,
      strict: env.STRICT_LIMIT,
      unverified: env.UNVERIFIED_LIMIT,
    },
    turnstile: turnstileOf(config),
    disposableDomains: createDisposableDomains({
      assets: env.ASSETS,
      allowed: config.DISPOSABLE_ALLOWED,
      now: Date.now,
    }),
    refusesDisposable: config.DISPOSABLE === "refuse",
    version: env.VERSION.id,
  };
}

function turnstileOf({ TURNSTILE_SECRET: secret, TURNSTILE_URL: url, SITE_URL }: Config): Turnstile | null {
  return secret === undefined ? null : createTurnstile({ secret, hostname: new URL(SITE_URL).hostname, url });
}
