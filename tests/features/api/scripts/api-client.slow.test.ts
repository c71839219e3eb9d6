import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { build } from "#scripts/lib/local-site.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { switchedOff } from "#tests/support/switched-off.ts";

const run = promisify(execFile);

/** A program that uses types generated from the served document, through the whole life of an entry. */
const program = `
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

const [baseUrl, key] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: baseUrl ?? "", headers: { Authorization: \`Bearer \${key}\` } });
const consent = { at: "2026-10-05T09:30:00Z", note: "Ticked the box of our shop." };
const body: components["schemas"]["NewEntry"] = { email: "ada@example.com", consent };

const added = await client.POST("/entries", { body });
assert.equal(added.response.status, 201);
assert(added.data);
const { id } = added.data;
const again = await client.POST("/entries", { body });
assert.equal(again.response.status, 200);
assert.equal(again.data?.id, id);
for (const email of ["bob@example.com", "carol@example.com"]) await client.POST("/entries", { body: { email, consent } });

const path = { id };
const emails: string[] = [];
for (let cursor: string | null | undefined; cursor !== null; ) {
  const query = { limit: 1, source: "api", ...(cursor === undefined ? {} : { cursor }) };
  const { data, error } = await client.GET("/entries", { params: { query } });
  assert(data, error?.detail);
  emails.push(...data.entries.map((entry) => entry.email));
  cursor = data.next_cursor;
}
assert.deepEqual(emails, ["carol@example.com", "bob@example.com", "ada@example.com"]);

const changed = await client.PATCH("/entries/{id}", { params: { path }, body: { note: "Two stalls", answers: ANSWERS } });
assert.equal(changed.data?.note, "Two stalls");
assert.deepEqual(changed.data?.answers, ANSWERS);

const left = await client.POST("/entries/{id}/unsubscribe", { params: { path } });
assert.equal(left.data?.status, "unsubscribed");

assert.equal((await client.DELETE("/entries/{id}", { params: { path } })).response.status, 204);
const gone = await client.GET("/entries/{id}", { params: { path } });
assert.equal(gone.response.status, 404);
assert.equal(gone.error?.code, "not-found");
console.log("done");
`;

describe("a client that is generated from the OpenAPI document", () => {
  const reason = switchedOff(["api"]);
  let site: RunningSite;
  let folder: string;
  const KEY = `swk_${"k".repeat(43)}`;

  beforeAll(async () => {
    if (reason !== null) return;
    await build();
    site = await startSite();
    folder = await mkdtemp(join(tmpdir(), "api-client-"));
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const hash = createHash("sha256").update(KEY).digest("hex");
    using database = new DatabaseSync(databaseFile(site.persistTo), { timeout: 5_000 });
    const insert = "INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('Client', ?, ?, 1)";
    database.prepare(insert).run(hash, JSON.stringify(["entries:read", "entries:write"]));
    const document = await fetch(`${site.url}/api/v1/openapi.json`);
    await writeFile(join(folder, "openapi.json"), await document.text());
    const generator = join(root, "node_modules/openapi-typescript/bin/cli.js");
    await node(
      "--import",
      join(root, "tests/features/api/typescript-api.mjs"),
      generator,
      "openapi.json",
      "-o",
      "api.ts",
    );
  }, 180_000);

  afterAll(async () => {
    await site?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  test.skipIf(reason !== null)("passes the type check, and takes an entry through its whole life", async () => {
    const { questions } = await import("#app/site.ts");
    const answers = Object.fromEntries(
      questions.map(({ key, answers }) => [key, Object.keys(answers ?? { York: "" })[0]]),
    );
    await writeFile(join(folder, "client.ts"), program.replaceAll("ANSWERS", JSON.stringify(answers)));
    await check("client.ts");
    const { stdout } = await node("client.ts", `${site.url}/api/v1`, KEY);
    expect(stdout).toContain("done");
    expect((await site.rows("waitlist_emails")).map(({ email }) => email)).toEqual([
      "bob@example.com",
      "carol@example.com",
    ]);
    expect(site.output()).not.toMatch(/swk_|ada@example\.com/);
  });

  test.skipIf(reason !== null)("does not pass it with a value or a path that the document does not have", async () => {
    const wrong = program.replace('unsubscribe"', 'leave"').replace('note: "Two stalls"', "note: 5");
    await writeFile(join(folder, "wrong.ts"), wrong.replaceAll("ANSWERS", "{}"));
    const { stdout } = await check("wrong.ts").then(null, (error: { stdout: string }) => error);
    expect(stdout).toContain("/entries/{id}/leave");
    expect(stdout).toContain("'number' is not assignable to type 'string");
  });

  function check(file: string) {
    const options = "--noEmit --strict --module nodenext --target esnext --allowImportingTsExtensions --types node";
    return run(join(root, "node_modules/.bin/tsc"), [...options.split(" "), file], { cwd: folder });
  }

  function node(...args: string[]) {
    return run(process.execPath, args, { cwd: folder });
  }
});
