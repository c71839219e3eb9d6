import { createExecutionContext, createScheduledController, env, waitOnExecutionContext } from "cloudflare:test";
import { beforeEach } from "vitest";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { builtWorker } from "#tests/support/pool/built-site.ts";

export const OWNER = "owner@waitlist-site.example";

/** The owner's browser on the built Worker: it stores cookies and receives the owner's emails. */
export function ownerBrowser(vars: object = {}, siteUrl: string = env.SITE_URL) {
  const emails: EmailMessageBuilder[] = [];
  const EMAIL = { send: async (email: EmailMessageBuilder) => void emails.push(email) } as unknown as SendEmail;
  const cookies = new Map<string, string>();
  const bindings = () => ({ ...env, OWNER_EMAIL: OWNER, EMAIL, ...vars }) as unknown as Env;
  const browser = {
    emails,
    cookies,
    /** Sends a request without following redirects. */
    async request(path: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {}) {
      const execution = createExecutionContext();
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
      const own = { ...(cookie === "" ? {} : { Cookie: cookie }), ...headers };
      const request = new Request(`${siteUrl}${path}`, { redirect: "manual", ...init, headers: own });
      const response = await builtWorker.fetch(request, bindings(), execution);
      const body = await response.text();
      await waitOnExecutionContext(execution);
      for (const line of response.headers.getSetCookie()) storeCookie(line);
      return { status: response.status, headers: response.headers, body };
    },
    post: (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      browser.request(path, {
        method: "POST",
        headers: { Origin: siteUrl, ...headers },
        body: new URLSearchParams(fields),
      }),
    /** Fires a cron trigger of the site. */
    async runCron(cron = "* * * * *") {
      const execution = createExecutionContext();
      await builtWorker.scheduled(createScheduledController({ cron }), bindings(), execution);
      await waitOnExecutionContext(execution);
    },
    /** The path of the sign-in link in the latest email. */
    signInLink: () => /\/owner\/sign-in\/[\w.-]+/.exec(emails.at(-1)?.text ?? "")?.[0] ?? "no link",
    async signIn() {
      await browser.post("/owner/sign-in", { email: OWNER });
      return browser.post(browser.signInLink());
    },
  };

  function storeCookie(line: string) {
    const [pair = ""] = line.split(";");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }

  return browser;
}

/** A browser that has used a sign-in link from the command line. */
export async function signedIn(vars: object, siteUrl: string = env.SITE_URL) {
  const browser = ownerBrowser(vars, siteUrl);
  const link = await createSignInLink(openDb(env.DB), { siteUrl, email: OWNER }, Date.now());
  await browser.post(link.slice(siteUrl.length));
  return browser;
}

/** A browser that signs in as the owner before each test of a file. */
export function signedInBrowser(vars: object = {}) {
  const browser = ownerBrowser(vars);
  beforeEach(async () => {
    browser.cookies.clear();
    browser.emails.length = 0;
    await browser.signIn();
  });
  return browser;
}

/** The addresses that an owner's page links to, in order. */
export function listedAddresses(html: string): string[] {
  return Array.from(
    html.matchAll(/<a (?:id="[^"]*" )?href="\/owner\/entries\/\d+(?:\?[^"]*)?">([^<]+)/g),
    ([, email]) => email ?? "",
  );
}
