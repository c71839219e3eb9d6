import { createExecutionContext, createScheduledController, env, waitOnExecutionContext } from "cloudflare:test";
import { builtWorker } from "#tests/support/pool/built-site.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { OWNER } from "#tests/support/pool/owner.ts";
import { playedKv } from "#tests/support/pool/played-kv.ts";
import { quotaD1 } from "#tests/support/pool/quota-d1.ts";

/** An isolate of the site whose database refuses queries, and what it leaves behind. */
export function exhaustedSite(
  replaced: object = {},
  options: Parameters<typeof quotaD1>[0] = { written: 0 },
  own = {},
) {
  const emails: EmailMessageBuilder[] = [];
  const kv = playedKv(() => Date.now());
  const EMAIL = { send: async (email: EmailMessageBuilder) => void emails.push(email) };
  const quota = quotaD1(options);
  const bindings = {
    ...env,
    ...unlimitedRates,
    ...{ DB: quota.d1, CACHE: kv.location()(), EMAIL, OWNER_EMAIL: OWNER, RESEND_WEBHOOK_SECRET: "" },
    ...replaced,
  } as unknown as Env;

  async function send(path: string, init: RequestInit = {}) {
    const execution = createExecutionContext();
    const headers = { ...init.headers, ...own };
    const request = new Request(env.SITE_URL + path, { redirect: "manual", ...init, headers });
    const response = await builtWorker.fetch(request, bindings, execution);
    const body = await response.text();
    await waitOnExecutionContext(execution);
    return { status: response.status, body, retryAfter: response.headers.get("Retry-After") };
  }

  return {
    emails,
    kv,
    quota,
    bindings,
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    postForm: (path: string, fields: Record<string, string> = {}) =>
      send(path, {
        method: "POST",
        headers: { Origin: env.SITE_URL, Accept: "text/html" },
        body: new URLSearchParams(fields),
      }),
    postJson: (path: string, body: object) => {
      const headers = { Origin: env.SITE_URL, "Content-Type": "application/json" };
      return send(path, { method: "POST", headers, body: JSON.stringify(body) });
    },
    async runCron() {
      const execution = createExecutionContext();
      try {
        await builtWorker.scheduled(createScheduledController(), bindings, execution);
      } finally {
        await waitOnExecutionContext(execution);
      }
    },
  };
}
