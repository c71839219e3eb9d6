import { expect, onTestFinished, test } from "vitest";
import { consumeSignInToken } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
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
  expect(JSON.parse(exported.out)).toMatchObject([
    { id: 1 },
    { id: 2, email: "person2@example.com", early_adopter: true },
    { id: 3 },
  ]);
  expect((await owner(["export"], signedIn, { HASH_KEY: "a-hash-key" })).out.trimEnd().split("\r\n")).toHaveLength(4);
});

test("unsuppress lifts the suppression of an address, with the HASH_KEY of the deployed waitlist", async () => {
  const { sqlite } = cloudflare.database("waitlist-site");
  const key = "the-hash-key-of-the-deployed-waitlist";
  const hash = await keyedHash("address:v1", "erased@example.com", key);
  sqlite.prepare("INSERT INTO suppressions VALUES (?, 'complaint', NULL, 1)").run(hash);
  const unsuppress = ["unsuppress", "erased@example.com", "--yes"];
  const unknown = await owner(unsuppress);
  expect(unknown).toMatchObject({
    code: 1,
    err: expect.stringContaining("HASH_KEY is not set"),
  });
  expect(await owner(unsuppress, signedIn, { HASH_KEY: `another-${key}` })).toMatchObject({ code: 1 });
  expect(sqlite.prepare("SELECT * FROM suppressions").all()).toHaveLength(1);
  const run = await owner(unsuppress, signedIn, { HASH_KEY: key });
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out).not.toContain("@");
  expect(sqlite.prepare("SELECT * FROM suppressions").all()).toEqual([]);
});

test("sign-in asks whom to sign in if the deployed site has several owners", async () => {
  const vars = { SITE_URL: "https://market.test", OWNER_EMAIL: "ada@market.test, Bob@market.test" };
  await uploadWorker(Object.entries(vars).map(([name, text]) => ({ name, type: "plain_text", text })));
  const unclear = await owner(["sign-in"]);
  expect(unclear).toMatchObject({ code: 1, out: "" });
  expect(unclear.err).toContain("--owner ada@market.test\n--owner bob@market.test");
  const stranger = await owner(["sign-in", "--owner", "eve@market.test"]);
  expect(stranger).toMatchObject({ code: 1, out: "", err: expect.stringContaining("is not an owner") });
  const { code, out } = await owner(["sign-in", "--owner", "BOB@market.test"]);
  expect(code).toBe(0);
  const token = /sign-in\/([\w-]+)$/m.exec(out)?.[1] ?? "";
  const owners = await identifyOwners(["ada@market.test", "bob@market.test"]);
  const deps = { db: remoteDatabase(), linkSecrets: [], owners, now: Date.now };
  expect(await consumeSignInToken(deps, token)).toEqual(owners[1]);
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
  onTestFinished(() => cloudflare.failOn(null));
  const failed = await owner(["export", "--everyone"]);
  expect(failed.code).toBe(1);
  expect(failed.err).toContain("internal server error");
  expect(failed.err).not.toMatch(/person2|^\s+at /m);
});
