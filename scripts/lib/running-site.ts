import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseFile, migrate } from "#scripts/lib/local-database.ts";
import { copyBuild, serve } from "#scripts/lib/local-site.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { seed } from "#scripts/lib/seed.ts";

interface SentEmail {
  to: string[];
  subject: string;
  replyTo: string;
  sentAt: string;
  messageId: string;
}

/** The production build, served by `wrangler dev` with a separate database. */
export interface RunningSite extends AsyncDisposable {
  url: string;
  /** Folder of its database. */
  persistTo: string;
  /** Rows of a table, oldest first. */
  rows(table: string): Promise<Record<string, unknown>[]>;
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
  /** How many sample entries a new database gets. */
  entries?: number;
  /** False leaves a new database without its tables, so that every query fails. */
  migrated?: boolean;
  /** A folder for the state, which `stop` leaves in place. Default: a temporary folder, which `stop` deletes. */
  folder?: string;
  /** Serves https with Wrangler's self-signed certificate. */
  https?: boolean;
}

const START_TIMEOUT = 60_000;
const EMAIL_TIMEOUT = 15_000;
const EMAILS = "/cdn-cgi/local/explorer/api/local/email/sending";
const CRON = `/cdn-cgi/local/scheduled?cron=${encodeURIComponent("* * * * *")}`;

/** Starts a site on a free port, from the existing build. */
export async function startSite(options: SiteOptions = {}): Promise<RunningSite> {
  const { entries = 0, migrated = true, https = false } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "waitlist-site-")));
  const persistTo = join(folder, "state");
  if (migrated) migrate(persistTo);
  if (entries > 0) seed(databaseFile(persistTo), entries);
  const port = await freePort();
  const url = `${https ? "https" : "http"}://localhost:${port}`;
  const config = await copyBuild(join(folder, "serving"), {
    ...localVars(port),
    SITE_URL: url,
    // Visitors in tests have addresses of example.com.
    EXAMPLE_ADDRESSES: "send",
    ...options.vars,
  });
  // 0: any free port. Wrangler's default would be the same for all sites that start at the same moment.
  const args = ["--inspector-port", "0", ...(https ? ["--local-protocol", "https"] : [])];
  const child = serve(
    { config, port, persistTo, args },
    {
      silent: true,
      // One registry per site: the list of sent emails covers all sites of a registry.
      env: { WRANGLER_REGISTRY_PATH: join(folder, "registry") },
      // A separate process group, so that one signal reaches the runtime too.
      detached: true,
    },
  );
  // Signals of a terminal do not reach a separate process group.
  const kill = () => void end(child, "SIGKILL");
  process.on("exit", kill);
  child.on("exit", () => process.off("exit", kill));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk));
  const exited = once(child, "exit").then(() => Promise.reject(new Error("exited")));
  const ready = once(child, "message", { signal: AbortSignal.timeout(START_TIMEOUT) });
  await Promise.race([ready, exited]).catch(() => Promise.reject(new Error(`The site did not start:\n${output}`)));
  const stop = async () => {
    await end(child, "SIGTERM");
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  };
  return {
    url,
    persistTo,
    rows: async (table) => readRows(persistTo, table),
    sentEmails: () => readSentEmails(url),
    emailTo: (address) => readEmailTo(url, address),
    sweep: async () => void (await fetchOk(url + CRON)),
    output: () => output,
    logged: (name) => logLinesIn(output).filter(({ event }) => event === name),
    stop,
    kill: () => end(child, "SIGKILL"),
    [Symbol.asyncDispose]: stop,
  };
}

/** The structured log lines in Wrangler's output. */
function logLinesIn(output: string): Record<string, unknown>[] {
  return Array.from(output.matchAll(/\{"level":.*\}/g), ([line]) => JSON.parse(line));
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "close");
  process.kill(-child.pid, signal);
  await ended;
}

function readRows(persistTo: string, table: string): Record<string, unknown>[] {
  // The site may be writing at the same time.
  using database = new DatabaseSync(databaseFile(persistTo), { readOnly: true, timeout: 5_000 });
  return database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
}

async function readSentEmails(url: string): Promise<SentEmail[]> {
  const emails: SentEmail[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ per_page: "100", ...(cursor === undefined ? {} : { cursor }) });
    const page = (await (await fetchOk(`${url}${EMAILS}?${query}`)).json()) as {
      result: SentEmail[];
      result_info: { has_more: boolean; cursor?: string };
    };
    emails.push(...page.result);
    if (!page.result_info.has_more) return emails;
    cursor = page.result_info.cursor;
  }
}

async function readEmailTo(url: string, address: string): Promise<SentEmail & { text: string; html: string }> {
  for (const deadline = Date.now() + EMAIL_TIMEOUT; Date.now() < deadline; await sleep(100)) {
    const email = (await readSentEmails(url)).find(({ to }) => to.includes(address));
    if (email === undefined) continue;
    const query = new URLSearchParams({ email_id: email.messageId });
    return (
      (await (await fetchOk(`${url}${EMAILS}?${query}`)).json()) as {
        result: SentEmail & { text: string; html: string };
      }
    ).result;
  }
  throw new Error(`No email to ${address}`);
}

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}
