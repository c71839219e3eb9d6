import { expect, test } from "vitest";
import { consumeSignInToken } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import {
  cloudflare,
  owner,
  remoteDatabase,
  remoteWaitlistForEachTest,
  uploadWorker,
} from "#tests/support/cloudflare/remote-waitlist.ts";
import { runScript } from "#tests/support/run-script.ts";
import { dumpDatabase } from "#tests/support/waitlist-file.ts";

remoteWaitlistForEachTest();

test("--remote signs in with Wrangler and finds the account's database by name", async () => {
  const run = await runScript("owner", ["export", "--remote", "--everyone"], { env: cloudflare.env });
  expect(run).toMatchObject({ code: 0, err: "3 entries\n" });
  expect(run.out.trimEnd().split("\r\n")).toHaveLength(4);
});

test("unsuppress, called from a terminal, takes HASH_KEY from the settings", async () => {
  const { sqlite } = cloudflare.database("waitlist-site");
  const key = "the-hash-key-of-the-deployed-waitlist";
  const hash = await keyedHash("address:v1", "erased@example.com", key);
  sqlite.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 1)").run(hash);
  const args = ["unsuppress", "erased@example.com", "--yes", "--remote"];
  const run = await runScript("owner", args, { env: { ...cloudflare.env, HASH_KEY: key } });
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out).not.toContain("@");
  expect(sqlite.prepare("SELECT * FROM suppressions").all()).toEqual([]);
});

test("sign-in prints a link to the deployed site, if its Worker has an owner", async () => {
  const missing = await owner(["sign-in"]);
  expect(missing).toMatchObject({ code: 1, out: "", err: expect.stringContaining("no Worker waitlist-site") });
  const siteUrl = { name: "SITE_URL", type: "plain_text", text: "https://market.test" };
  await uploadWorker([siteUrl]);
  const closed = await owner(["sign-in"]);
  expect(closed).toMatchObject({ code: 1, out: "", err: expect.stringContaining("OWNER_EMAIL is not set") });
  await uploadWorker([siteUrl, { name: "OWNER_EMAIL", type: "plain_text", text: "ada@market.test" }]);

  // As called from a terminal: neither LINK_SECRET nor deploy.env is needed.
  const { code, out, err } = await runScript("owner", ["sign-in", "--remote"], { env: cloudflare.env });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [, token = ""] = /^https:\/\/market\.test\/owner\/sign-in\/([\w-]+)$/m.exec(out) ?? [];
  expect(dumpDatabase(cloudflare.database("waitlist-site").sqlite)).not.toContain(token);
  const owners = await identifyOwners(["ada@market.test"]);
  const deps = {
    db: remoteDatabase(),
    linkSecrets: ["the-secret-of-the-deployed-site"],
    owners,
  };
  expect(await consumeSignInToken({ ...deps, now: Date.now }, token)).toEqual(owners[0]);
  expect(await consumeSignInToken({ ...deps, now: Date.now }, token)).toBeNull();
});
