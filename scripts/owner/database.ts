import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { getPlatformProxy, unstable_readConfig } from "wrangler";
import { readAllowedDomains, readOwnerAddresses } from "#app/server/config-values.server.ts";
import { type Db, openDb } from "#app/server/db/client.server.ts";
import { readSettings } from "#scripts/deploy/settings.ts";
import { readSettingsFile } from "#scripts/deploy/settings-file.ts";
import { signIn } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { LOCAL_OWNER, localVars, readDevVars } from "#scripts/lib/local-vars.ts";
import { findDatabase, openRemoteDatabase } from "#scripts/lib/remote-database.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { deployedSite, localSite, type OwnerSite } from "#scripts/owner/site.ts";

export interface DatabaseLocation {
  remote: boolean;
  /** Folder of the local database. */
  persistTo: string;
}

export interface OpenDatabase {
  db: Db;
  /** The waitlist's HASH_KEY, if it is known on this machine. */
  hashKey: string | undefined;
  /** The waitlist's DISPOSABLE_ALLOWED, as far as it is known on this machine. */
  disposableAllowed: string[];
  /** @param port of a local site */
  site(port: number): Promise<OwnerSite>;
  close(): Promise<void>;
}

const configPath = join(root, "wrangler.toml");

/** @throws {StepError} when the database does not exist, or Wrangler is not signed in */
export function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  return location.remote ? openRemote() : openLocal(location.persistTo);
}

/** The same embedded D1 as `npm start`, which may be running. */
async function openLocal(persistTo: string): Promise<OpenDatabase> {
  const path = join(resolve(root, persistTo), "v3");
  if (!existsSync(join(path, "d1"))) {
    throw new StepError(
      `There is no local waitlist in ${persistTo}.`,
      "Create it with npm start, choose another folder with --persist-to DIR, or use the deployed waitlist with --remote.",
    );
  }
  const proxy = { configPath, persist: { path }, remoteBindings: false, envFiles: [] };
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>(proxy);
  const vars = { ...localVars(0), ...readDevVars() };
  return {
    db: openDb(env.DB),
    hashKey: vars["HASH_KEY"],
    disposableAllowed: readAllowedDomains(vars["DISPOSABLE_ALLOWED"]),
    site: (port) => localSite(port, readOwnerAddresses(vars["OWNER_EMAIL"] ?? LOCAL_OWNER)),
    close: dispose,
  };
}

/** The deployed D1. Signs in with Wrangler's credentials, or a token from the environment or deploy.env. */
async function openRemote(): Promise<OpenDatabase> {
  const { account, secrets, vars } = readSettings(readSettingsFile(join(root, "deploy.env")), process.env).settings;
  const cloudflare = await signIn(account);
  const { name: worker = "", d1_databases } = unstable_readConfig({ config: configPath });
  const name = d1_databases[0]?.database_name ?? "";
  const id = await findDatabase(cloudflare, name);
  if (id === null) throw new StepError(`This account has no D1 database ${name}.`, "Create it with npm run deploy.");
  return {
    db: openRemoteDatabase(cloudflare, id),
    hashKey: secrets["HASH_KEY"],
    disposableAllowed: readAllowedDomains(vars["DISPOSABLE_ALLOWED"]),
    site: () => deployedSite(cloudflare, worker),
    close: async () => {},
  };
}
