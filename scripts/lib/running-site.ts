import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mustRun, root } from "#scripts/lib/commands.ts";
import { copyBuild, serveArgs } from "#scripts/lib/local-site.ts";
import { copyMigratedState } from "#scripts/lib/migrated-state.ts";
import { freePort } from "#scripts/lib/ports.ts";

interface SentEmail {
  to: string[];
  subject: string;
  replyTo: string;
  sentAt: string;
  messageId: string;
}

/** The production build, served by `wrangler dev` with a database of its own. */
export interface RunningSite {
  url: string;
  /** Of Wrangler, which leads a process group of its own. */
  pid: number;
  /** Rows of a table, oldest first. */
  rows(table: "waitlist_emails" | "mail_outbox" | "blocked_attempts"): Promise<Record<string, unknown>[]>;
  /** What the local mail binding accepted, newest first. */
  sentEmails(): Promise<SentEmail[]>;
  /** The newest mail to an address, with its bodies. */
  emailTo(address: string): Promise<SentEmail & { text: string; html: string }>;
  /** Fires the cron trigger and waits until it is done. */
  sweep(): Promise<void>;
  /** What Wrangler and the Worker printed so far. */
  output(): string;
  /** The Worker's log lines about an event so far. */
  logged(event: string): Record<string, unknown>[];
  stop(): Promise<void>;
  /** Ends Wrangler and the runtime in the middle of whatever they do (SIGKILL). */
  kill(): Promise<void>;
}

interface SiteOptions {
  vars?: Record<string, string>;
  /** False leaves the database without its tables, so that every query fails. */
  migrated?: boolean;
  /** Where the state is, and stays when the site is stopped; a folder of its own that goes with it, if not given. */
  folder?: string;
  /** What lies in KV from the start, by key. */
  kept?: Record<string, unknown>;
  /** Serves https, with a certificate that Wrangler signs itself. */
  https?: boolean;
}

const READY_LIMIT = 60_000;
const SENT_MAIL = "/cdn-cgi/local/explorer/api/local/email/sending";
const CRON = encodeURIComponent("*/5 * * * *");

/** Starts a site on a free port. It takes the build as it is. */
export async function startSite({
  vars = {},
  migrated = true,
  kept = {},
  folder: own,
  https = false,
}: SiteOptions = {}): Promise<RunningSite> {
  const folder = own ?? (await mkdtemp(join(tmpdir(), "stallwright-")));
  const persistTo = join(folder, "state");
  if (migrated) await copyMigratedState(persistTo);
  for (const [key, value] of Object.entries(kept)) await putIntoKv(persistTo, key, value);
  const port = await freePort();
  // Wrangler's own choice of an inspector port is the same for every site that starts at that moment.
  const rest = ["--show-interactive-dev-session=false", "--inspector-port", String(await freePort())];
  const url = `${https ? "https" : "http"}://localhost:${port}`;
  if (https) rest.push("--local-protocol", "https");
  const config = await copyBuild(join(folder, "serving"));
  const child = spawn("wrangler", serveArgs(config, { port, persistTo, vars: { SITE_URL: url, ...vars }, rest }), {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // The list of sent mail is gathered over every site in one registry.
    env: { ...process.env, WRANGLER_REGISTRY_PATH: join(folder, "registry") },
    // A process group of its own, so that one signal reaches the runtime too.
    detached: true,
  });
  const output = await untilReady(child);
  return {
    url,
    pid: child.pid ?? 0,
    rows: async (table) => readRows(persistTo, table),
    sentEmails: () => readSentEmails(url),
    emailTo: (address) => readEmailTo(url, address),
    sweep: async () => void (await fetchOk(`${url}/cdn-cgi/local/scheduled?cron=${CRON}`)),
    output,
    logged: (name) => linesOf(output()).filter(({ event }) => event === name),
    async stop() {
      await end(child, "SIGTERM");
      if (own === undefined) await rm(folder, { recursive: true, force: true });
    },
    kill: () => end(child, "SIGKILL"),
  };
}

async function putIntoKv(persistTo: string, key: string, value: unknown): Promise<void> {
  const where = ["--binding", "CACHE", "--local", "--persist-to", persistTo];
  await mustRun("Writing to KV", "wrangler", ["kv", "key", "put", ...where, key, JSON.stringify(value)]);
}

/** @returns what has been printed up to any later moment */
async function untilReady(child: ChildProcess): Promise<() => string> {
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The site did not start:\n${printed}`)), READY_LIMIT);
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (!printed.includes("Ready on")) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.on("exit", () => reject(new Error(`The site ended at once:\n${printed}`)));
  });
  return () => printed;
}

/** The structured lines among everything that Wrangler printed. */
function linesOf(output: string): Record<string, unknown>[] {
  return Array.from(output.matchAll(/\{"level":.*\}/g), ([line]) => JSON.parse(line));
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.on("close", resolve));
  process.kill(-child.pid, signal);
  await ended;
}

async function readRows(persistTo: string, table: string): Promise<Record<string, unknown>[]> {
  // The site may be writing at this very moment.
  using database = new DatabaseSync(await databaseFile(persistTo), { readOnly: true, timeout: 5_000 });
  return database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
}

/** The file of the embedded D1. */
export async function databaseFile(persistTo: string): Promise<string> {
  const folder = join(persistTo, "v3", "d1", "miniflare-D1DatabaseObject");
  const file = (await readdir(folder)).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  if (file === undefined) throw new Error(`no database in ${folder}`);
  return join(folder, file);
}

async function readSentEmails(url: string): Promise<SentEmail[]> {
  const mails: SentEmail[] = [];
  for (let cursor = ""; ; ) {
    const list = `${url}${SENT_MAIL}?per_page=100${cursor}`;
    const page = (await (await fetchOk(list)).json()) as {
      result: SentEmail[];
      result_info: { has_more: boolean; cursor?: string };
    };
    mails.push(...page.result);
    if (!page.result_info.has_more) return mails;
    cursor = `&cursor=${encodeURIComponent(page.result_info.cursor ?? "")}`;
  }
}

async function readEmailTo(url: string, address: string): Promise<SentEmail & { text: string; html: string }> {
  const mail = (await readSentEmails(url)).find(({ to }) => to.includes(address));
  if (mail === undefined) throw new Error(`no mail to ${address}`);
  const response = await fetchOk(`${url}${SENT_MAIL}?email_id=${encodeURIComponent(mail.messageId)}`);
  return ((await response.json()) as { result: SentEmail & { text: string; html: string } }).result;
}

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}
