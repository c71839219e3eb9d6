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
  messageId: string;
}

/** What {@link startSite} started. */
export type RunningSite = Awaited<ReturnType<typeof startSite>>;

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

/** Serves the existing build with `wrangler dev`, on a free port and with a separate database. */
export async function startSite(options: SiteOptions = {}) {
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
  const args = ["--inspector-port", "0"];
  const child = serve(
    { config, port, https, persistTo, args },
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
    /** Folder of its database. */
    persistTo,
    /** Rows of a table, oldest first. */
    async rows(table: string): Promise<Record<string, unknown>[]> {
      // The site may be writing at the same time.
      using database = new DatabaseSync(databaseFile(persistTo), { readOnly: true, timeout: 5_000 });
      return database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
    },
    /** Emails that the local email binding accepted, newest first. */
    sentEmails: () => readSentEmails(url),
    /** The newest email to an address, with its bodies. Waits for the first, because emails are sent after responses. */
    emailTo: (address: string) => readEmailTo(url, address),
    /** Fires the cron trigger and waits until it is done. */
    sweep: async () => void (await fetchOk(url + CRON)),
    /** The output of Wrangler and the Worker so far. */
    output: () => output,
    /** The Worker's structured log lines of an event so far. */
    logged(name: string): Record<string, unknown>[] {
      const lines = Array.from(output.matchAll(/\{"level":.*\}/g), ([line]) => JSON.parse(line));
      return lines.filter(({ event }) => event === name);
    },
    stop,
    /** Kills Wrangler and the runtime (SIGKILL). */
    kill: () => end(child, "SIGKILL"),
    [Symbol.asyncDispose]: stop,
  };
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "close");
  process.kill(-child.pid, signal);
  await ended;
}

async function readSentEmails(url: string): Promise<SentEmail[]> {
  const emails: SentEmail[] = [];
  for (let cursor = ""; ; ) {
    const query = new URLSearchParams({ per_page: "100", ...(cursor && { cursor }) });
    const { result, result_info } = await fetchJson<SentEmail[]>(`${url}${EMAILS}?${query}`);
    emails.push(...result);
    if (!result_info.has_more) return emails;
    cursor = result_info.cursor ?? "";
  }
}

async function readEmailTo(url: string, address: string) {
  for (const deadline = Date.now() + EMAIL_TIMEOUT; Date.now() < deadline; await sleep(100)) {
    const email = (await readSentEmails(url)).find(({ to }) => to.includes(address));
    if (email === undefined) continue;
    const query = new URLSearchParams({ email_id: email.messageId });
    return (await fetchJson<SentEmail & { text: string; html: string }>(`${url}${EMAILS}?${query}`)).result;
  }
  throw new Error(`No email to ${address}`);
}

async function fetchJson<T>(url: string): Promise<{ result: T; result_info: { has_more: boolean; cursor?: string } }> {
  return (await fetchOk(url)).json();
}

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}
