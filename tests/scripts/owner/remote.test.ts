import { expect, test } from "vitest";
import { consumeSignInToken } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import { signIn } from "#scripts/lib/cloudflare.ts";
import {
  cloudflare,
  owner,
  remoteDatabase,
  remoteWaitlistForEachTest,
  signedIn,
  uploadWorker,
} from "#tests/support/cloudflare/remote-waitlist.ts";

remoteWaitlistForEachTest();

test("queries run over HTTP as they do in the Worker", async () => {
  const exported = await owner(["export", "--format", "json"], signedIn, { HASH_KEY: "a-hash-key" });
  const second = { id: 2, email: "person2@example.com", early_adopter: true };
  expect(JSON.parse(exported.out)).toMatchObject([{ id: 1 }, second, { id: 3 }]);
});

test("unsuppress lifts the suppression of an address, with the HASH_KEY of the deployed waitlist", async () => {
  const { sqlite } = cloudflare.database("waitlist-site");
  const key = "the-hash-key-of-the-deployed-waitlist";
  const hash = await keyedHash("address:v1", "erased@example.com", key);
  sqlite.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 1)").run(hash);
  const unsuppress = ["unsuppress", "erased@example.com", "--yes"];
  expect(await owner(unsuppress)).toMatchObject({ code: 1, err: expect.stringContaining("HASH_KEY is not set") });
  expect(await owner(unsuppress, signedIn, { HASH_KEY: `another-${key}` })).toMatchObject({ code: 1 });
  expect(sqlite.prepare("SELECT * FROM suppressions").all()).toHaveLength(1);
  const run = await owner(unsuppress, signedIn, { HASH_KEY: key });
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out).not.toContain("@");
  expect(sqlite.prepare("SELECT * FROM suppressions").all()).toEqual([]);
});

test("sign-in prints a link to the deployed site, and asks whom to sign in if it has several owners", async () => {
  expect(await owner(["sign-in"])).toMatchObject({ code: 1, err: expect.stringContaining("no Worker waitlist-site") });
  const siteUrl = { name: "SITE_URL", type: "plain_text", text: "https://market.test" };
  await uploadWorker([siteUrl]);
  expect(await owner(["sign-in"])).toMatchObject({ code: 1, err: expect.stringContaining("OWNER_EMAIL is not set") });
  const ownerEmail = { name: "OWNER_EMAIL", type: "plain_text", text: "ada@market.test, Bob@market.test" };
  await uploadWorker([siteUrl, ownerEmail]);
  const unclear = await owner(["sign-in"]);
  expect(unclear).toMatchObject({ code: 1, out: "" });
  expect(unclear.err).toContain("--owner ada@market.test\n--owner bob@market.test");
  const stranger = await owner(["sign-in", "--owner", "eve@market.test"]);
  expect(stranger).toMatchObject({ code: 1, out: "", err: expect.stringContaining("is not an owner") });
  const { code, out } = await owner(["sign-in", "--owner", "BOB@market.test"]);
  expect(code).toBe(0);
  const token = /^https:\/\/market\.test\/owner\/sign-in\/([\w-]+)$/m.exec(out)?.[1] ?? "";
  const owners = await identifyOwners(["ada@market.test", "bob@market.test"]);
  const deps = { db: remoteDatabase(), linkSecrets: [], owners, now: Date.now };
  expect(await consumeSignInToken(deps, token)).toEqual(owners[1]);
  expect(await consumeSignInToken(deps, token)).toBeNull();
  const { sqlite } = cloudflare.database("waitlist-site");
  const logged = sqlite.prepare("SELECT actor, action FROM owner_log ORDER BY id DESC LIMIT 1").get();
  expect({ ...logged }).toEqual({ actor: "command line", action: "create-sign-in-link" });
});

test("if Cloudflare rejects the sign-in or fails, the error contains no address", async () => {
  const command = ["unsuppress", "person2@example.com", "--yes"];
  const stranger = await signIn({ ...cloudflare.env, CLOUDFLARE_API_TOKEN: "another" });
  const rejected = await owner(command, stranger, { HASH_KEY: "a-hash-key" });
  expect(rejected).toMatchObject({ code: 1, out: "" });
  expect(rejected.err).toContain("npx wrangler login");
  cloudflare.failOn(/\/raw$/);
  const failed = await owner(["export", "--everyone"]);
  expect(failed.code).toBe(1);
  expect(failed.err).toContain("internal server error");
  expect(failed.err).not.toMatch(/person2|^\s+at /m);
});
