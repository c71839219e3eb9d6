import { env } from "cloudflare:test";
import { beforeEach } from "vitest";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { bindingsWith, mailbox, runCron, send, visibleText } from "#tests/support/pool/built.ts";
import { db, rows } from "#tests/support/pool/start.ts";

export const OWNER = "owner@waitlist-site.example";

/** The owner's browser on the built Worker: it stores cookies and receives the owner's emails. */
export function ownerBrowser(vars: object = {}, siteUrl: string = env.SITE_URL) {
  const { emails, EMAIL } = mailbox();
  const cookies = new Map<string, string>();
  const bindings = () => bindingsWith({ OWNER_EMAIL: OWNER, EMAIL, ...vars });
  const browser = {
    emails,
    cookies,
    /** Sends a request without following redirects. */
    async request(path: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {}) {
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
      const own = { ...(cookie === "" ? {} : { Cookie: cookie }), ...headers };
      const response = await send(`${siteUrl}${path}`, { ...init, headers: own }, bindings());
      for (const line of response.headers.getSetCookie()) storeCookie(line);
      return response;
    },
    post: (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      browser.request(path, {
        method: "POST",
        headers: { Origin: siteUrl, ...headers },
        body: new URLSearchParams(fields),
      }),
    /** Fires a cron trigger of the site. */
    runCron: (cron?: string) => runCron(bindings(), cron),
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

export type OwnerBrowser = ReturnType<typeof ownerBrowser>;

/** A browser that has used a sign-in link from the command line. */
export async function signedIn(vars: object, siteUrl: string = env.SITE_URL, email = OWNER): Promise<OwnerBrowser> {
  const browser = ownerBrowser(vars, siteUrl);
  const link = await createSignInLink(db, { siteUrl, email }, Date.now());
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

/** A browser of a site with other variables that has another browser's cookies. */
export function withCookiesOf(browser: OwnerBrowser, vars: object): OwnerBrowser {
  const next = ownerBrowser(vars);
  for (const [name, value] of browser.cookies) next.cookies.set(name, value);
  return next;
}

/** What the owners' log has after the sign-in: each action with its details. */
export async function loggedActions(): Promise<[action: string, details: object][]> {
  const logged = await rows<{ action: string; details: string }>("owner_log");
  return logged.slice(1).map(({ action, details }) => [action, JSON.parse(details)]);
}

/** The newest entry that a form with a selection names. */
export const newestIn = (html: string) => /name="newest" value="(\d+)"/.exec(html)?.[1] ?? "";

/** The addresses that an owner's page links to, in order. */
export function listedAddresses(html: string): string[] {
  return Array.from(
    html.matchAll(/<a (?:id="[^"]*" )?href="\/owner\/entries\/\d+(?:\?[^"]*)?">([^<]+)/g),
    ([, email]) => email ?? "",
  );
}

/** The sentences beside refused fields of an owner's page, by the field's id. */
export function problemsOf(html: string): Record<string, string> {
  const found = html.matchAll(/<(?:p|div)[^>]*id="([\w-]+)-problem"[^>]*>(.*?)<\/(?:p|div)>/g);
  return Object.fromEntries(Array.from(found, ([, id = "", text = ""]) => [id, text.replace(/<[^>]+>/g, "")]));
}

/** What only those who run the site know: names of parameters, settings, commands and plans. */
const technical =
  /\butm_\w*|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:npm run|npx|wrangler) \S+|\bWorkers (?:Paid|plan)|\b(?:free|paid) plan\b|\bD1\b/g;

/** Addresses of pages. Their random tokens may look like the name of a setting. */
const addresses = /https?:\/\/\S+/g;

/** Technical words of an owner's page outside its lines that begin with "Advanced:", and outside addresses of pages. */
export function technicalWords(html: string): string[] {
  const plain = html.replace(/<p class="hint advanced">Advanced: .*?<\/p>/gs, "");
  return visibleText(plain).replace(addresses, "").match(technical) ?? [];
}

/** The same of an email's text, whose paragraphs stand apart. */
export function technicalWordsIn(text: string): string[] {
  const paragraphs = text.split("\n\n").filter((paragraph) => !paragraph.startsWith("Advanced: "));
  return paragraphs.join("\n\n").replace(addresses, "").match(technical) ?? [];
}
