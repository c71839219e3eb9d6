import { createExecutionContext, createScheduledController, env, waitOnExecutionContext } from "cloudflare:test";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { builtWorker } from "#tests/support/pool/built-site.ts";

/** One-click unsubscribe links exist only on https sites. */
export const site = { ...env, SITE_URL: "https://waitlist-site.example" };

const db = openDb(env.DB);
const entry = (email: string) => ({ email, source: "landing_page", columns: {}, now: Date.now() });

export async function createEntry(state: "active" | "unsubscribed" | "unconfirmed", email: string): Promise<number> {
  const added = await addEntry(db, { ...entry(email), mustConfirm: state === "unconfirmed" });
  if (added.kind !== "new") throw new Error(`${email} is already listed`);
  if (state === "unsubscribed") await unsubscribeEntry(db, added.id, Date.now());
  return added.id;
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
  all: string[];
  /** The entry's page. */
  page: string;
  oneClick: string;
  /** Its text version. */
  text: string;
}

/** Signs an address up and returns the links of the email it gets: the welcome, or the rejoin email. */
export async function emailedLinks(email: string, overrides: object = {}): Promise<EmailedLinks> {
  await addEntry(db, entry(email));
  const { text = "", html, headers } = await dueEmail(email, overrides);
  const content = [text, html, headers?.["List-Unsubscribe"]].join("\n");
  const all = [...new Set(content.match(/https:\/\/[^\s"<>]+/g))];
  const page = all.find((link) => /\/your-data\/[^/]+$/.test(link));
  const oneClick = /^<([^>]+)>$/.exec(headers?.["List-Unsubscribe"] ?? "")?.[1];
  if (page === undefined || oneClick === undefined) throw new Error(`a link is missing in the email to ${email}`);
  return { all, page, oneClick, text };
}

/** The links of the confirmation email to an unconfirmed entry, and the one-click unsubscribe link of its header. */
export async function confirmationLinks(email: string): Promise<{ confirm: string; oneClick: string }> {
  const { text, headers } = await dueEmail(email);
  const confirm = /https:\S+\/confirm\/\S+/.exec(text ?? "")?.[0];
  const oneClick = /^<([^>]+)>$/.exec(headers?.["List-Unsubscribe"] ?? "")?.[1];
  if (confirm === undefined || oneClick === undefined) throw new Error(`a link is missing in the email to ${email}`);
  return { confirm, oneClick };
}

/** Runs the cron job and returns the email that it sends to an address. */
async function dueEmail(email: string, overrides: object = {}): Promise<Partial<EmailMessageBuilder>> {
  const emails: EmailMessageBuilder[] = [];
  const EMAIL = { send: async (message: EmailMessageBuilder) => emails.push(message) } as unknown as SendEmail;
  const execution = createExecutionContext();
  await builtWorker.scheduled(createScheduledController(), { ...site, EMAIL, ...overrides }, execution);
  await waitOnExecutionContext(execution);
  return emails.find(({ to }) => to === email) ?? {};
}

/** Sends a request to the built Worker without following redirects. */
export async function request(url: string, init: RequestInit = {}, overrides: object = {}) {
  const execution = createExecutionContext();
  const outgoing = new Request(url, { redirect: "manual", ...init });
  const response = await builtWorker.fetch(outgoing, { ...site, ...overrides }, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

export function postForm(url: string, fields: Record<string, string>, overrides: object = {}) {
  return request(url, { method: "POST", body: new URLSearchParams(fields) }, overrides);
}
