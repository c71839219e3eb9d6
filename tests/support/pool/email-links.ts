import { createExecutionContext, createScheduledController, env, waitOnExecutionContext } from "cloudflare:test";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry, unsubscribeEntry } from "#app/waitlist/entries.server.ts";
import { builtWorker } from "#tests/support/pool/built-site.ts";

/** Links for mail programs are written for https alone. */
export const site = { ...env, SITE_URL: "https://stallwright.example" };

const db = openDb(env.DB);
const entry = (email: string) => ({ email, source: "landing_page", columns: {}, now: Date.now() });

/** Adds an entry, which has left again or not. */
export async function entryIn(state: "active" | "unsubscribed", email: string): Promise<number> {
  const added = await addEntry(db, entry(email));
  if (added.kind !== "new") throw new Error(`${email} is listed already`);
  if (state === "unsubscribed") await unsubscribeEntry(db, added.id, Date.now());
  return added.id;
}

/** Every link of the mail that an address is sent: the welcome, or the way back where somebody enters it once more. */
export async function emailedLinks(email: string): Promise<{ all: string[]; page: string }> {
  await addEntry(db, entry(email));
  const mails: EmailMessageBuilder[] = [];
  const EMAIL = { send: async (mail: EmailMessageBuilder) => mails.push(mail) } as unknown as SendEmail;
  const execution = createExecutionContext();
  await builtWorker.scheduled(createScheduledController(), { ...site, EMAIL }, execution);
  await waitOnExecutionContext(execution);
  const { text, html, headers } = mails.find(({ to }) => to === email) ?? {};
  const words = [text, html, headers?.["List-Unsubscribe"]].join("\n");
  const all = [...new Set(words.match(/https:\/\/[^\s"<>]+/g))];
  const page = all.find((link) => /\/your-data\/[^/]+$/.test(link));
  if (page === undefined) throw new Error(`no link to an entry in the mail to ${email}`);
  return { all, page };
}

/** Sends a request without following where it leads. */
export async function ask(url: string, init: RequestInit = {}, replaced: object = {}) {
  const execution = createExecutionContext();
  const request = new Request(url, { redirect: "manual", ...init });
  const response = await builtWorker.fetch(request, { ...site, ...replaced }, execution);
  const body = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

export function press(url: string, fields: Record<string, string>, replaced: object = {}) {
  return ask(url, { method: "POST", body: new URLSearchParams(fields) }, replaced);
}
