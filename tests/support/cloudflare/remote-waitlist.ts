import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { beforeEach, expect, onTestFinished, vi } from "vitest";
import type { Db } from "#app/server/db/client.server.ts";
import { type Cloudflare, signIn } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { openRemoteDatabase } from "#scripts/lib/remote-database.ts";
import { deployedVars } from "#scripts/owner/database.ts";
import { runOwner } from "#scripts/owner/run.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { addPeople } from "#tests/support/waitlist-file.ts";

export let cloudflare: Awaited<ReturnType<typeof startFakeCloudflare>>;
export let signedIn: Cloudflare;

/** Starts a fake Cloudflare for each test of a file, with a migrated database of three entries. */
export function remoteWaitlistForEachTest(): void {
  beforeEach(async () => {
    cloudflare = await startFakeCloudflare();
    onTestFinished(cloudflare.stop);
    for (const [name, value] of Object.entries(cloudflare.env)) vi.stubEnv(name, value);
    // Once: it starts Wrangler. The address is read at each call.
    signedIn ??= await signIn(cloudflare.env);
    const init = { method: "POST", headers, body: JSON.stringify({ name: "waitlist-site" }) };
    await fetch(`${account()}/d1/database`, init);
    const { sqlite } = cloudflare.database("waitlist-site");
    const migrations = join(root, "migrations");
    for (const file of readdirSync(migrations).filter((name) => name.endsWith(".sql")))
      sqlite.exec(readFileSync(join(migrations, file), "utf8"));
    addPeople(sqlite, 3);
  });
}

const account = () => `${cloudflare.url}/accounts/${cloudflare.env.CLOUDFLARE_ACCOUNT_ID}`;

const headers = { Authorization: "Bearer a-token" };

/** The deployed database. */
export function remoteDatabase(account = signedIn): Db {
  return openRemoteDatabase(account, "waitlist-site");
}

/** Deploys a Worker with these bindings. */
export async function uploadWorker(bindings: object[]): Promise<void> {
  const body = new FormData();
  body.set("metadata", JSON.stringify({ bindings }));
  const response = await fetch(`${account()}/workers/scripts/waitlist-site`, { method: "PUT", headers, body });
  expect(response.status).toBe(200);
}

/** Runs a command with an existing sign-in. */
export async function owner(args: string[], account = signedIn, settings: Record<string, string> = {}) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const database = {
    db: remoteDatabase(account),
    settings,
    siteVars: () => deployedVars(account, "waitlist-site"),
    [Symbol.dispose]: () => {},
  };
  const code = await runOwner([...args, "--remote"], { out, err, open: async () => database });
  return { code, out: String(out.read() ?? ""), err: String(err.read() ?? "") };
}
