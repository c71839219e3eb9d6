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

/** The whole life of an entry, written with the functions that a client's own part declares. */
const life = `
const consent = { at: "2026-10-05T09:30:00Z", note: "Ticked the box of our shop." };
const body: NewEntry = { email: "ada@example.com", consent, source, send_email: true };

let page = await list({ order: "changed" });
assert.equal(page.data?.next_cursor, null);

const added = await add(body);
assert.equal(added.response.status, 201);
assert(added.data);
const { id } = added.data;
const again = await add(body);
assert.equal(again.response.status, 200);
assert.equal(again.data?.id, id);
for (const name of ["bob", "carol"]) await add({ email: \`\${name}@example.com\`, consent, source });

const emails: string[] = [];
for (let cursor: string | null | undefined; cursor !== null; ) {
  const { data, error } = await list({ limit: 1, source, ...(cursor === undefined ? {} : { cursor }) });
  assert(data, error?.detail);
  emails.push(...data.entries.map((entry) => entry.email));
  cursor = data.next_cursor;
}
assert.deepEqual(emails, ["carol@example.com", "bob@example.com", "ada@example.com"]);

const found = await find({ email: "Ada@Example.com" });
assert.equal(found.data?.id, id);
assert.deepEqual(found.data.emails.map(({ kind }) => kind), ["welcome"]);

const changed = await change(id, { note: "Two stalls", answers: ANSWERS, email: "ada@crafts.example" });
assert.equal(changed.data?.note, "Two stalls");
assert.deepEqual(changed.data?.answers, ANSWERS);
assert.equal(changed.data?.email, "ada@crafts.example");
assert.equal((await find({ email: "ada@example.com" })).error?.code, "not-found");
const refused = await change(id, { email: "bob@example.com" });
assert.equal(refused.response.status, 409);
assert.equal(refused.error?.code, "address-refused");

/** What has changed since the last time. */
async function changes() {
  const ids: number[] = [];
  const erased: number[] = [];
  for (let cursor = page.data?.sync_cursor; cursor; cursor = page.data?.next_cursor) {
    page = await list({ order: "changed", limit: 2, cursor });
    assert(page.data, page.error?.detail);
    ids.push(...page.data.entries.map((entry) => entry.id));
    erased.push(...(page.data.erased ?? []));
  }
  assert(page.data?.sync_cursor);
  return { ids, erased };
}
const { ids } = await changes();
assert.equal(new Set(ids).size, 3);
assert(ids.includes(id));
assert.deepEqual(await changes(), { ids: [], erased: [] });

const left = await unsubscribe(id);
assert.equal(left.data?.status, "unsubscribed");
assert.deepEqual((await changes()).ids, [id]);

assert.equal((await erase(id)).response.status, 204);
const gone = await get(id);
assert.equal(gone.response.status, 404);
assert.equal(gone.error?.code, "not-found");
assert.deepEqual(await changes(), { ids: [], erased: [id] });

const wording = await getWording();
assert(wording.data);
assert(wording.data.text.includes("welcome email"));
const signUp = { email: "dan@example.com", source, wording: wording.data.version };
assert.equal((await join(signUp)).response.status, 201);
const twice = await join(signUp);
assert.equal(twice.response.status, 409);
assert.equal(twice.error && "error" in twice.error && twice.error.error.code, "already-joined");
assert.equal((await changes()).ids.length, 1);
for (const email of ["bob@example.com", "carol@example.com", "dan@example.com"]) {
  const { data } = await find({ email });
  assert(data);
  await erase(data.id);
}
console.log("done");
`;

const START = `
import assert from "node:assert/strict";
const [siteUrl = "", key = "", source = ""] = process.argv.slice(2);
const baseUrl = siteUrl + "/api/v1";
`;

/**
 * Two kinds of generators: one gives types to a client that is installed, the other writes a client with a function for each
 * operation.
 */
const clients = {
  "openapi-typescript": {
    generate: [join(root, "node_modules/openapi-typescript/bin/cli.js"), "openapi.json", "-o", "api.ts"],
    program: `${START}
import createClient from "openapi-fetch";
import type { components, operations, paths } from "./api.ts";

type NewEntry = components["schemas"]["NewEntry"];
type Body<Name extends keyof operations> = operations[Name] extends { requestBody: { content: { "application/json": infer Body } } } ? Body : never;
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
const open = createClient<paths>({ baseUrl: siteUrl });
const at = (id: number) => ({ params: { path: { id } } });
const list = (query: operations["listEntries"]["parameters"]["query"]) => client.GET("/entries", { params: { query } });
const add = (body: NewEntry) => client.POST("/entries", { body });
const find = (body: Body<"findEntry">) => client.POST("/entries/find", { body });
const get = (id: number) => client.GET("/entries/{id}", at(id));
const change = (id: number, body: Body<"changeEntry">) => client.PATCH("/entries/{id}", { ...at(id), body });
const unsubscribe = (id: number) => client.POST("/entries/{id}/unsubscribe", at(id));
const erase = (id: number) => client.DELETE("/entries/{id}", at(id));
const getWording = () => open.GET("/api/signup/wording");
const join = (body: Body<"signUp">) => open.POST("/api/signup", { body });
${life}`,
  },
  "@hey-api/openapi-ts": {
    generate: ["generate.mjs"],
    program: `${START}
import { createClient } from "./api/client/index.ts";
import { client } from "./api/client.gen.ts";
import * as api from "./api/sdk.gen.ts";
import type { ChangeEntryData, FindEntryData, ListEntriesData, NewEntry, SignUpData } from "./api/types.gen.ts";

client.setConfig({ baseUrl, auth: key });
const open = createClient({ baseUrl: siteUrl });
/** As every response is once there is one: without it, there was no connection. */
const answered = <Result extends { response?: Response }>(result: Result) => ({ ...result, response: result.response ?? Response.error() });
const list = async (query: NonNullable<ListEntriesData["query"]>) => answered(await api.listEntries({ query }));
const add = async (body: NewEntry) => answered(await api.addEntry({ body }));
const find = async (body: FindEntryData["body"]) => answered(await api.findEntry({ body }));
const get = async (id: number) => answered(await api.getEntry({ path: { id } }));
const change = async (id: number, body: ChangeEntryData["body"]) => answered(await api.changeEntry({ path: { id }, body }));
const unsubscribe = async (id: number) => answered(await api.unsubscribeEntry({ path: { id } }));
const erase = async (id: number) => answered(await api.eraseEntry({ path: { id } }));
const getWording = () => api.getSignUpWording({ client: open });
const join = async (body: SignUpData["body"]) => answered(await api.signUp({ client: open, body }));
${life}`,
  },
};

/** The generator's own command starts another process, which would not get TypeScript's API. */
const GENERATE = `
import { createClient } from "@hey-api/openapi-ts";
const output = { path: "api", importFileExtension: ".ts", module: { extension: ".ts" } };
await createClient({ input: "openapi.json", output, logs: { level: "silent" } });
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
    await writeFile(join(folder, "generate.mjs"), GENERATE);
    const hash = createHash("sha256").update(KEY).digest("hex");
    using database = new DatabaseSync(databaseFile(site.persistTo), { timeout: 5_000 });
    const insert = "INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('Client', ?, ?, 1)";
    database.prepare(insert).run(hash, JSON.stringify(["entries:read", "entries:write"]));
    const document = await fetch(`${site.url}/api/v1/openapi.json`);
    await writeFile(join(folder, "openapi.json"), await document.text());
    for (const { generate } of Object.values(clients))
      await node("--import", join(root, "tests/features/api/typescript-api.mjs"), ...generate);
  }, 180_000);

  afterAll(async () => {
    await site?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  test.skipIf(reason !== null).each(Object.entries(clients))(
    "by %s passes the type check, and takes an entry through its whole life",
    async (name, { program }) => {
      const { questions } = await import("#app/site.ts");
      const answers = Object.fromEntries(
        questions.map(({ key, answers }) => [key, Object.keys(answers ?? { York: "" })[0]]),
      );
      await writeFile(join(folder, "client.ts"), program.replaceAll("ANSWERS", JSON.stringify(answers)));
      expect(await typeErrors("client.ts")).toBe("");
      const { stdout } = await node("client.ts", site.url, KEY, name.replaceAll(/\W/g, "_"));
      expect(stdout).toContain("done");
      expect(await site.rows("waitlist_emails")).toEqual([]);
      expect(site.output()).not.toContain("swk_");
      // Wrangler's own lines have the recipients of local emails.
      const lines = site.output().match(/\{"level":.*\}/g) ?? [];
      expect(lines.join()).toContain("entry-changed-by-api");
      expect(lines.join()).not.toContain("@");
    },
  );

  test.skipIf(reason !== null).each(Object.entries(clients))(
    "by %s does not pass it with a value or a member that the document does not have",
    async (_, { program }) => {
      const wrong = program.replace('note: "Two stalls"', "note: 5").replace("found.data.emails", "found.data.mails");
      await writeFile(join(folder, "wrong.ts"), wrong.replaceAll("ANSWERS", "{}"));
      const errors = await typeErrors("wrong.ts");
      expect(errors).toContain("Property 'mails' does not exist");
      expect(errors).toContain("'number' is not assignable to type 'string");
    },
  );

  async function typeErrors(file: string): Promise<string> {
    const options =
      "--noEmit --strict --skipLibCheck --module nodenext --target esnext --allowImportingTsExtensions --types node";
    const tsc = join(root, "node_modules/.bin/tsc");
    const { stdout } = await run(tsc, [...options.split(" "), file], { cwd: folder }).catch((error) => error);
    return stdout;
  }

  function node(...args: string[]) {
    return run(process.execPath, args, { cwd: folder });
  }
});
