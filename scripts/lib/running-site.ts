import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { mustRun, root } from "#scripts/lib/commands.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
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

/** The production build, served by `wrangler dev` with a separate database. */
export interface RunningSite {
  url: string;
  /** Folder of its database. */
  persistTo: string;
  /** Of Wrangler, which leads its process group. */
  pid: number;
  /** Rows of a table, oldest first. */
  rows(
    table: "waitlist_emails" | "email_outbox" | "blocked_attempts" | "suppressions" | "imports" | "page_visits",
  ): Promise<Record<string, unknown>[]>;
  /** Emails that the local email binding accepted, newest first. */
  sentEmails(): Promise<SentEmail[]>;
  /** The newest email to an address, with its bodies. Waits for the first, because emails are sent after responses. */
  emailTo(address: string): Promise<SentEmail & { text: string; html: string }>;
  /** Fires the cron trigger and waits until it is done. */
  sweep(): Promise<void>;
  /** The output of Wrangler and the Worker so far. */
  output(): string;
  /** The Worker's log lines of an event so far. */
  logged(event: string): Record<string, unknown>[];
  stop(): Promise<void>;
  /** Kills Wrangler and the runtime (SIGKILL). */
  kill(): Promise<void>;
}

interface SiteOptions {
  vars?: Record<string, string>;
  /** False leaves the database without its tables, so that every query fails. */
  migrated?: boolean;
  /** A folder for the state, which `stop` leaves in place. Default: a temporary folder, which `stop` deletes. */
  folder?: string;
  /** Initial values in KV, by key. */
  kv?: Record<string, unknown>;
  /** Serves https with Wrangler's self-signed certificate. */
  https?: boolean;
}

const START_TIMEOUT = 60_000;
const EMAIL_TIMEOUT = 15_000;
const SENT_EMAILS = "/cdn-cgi/local/explorer/api/local/email/sending";
const CRON = encodeURIComponent("* * * * *");

/** Starts a site on a free port, from the existing build. */
export async function startSite({
  vars = {},
  migrated = true,
  kv = {},
  folder: givenFolder,
  https = false,
}: SiteOptions = {}): Promise<RunningSite> {
  const folder = givenFolder ?? (await mkdtemp(join(tmpdir(), "waitlist-site-")));
  const persistTo = join(folder, "state");
  if (migrated) await copyMigratedState(persistTo);
  for (const [key, value] of Object.entries(kv)) await putIntoKv(persistTo, key, value);
  const port = await freePort();
  // Wrangler would choose the same inspector port for all sites that start at the same moment.
  const rest = ["--inspector-port", String(await freePort())];
  const url = `${https ? "https" : "http"}://localhost:${port}`;
  if (https) rest.push("--local-protocol", "https");
  const config = await copyBuild(join(folder, "serving"));
  const child = spawn("wrangler", serveArgs(config, { port, persistTo, vars: { SITE_URL: url, ...vars }, rest }), {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // One registry per site: the list of sent emails covers all sites of a registry.
    env: { ...process.env, WRANGLER_REGISTRY_PATH: join(folder, "registry") },
    // A separate process group, so that one signal reaches the runtime too.
    detached: true,
  });
  // Signals of a terminal do not reach a separate process group.
  const kill = () => void end(child, "SIGKILL");
  process.on("exit", kill);
  child.on("exit", () => process.off("exit", kill));
  const output = await untilReady(child);
  return {
    url,
    persistTo,
    pid: child.pid ?? 0,
    rows: async (table) => readRows(persistTo, table),
    sentEmails: () => readSentEmails(url),
    emailTo: (address) => readEmailTo(url, address),
    sweep: async () => void (await fetchOk(`${url}/cdn-cgi/local/scheduled?cron=${CRON}`)),
    output,
    logged: (name) => logLinesIn(output()).filter(({ event }) => event === name),
    async stop() {
      await end(child, "SIGTERM");
      if (givenFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
    kill: () => end(child, "SIGKILL"),
  };
}

async function putIntoKv(persistTo: string, key: string, value: unknown): Promise<void> {
  const where = ["--binding", "CACHE", "--local", "--persist-to", persistTo];
  await mustRun("Writing to KV", "wrangler", ["kv", "key", "put", ...where, key, JSON.stringify(value)]);
}

/** @returns a function that returns the output so far */
async function untilReady(child: ChildProcess): Promise<() => string> {
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The site did not start in time:\n${printed}`)), START_TIMEOUT);
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (!printed.includes("Ready on")) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.on("exit", () => reject(new Error(`The site exited at start:\n${printed}`)));
  });
  return () => printed;
}

/** The structured log lines in Wrangler's output. */
function logLinesIn(output: string): Record<string, unknown>[] {
  return Array.from(output.matchAll(/\{"level":.*\}/g), ([line]) => JSON.parse(line));
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.on("close", resolve));
  process.kill(-child.pid, signal);
  await ended;
}

async function readRows(persistTo: string, table: string): Promise<Record<string, unknown>[]> {
  // The site may be writing at the same time.
  using database = new DatabaseSync(databaseFile(persistTo), { readOnly: true, timeout: 5_000 });
  return database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
}

async function readSentEmails(url: string): Promise<SentEmail[]> {
  const emails: SentEmail[] = [];
  for (let cursor = ""; ; ) {
    const list = `${url}${SENT_EMAILS}?per_page=100${cursor}`;
    const page = (await (await fetchOk(list)).json()) as {
      result: SentEmail[];
      result_info: { has_more: boolean; cursor?: string };
    };
    emails.push(...page.result);
    if (!page.result_info.has_more) return emails;
    cursor = `&cursor=${encodeURIComponent(page.result_info.cursor ?? "")}`;
  }
}

async function readEmailTo(url: string, address: string): Promise<SentEmail & { text: string; html: string }> {
  const email = await newestEmailTo(url, address);
  const response = await fetchOk(`${url}${SENT_EMAILS}?email_id=${encodeURIComponent(email.messageId)}`);
  return ((await response.json()) as { result: SentEmail & { text: string; html: string } }).result;
}

async function newestEmailTo(url: string, address: string): Promise<SentEmail> {
  for (const deadline = Date.now() + EMAIL_TIMEOUT; ; ) {
    const email = (await readSentEmails(url)).find(({ to }) => to.includes(address));
    if (email !== undefined) return email;
    if (Date.now() > deadline) throw new Error(`No email to ${address}`);
    await sleep(100);
  }
}

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}
