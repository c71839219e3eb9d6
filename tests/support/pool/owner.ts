import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { builtWorker } from "#tests/support/pool/built-site.ts";

export const OWNER = "owner@stallwright.example";

/** The deployed Worker with an owner, who is one browser: it keeps cookies, and reads the owner's mail. */
export function ownerBrowser(vars: object = {}) {
  const mails: EmailMessageBuilder[] = [];
  const EMAIL = { send: async (mail: EmailMessageBuilder) => void mails.push(mail) } as unknown as SendEmail;
  const cookies = new Map<string, string>();
  const browser = {
    mails,
    cookies,
    /** A request as this browser makes it; a redirect is not followed. */
    async ask(path: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {}) {
      const execution = createExecutionContext();
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
      const own = { ...(cookie === "" ? {} : { Cookie: cookie }), ...headers };
      const request = new Request(`${env.SITE_URL}${path}`, { redirect: "manual", ...init, headers: own });
      const bindings = { ...env, OWNER_EMAIL: OWNER, EMAIL, ...vars };
      const response = await builtWorker.fetch(request, bindings as unknown as Env, execution);
      const body = await response.text();
      await waitOnExecutionContext(execution);
      for (const line of response.headers.getSetCookie()) keep(line);
      return { status: response.status, headers: response.headers, body };
    },
    post: (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      browser.ask(path, {
        method: "POST",
        headers: { Origin: env.SITE_URL, ...headers },
        body: new URLSearchParams(fields),
      }),
    /** The path of the newest mailed link. */
    link: () => /\/owner\/sign-in\/[\w-]+/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "no link",
    async signIn() {
      await browser.post("/owner/sign-in", { email: OWNER });
      return browser.post(browser.link());
    },
  };

  function keep(line: string) {
    const [pair = ""] = line.split(";");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }

  return browser;
}
