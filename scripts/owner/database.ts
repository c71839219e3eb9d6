import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { unstable_readConfig } from "wrangler";
import type { Db } from "#app/server/db/client.server.ts";
import { readSettings } from "#scripts/deploy/settings.ts";
import { readSettingsFile } from "#scripts/deploy/settings-file.ts";
import { type Cloudflare, signIn } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { databaseFile, databaseUser, openLocalDatabase } from "#scripts/lib/local-database.ts";
import { LOCAL_OWNER, localVars, readDevVars } from "#scripts/lib/local-vars.ts";
import { findDatabase, openRemoteDatabase } from "#scripts/lib/remote-database.ts";
import { StepError } from "#scripts/lib/step-error.ts";

export interface DatabaseLocation {
  remote?: boolean;
  /** Folder of the local database. */
  persistTo: string;
}

export interface OpenDatabase extends Disposable {
  db: Db;
  /** The waitlist's variables and secrets, as far as they are known on this machine. */
  settings: NodeJS.Dict<string>;
  /** The variables of the site that uses the waitlist. */
  siteVars(): Promise<NodeJS.Dict<string>>;
}

/** @throws {StepError} when the database does not exist, or Wrangler is not signed in */
export async function openDatabase({ remote, persistTo }: DatabaseLocation): Promise<OpenDatabase> {
  if (remote) return openRemote();
  const folder = resolve(root, persistTo);
  if (!existsSync(databaseFile(folder))) {
    throw new StepError(
      `There is no local waitlist in ${persistTo}.`,
      "Create it with npm start, choose another folder with --persist-to DIR, or use the deployed waitlist with --remote.",
    );
  }
  // The port of `npm start`.
  const settings = { ...localVars(8787), OWNER_EMAIL: LOCAL_OWNER, ...readDevVars() };
  // The address of the server that is running, or ran last.
  const user = databaseUser(folder) ?? "";
  const siteVars = async () => ({ ...settings, ...(URL.canParse(user) ? { SITE_URL: user } : {}) });
  return { ...openLocalDatabase(folder), settings, siteVars };
}

/** The deployed D1. Signs in with Wrangler's credentials, or a token from the environment or deploy.env. */
async function openRemote(): Promise<OpenDatabase> {
  const { account, secrets, vars } = readSettings(readSettingsFile(join(root, "deploy.env")), process.env).settings;
  const cloudflare = await signIn(account);
  const { name: worker = "", d1_databases } = unstable_readConfig({ config: join(root, "wrangler.toml") });
  const name = d1_databases[0]?.database_name ?? "";
  const id = await findDatabase(cloudflare, name);
  if (id === null) throw new StepError(`This account has no D1 database ${name}.`, "Create it with npm run deploy.");
  return {
    db: openRemoteDatabase(cloudflare, id),
    settings: { ...vars, ...secrets },
    siteVars: () => deployedVars(cloudflare, worker),
    [Symbol.dispose]: () => {},
  };
}

/**
 * The variables of the deployed Worker; this machine may have others, or no deploy.env.
 * https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/settings/methods/get/
 *
 * @throws {StepError} when it is not deployed
 */
export async function deployedVars(cloudflare: Cloudflare, worker: string): Promise<NodeJS.Dict<string>> {
  type Worker = { bindings: { name: string; text?: string }[] };
  const found = await cloudflare.get<Worker>("Reading the Worker's variables", `/workers/scripts/${worker}/settings`);
  if (found === null) throw new StepError(`This account has no Worker ${worker}.`, "Deploy it with npm run deploy.");
  return Object.fromEntries(found.bindings.map(({ name, text }) => [name, text]));
}
