import type { Config } from "#app/config.server.ts";
import type { AppContext } from "#app/context.ts";
import { openDb } from "#app/db/client.server.ts";
import { bindingMailer } from "#app/email/mailer.server.ts";

/** Turns bindings and configuration into what the domain uses. */
export function createAppContext(
  env: Env,
  config: Config,
  execution: Pick<ExecutionContext, "waitUntil">,
  client = "unknown",
): AppContext {
  return {
    config,
    db: openDb(env.DB),
    cache: env.CACHE,
    mailer: config.MAIL_FROM === undefined ? null : bindingMailer(env.EMAIL, config.MAIL_FROM),
    facts: { siteUrl: config.SITE_URL, replyTo: config.CONTACT_EMAIL },
    limits: { client: env.CLIENT_LIMIT, address: env.ADDRESS_LIMIT },
    now: Date.now,
    client,
    waitUntil: (work) => execution.waitUntil(work),
  };
}
