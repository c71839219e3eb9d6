import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";
import { RESEND_ORIGIN } from "#app/email/providers/resend/mailer.server.ts";
import { describeProblems, parseConfig, variables } from "#app/server/config/config.server.ts";
import { checkMigrations, lockDatabase } from "#scripts/lib/local-database.ts";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { isPortTaken } from "#scripts/lib/ports.ts";

/** What `npm start` or `npm run dev` serves. */
export interface LocalServer {
  origin: string;
  port: number;
  /** Folder of the local D1 and KV. */
  persistTo: string;
  vars: Record<string, string>;
}

/**
 * Checks what a server needs, and reserves its database until this process ends.
 *
 * @throws {Error} with a message for the terminal, before anything is changed
 */
export async function reserve({ origin, port, persistTo, vars }: LocalServer): Promise<void> {
  if (port < 1 || port > 65_535) throw new Error(`--port ${port} is not a port number.`);
  const unknown = Object.keys(vars).filter((name) => !(name in variables));
  const lines = unknown.map((name) => `${name}: is not a variable of this site. docs/configuration.md lists them.`);
  const { problems } = parseConfig(vars);
  if (problems.length > 0) lines.push(describeProblems(problems));
  if (lines.length > 0) throw new Error(lines.join("\n"));
  if (await isPortTaken(port)) throw new Error(`Port ${port} is in use. Choose another with --port ${port + 1}.`);
  checkMigrations(persistTo);
  lockDatabase(persistTo, origin);
}

/** Prints a line for a step: its name at once, and at its end its result, or else how long it took. */
export async function printStep(name: string, run: () => Promise<string | null>): Promise<void> {
  const began = performance.now();
  process.stdout.write(`  ${name.padEnd(10)}`);
  const result = await run();
  console.log(result ?? `${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

/** Prints where to find what, with a link that signs the owner in, and fires the cron triggers from now on. */
export async function announce({ origin, persistTo, vars }: LocalServer): Promise<void> {
  const link = await createLocalSignInLink(persistTo, origin, vars["OWNER_EMAIL"]);
  const rows = [["Site", origin]];
  if (link !== null) rows.push(["Owner's pages", `${origin}/owner`], ["Sign in", link]);
  rows.push(...emailRows(origin, vars), ["Stop", "Ctrl+C"]);
  console.log(`\n${rows.map(([name = "", text]) => `  ${name.padEnd(16)}${text}`).join("\n")}\n`);
  setTimeout(() => fireCron(origin), CRON_INTERVAL).unref();
}

/** Where email goes: to a simulator on this machine, or to a real provider. */
function emailRows(origin: string, { RESEND_API_KEY, RESEND_URL }: Record<string, string>): [string, string][] {
  if (!RESEND_API_KEY) return [["Email", `${origin}/cdn-cgi/local/explorer/email/sending   (stays on this machine)`]];
  const { host } = new URL(RESEND_URL || RESEND_ORIGIN);
  return [
    ["Email", `leaves this machine: RESEND_API_KEY is set, so it is sent to ${host}`],
    ["", "Addresses for examples and tests, such as those of sample entries, get none."],
  ];
}

/** Much shorter than in production, so that emails arrive within seconds (milliseconds). */
const CRON_INTERVAL = 5_000;

/** Cloudflare's local runtime does not do it by itself. Silent: the site may still be starting, or already ending. */
async function fireCron(origin: string): Promise<void> {
  const get = origin.startsWith("https:") ? getHttps : getHttp;
  for (const cron of ["* * * * *", "*/2 * * * *"]) {
    const url = `${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`;
    await new Promise((done) => {
      // The certificate of https is self-signed.
      const request = get(url, { rejectUnauthorized: false }, (response) => response.resume().once("close", done));
      request.once("error", done);
    });
  }
  setTimeout(() => fireCron(origin), CRON_INTERVAL).unref();
}
