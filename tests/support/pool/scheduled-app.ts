import { createExecutionContext, env } from "cloudflare:test";
import type { ProviderMailer } from "#app/email/mailer.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { createAppContext } from "#worker/app-context.ts";

/** The context of a run of the cron job, on the test database unless another is given. */
export function scheduledApp(now: number, { binding = emailBinding().binding, vars = {}, d1 = env.DB } = {}) {
  const app = createAppContext({ ...env, ...vars, DB: d1, EMAIL: binding }, createExecutionContext());
  return { ...app, now: () => now };
}

/**
 * A mailer that counts the emails submitted to it, and those it accepted by recipient.
 *
 * @param refusal why it permanently refuses the others; if not given, they can be retried
 */
export function countingMailer(accepts: (nth: number) => boolean = () => true, refusal?: EmailReason) {
  const accepted = new Map<string, number>();
  const counted = { submitted: 0, accepted };
  const mailer: ProviderMailer = {
    provider: "A test",
    description: "A test",
    keyLifetime: 0,
    async send({ to }) {
      counted.submitted += 1;
      if (!accepts(counted.submitted)) {
        if (refusal !== undefined) return { state: "permanent", reason: refusal, detail: "out of order" };
        return { state: "unknown", reason: "unreachable", detail: "out of order" };
      }
      accepted.set(to, (accepted.get(to) ?? 0) + 1);
      return { state: "sent" };
    },
  };
  return { mailer, counted };
}
