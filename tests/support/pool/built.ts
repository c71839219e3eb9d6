import { createExecutionContext, createScheduledController, env, waitOnExecutionContext } from "cloudflare:test";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { withTimelessLimits } from "#tests/support/pool/location-limits.ts";
import { db, join } from "#tests/support/pool/start.ts";
// @ts-expect-error: build output, which has no types.
import built from "../../../build/server/index.js";

/** The bindings and variables of the tests, some of them replaced. New ones are a new isolate to the Worker. */
export const bindingsWith = (replaced: object): Env => ({ ...env, ...replaced }) as Env;

/** Sends a request to the built Worker without following redirects, and waits for the work after its response. */
export async function send(url: string, init: RequestInit = {}, bindings = bindingsWith({})) {
  const execution = createExecutionContext();
  const request = new Request(new URL(url, env.SITE_URL), { redirect: "manual", ...init });
  const response = await builtWorker.fetch(request, bindings, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, body };
}

/** Fires a cron trigger of the built Worker, and waits for its work. */
export async function runCron(bindings: Env, cron = "* * * * *"): Promise<void> {
  const execution = createExecutionContext();
  try {
    await builtWorker.scheduled(createScheduledController({ cron }), bindings, execution);
  } finally {
    await waitOnExecutionContext(execution);
  }
}

/** Requests to the built Worker, as the pages of the site send them. All have the same bindings, as in one isolate. */
export function builtSite(bindings: Env, own: Record<string, string> = {}) {
  const request = async (path: string, init: RequestInit = {}) => {
    const { headers, ...response } = await send(path, { ...init, headers: { ...init.headers, ...own } }, bindings);
    return { ...response, retryAfter: headers.get("Retry-After") };
  };
  const post = (path: string, body: BodyInit, headers: object) =>
    request(path, { method: "POST", headers: { Origin: env.SITE_URL, ...headers }, body });
  return {
    request,
    get: (path: string, headers: Record<string, string> = {}) => request(path, { headers }),
    /** Posts a form as a browser without JavaScript does. */
    postForm: (path: string, fields: Record<string, string> = {}) =>
      post(path, new URLSearchParams(fields), { Accept: "text/html" }),
    postJson: (path: string, body: object) => post(path, JSON.stringify(body), { "Content-Type": "application/json" }),
    runCron: () => runCron(bindings),
  };
}

/** An email binding that keeps what is sent. */
export function mailbox() {
  const emails: EmailMessageBuilder[] = [];
  const EMAIL = { send: async (email: EmailMessageBuilder) => void emails.push(email) } as unknown as SendEmail;
  return { emails, EMAIL };
}

/**
 * Requests a path of the built Worker.
 *
 * @param replaced bindings and variables
 */
export async function read(path: string, replaced: object = {}, method = "GET") {
  const response = await send(path, { method }, bindingsWith(replaced));
  return { ...response, text: visibleText(response.body) };
}

/**
 * Posts a form to the built Worker, without following redirects.
 *
 * @param replaced bindings and variables
 */
export function post(path: string, fields: Record<string, string>, { headers = {}, replaced = {} } = {}) {
  return send(path, { method: "POST", headers, body: new URLSearchParams(fields) }, bindingsWith(replaced));
}

/** A text as pages write it. */
export function escaped(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** The text of a page's `<main>`, with whitespace collapsed. */
export function visibleText(html: string): string {
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
  return main
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

/** One-click unsubscribe links exist only on https sites. */
export const site = { ...env, SITE_URL: "https://waitlist-site.example" };

export async function createEntry(state: "active" | "unsubscribed" | "unconfirmed", email: string): Promise<number> {
  const id = await join(email, { mustConfirm: state === "unconfirmed" });
  if (state === "unsubscribed") await unsubscribeEntry(db, id, Date.now());
  return id;
}

/** The token of an entry's page. */
export function dataToken(id: number, secret = env.LINK_SECRET, issuedAt = Date.now()): Promise<string> {
  return signDataToken(id, issuedAt, secret);
}

/** A token that only unsubscribes an entry. */
export function unsubscribeToken(id: number, key = env.HASH_KEY): Promise<string> {
  return signEntryToken("unsubscribe:v1", id, key);
}

/** A token that only confirms an entry's address. */
export function confirmToken(id: number, secret = env.LINK_SECRET): Promise<string> {
  return signEntryToken("confirm:v1", id, secret);
}

/** The links of an email to an entry. */
interface EmailedLinks {
  replyTo: string;
  all: string[];
  /** The entry's page. */
  page: string;
  oneClick: string;
  /** Its text version. */
  text: string;
}

/** Signs an address up and returns the links of the email it gets: the welcome, or the rejoin email. */
export async function emailedLinks(email: string, overrides: object = {}): Promise<EmailedLinks> {
  await addEntry(db, { email, source: "landing_page", columns: {}, now: Date.now() });
  const { text = "", html, headers, replyTo } = await dueEmail(email, overrides);
  const content = [text, html, headers?.["List-Unsubscribe"]].join("\n");
  const all = [...new Set(content.match(/https:\/\/[^\s"<>]+/g))];
  const page = found(all.find((link) => /\/your-data\/[^/]+$/.test(link)));
  return { all, page, oneClick: oneClickLink(headers), text, replyTo: String(replyTo) };
}

/** The links of the confirmation email to an unconfirmed entry, and the one-click unsubscribe link of its header. */
export async function confirmationLinks(email: string): Promise<{ confirm: string; oneClick: string }> {
  const { text = "", headers } = await dueEmail(email);
  return { confirm: found(/https:\S+\/confirm\/\S+/.exec(text)?.[0]), oneClick: oneClickLink(headers) };
}

function oneClickLink(headers: Record<string, string> = {}): string {
  return found(/^<([^>]+)>$/.exec(headers["List-Unsubscribe"] ?? "")?.[1]);
}

function found(link: string | undefined): string {
  if (link === undefined) throw new Error("a link is missing in the email");
  return link;
}

/** Runs the cron job and returns the email that it sends to an address. */
async function dueEmail(email: string, overrides: object = {}): Promise<Partial<EmailMessageBuilder>> {
  const { emails, EMAIL } = mailbox();
  await runCron(bindingsWith({ ...site, EMAIL, ...overrides }));
  return emails.find(({ to }) => to === email) ?? {};
}

/** Sends a request to the built Worker without following redirects. */
export async function request(url: string, init: RequestInit = {}, overrides: object = {}) {
  const { headers, ...response } = await send(url, init, bindingsWith({ ...site, ...overrides }));
  return { ...response, headers: Object.fromEntries(headers) };
}

export function postForm(url: string, fields: Record<string, string>, overrides: object = {}) {
  return request(url, { method: "POST", body: new URLSearchParams(fields) }, overrides);
}

const worker: Required<Pick<ExportedHandler<Env>, "fetch" | "scheduled">> = {
  fetch: (request, bindings, execution) => built.fetch(request, withTimelessLimits(bindings), execution),
  scheduled: (controller, bindings, execution) => built.scheduled(controller, withTimelessLimits(bindings), execution),
};

/** The built Worker, as deployed, but with rate limits in which no time passes. */
export const builtWorker = worker as typeof worker & {
  fetch(request: Request, bindings: Env, execution: ExecutionContext): Promise<Response>;
};

/** The message area of a page's first sign-up form. */
export function messageOf(html: string): { status: string; text: string } {
  const area = /<p[^>]*sign-up-message[^>]*data-status="(\w+)"[^>]*>([^<]*)/.exec(html);
  return { status: area?.[1] ?? "missing", text: unescaped(area?.[2] ?? "") };
}

/** The value of the email field of a page's first sign-up form. */
export function typedEmail(html: string): string {
  const field = /<input[^>]*name="email"[^>]*>/.exec(html)?.[0] ?? "";
  return unescaped(/\svalue="([^"]*)"/.exec(field)?.[1] ?? "");
}

/** The hidden fields of a page's first sign-up form. */
export function hiddenFields(html: string): Record<string, string> {
  const form = /<form.*?<\/form>/s.exec(html)?.[0] ?? "";
  const fields = form.matchAll(/<input type="hidden" name="(\w+)" value="([\w-]*)"/g);
  return Object.fromEntries(Array.from(fields, ([, name, value]) => [name, value]));
}

/** A text as it was before {@link escaped}. */
export function unescaped(html: string): string {
  const entities: Record<string, string> = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&", "&#x27;": "'" };
  return html.replace(/&(?:quot|lt|gt|amp|#x27);/g, (entity) => entities[entity] ?? entity);
}
