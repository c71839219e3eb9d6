import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { vi } from "vitest";
import { bindingsWith, builtWorker, runCron } from "#tests/support/pool/built.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { emailBinding } from "#tests/support/pool/emails.ts";
import { OWNER, type OwnerBrowser } from "#tests/support/pool/owner.ts";

/** One isolate of the site, which keeps what it has read of the settings, as those of Cloudflare do. */
export function isolate(vars: object = {}) {
  const state = {
    /** Happens whenever the row of settings is read. */
    atRead: async () => {},
    reads: 0,
  };
  const { d1 } = meteredD1(async (sql) => {
    if (!/select "stored" from "settings"/.test(sql)) return;
    state.reads += 1;
    await state.atRead();
  });
  const { binding, sent } = emailBinding();
  const bindings = bindingsWith({ OWNER_EMAIL: OWNER, EMAIL: binding, ...vars, DB: d1 });
  return {
    state,
    sent,
    /** @param whose an owner's browser, whose cookies are sent along */
    async request(path: string, init: RequestInit = {}, whose?: OwnerBrowser) {
      const execution = createExecutionContext();
      const headers = new Headers(init.headers);
      if (whose) headers.set("Cookie", Array.from(whose.cookies, (pair) => pair.join("=")).join("; "));
      const request = new Request(`${env.SITE_URL}${path}`, { redirect: "manual", ...init, headers });
      const response = await builtWorker.fetch(request, bindings, execution);
      const body = await response.text();
      // A read that never ends would be waited for.
      if (state.atRead !== never) await waitOnExecutionContext(execution);
      return { status: response.status, headers: response.headers, body };
    },
    post(path: string, fields: Record<string, string>, whose?: OwnerBrowser) {
      const body = new URLSearchParams(fields);
      return this.request(
        path,
        { method: "POST", headers: { Origin: env.SITE_URL, Accept: "text/html" }, body },
        whose,
      );
    },
    runCron: () => runCron(bindings),
  };
}

/** A read without an answer. */
export const never = () => new Promise<void>(() => {});

export const failing = () => Promise.reject(new Error("D1_ERROR: internal error; reference = 12ab34"));

/** Moves the stopped clock. */
export function wait(millis: number): void {
  vi.setSystemTime(Date.now() + millis);
}
