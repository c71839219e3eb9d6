import { execFile } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { localSecrets } from "#app/server/config/local-secrets.server.ts";
import { root } from "#scripts/lib/commands.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { build } from "#scripts/lib/local-site.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { type RunningSite, startSite } from "#scripts/lib/running-site.ts";
import { startProgram } from "#tests/support/running-script.ts";
import { switchedOff } from "#tests/support/switched-off.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";

const run = promisify(execFile);

const KEY = `swk_${"d".repeat(43)}`;
/** Of the test itself, which has a rate of its own. */
const OTHER_KEY = `swk_${"o".repeat(43)}`;
const WEBHOOKS = `/cdn-cgi/local/scheduled?cron=${encodeURIComponent("*/2 * * * *")}`;
const consent = { at: "2026-10-05T09:30:00Z", note: "Ticked the box of our shop." };
const CRM_SECTION = "Keep a CRM in step, in both directions";
const reason = switchedOff(["api", "webhooks"]);

describe.skipIf(reason !== null)("the steps of docs/api.md", () => {
  let site: RunningSite;

  beforeAll(async () => {
    await build();
    site = await startSite();
    const scopes = JSON.stringify(["entries:read", "entries:write"]);
    for (const [name, key] of Object.entries({ CRM: KEY, Other: OTHER_KEY })) {
      const hash = createHash("sha256").update(key).digest("hex");
      change("INSERT INTO api_keys (name, hash, scopes, created_at) VALUES (?, ?, ?, 1)", name, hash, scopes);
    }
  }, 180_000);

  afterAll(() => site?.stop());

  test("of the first call, and of keeping a CRM in step, give what the page shows", async () => {
    const first = await section("Your first call");
    await follow(first.slice(0, -1), { SITE: site.url, KEY });

    for (const email of ["bob@example.com", "carol@example.com"]) await call("POST", "/entries", { email, consent });
    const blocks = await section(CRM_SECTION);
    const variables = { SITE: site.url, KEY, CURSOR: "" };
    await follow(blocks.slice(0, 4), variables, declarations(first[0]), async (printed) => {
      const [{ entries, sync_cursor }] = parsed(printed);
      variables.CURSOR = sync_cursor;
      await call("PATCH", `/entries/${entries[0].id}`, { note: "Called" });
      await call("DELETE", `/entries/${entries[1].id}`);
    });
  });

  test("start a program that keeps both sides equal, though events are lost and its cursor expires", async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const events = ["entry.joined", "entry.answered", "entry.changed", "entry.unsubscribed", "entry.erased"];
    change("INSERT INTO webhook_endpoints (url, events, created_at) VALUES (?, ?, 1)", url, JSON.stringify(events));
    const secret = createHmac("sha256", localSecrets.HASH_KEY).update("webhook-secret:v1:1.1").digest("base64");
    const command = (await section(CRM_SECTION)).at(-1);
    expect(command).toBe("SITE=https://example.com KEY=swk_… WEBHOOK_SECRET=whsec_… node docs/examples/crm.mjs");
    const CRM = join(temporaryFolder(), "crm.db");
    const env = { SITE: site.url, KEY, WEBHOOK_SECRET: `whsec_${secret}`, PORT: String(port), EVERY: "3600", CRM };
    const start = () => startProgram(["docs/examples/crm.mjs"], root, env);
    for (const { id } of await listed()) await call("DELETE", `/entries/${id}`);
    await signUp("bob@example.com");
    let program = start();
    onTestFinished(async () => void (await program.end("SIGTERM")));

    const crm = (statement: string, ...values: (string | number | null)[]) => {
      using database = new DatabaseSync(CRM, { timeout: 5_000 });
      return database.prepare(statement).all(...values);
    };
    /** What someone changes in the CRM. */
    const write = (id: unknown, method: string, action: string, body: object | null = null) =>
      crm(
        "INSERT INTO outgoing (contact, method, action, body) SELECT id, ?, ?, ? FROM contacts WHERE ? IN (entry_id, email)",
        ...[method, action, body && JSON.stringify(body), id as string],
      );
    /** Waits until nobody is only on one side, or different there. */
    const equal = () =>
      expect
        .poll(
          async () => {
            const here = crm("SELECT entry_id AS id, email, status, note FROM contacts").map((row) =>
              JSON.stringify(row),
            );
            const there = (await listed()).map((entry) => JSON.stringify(entry));
            return [...new Set(here).symmetricDifference(new Set(there)), ...crm("SELECT * FROM outgoing")];
          },
          { timeout: 30_000, interval: 1_000 },
        )
        .toEqual([]);
    await equal();

    // Events make it ask at once. By itself, it would not for an hour.
    for (const name of ["dan", "gus", "ida"]) await signUp(`${name}@example.com`);
    await deliver();
    await equal();
    const id = Object.fromEntries((await listed()).map((entry) => [String(entry["email"]).split("@")[0], entry["id"]]));

    // Both sides change at the same time: the later address and note of the CRM win.
    crm("INSERT INTO contacts (email) VALUES ('eve@example.com')");
    write("eve@example.com", "POST", "", { email: "eve@example.com", consent });
    write(id["bob"], "PATCH", "", { note: "Changed in the CRM", email: "robert@example.com" });
    write(id["dan"], "POST", "/unsubscribe");
    await call("PATCH", `/entries/${id["bob"]}`, { note: "Changed on the site" });
    await signUp("fay@example.com");
    await deliver();
    await equal();
    const after = await listed();
    expect(after).toContainEqual({
      id: id["bob"],
      status: "active",
      email: "robert@example.com",
      note: "Changed in the CRM",
    });
    expect(after).toContainEqual(expect.objectContaining({ id: id["dan"], status: "unsubscribed" }));

    // It is off, and all events are lost.
    await program.end("SIGKILL");
    write(id["dan"], "PATCH", "", { note: "Wrote to us" });
    await call("DELETE", `/entries/${id["gus"]}`);
    await call("POST", `/entries/${id["bob"]}/unsubscribe`);
    change("DELETE FROM jobs");
    program = start();
    await equal();

    // The same, and what was erased meanwhile is no longer on record.
    await program.end("SIGKILL");
    for (const name of ["dan", "ida"]) await call("DELETE", `/entries/${id[name]}`);
    write(id["dan"], "PATCH", "", { note: "Too late" });
    change("DELETE FROM jobs");
    change("DELETE FROM entry_changes");
    change("UPDATE api_keys SET created_at = ?", Date.now());
    program = start();
    await equal();
    expect((await listed()).map(({ email }) => email).sort()).toEqual([
      "eve@example.com",
      "fay@example.com",
      "robert@example.com",
    ]);
    expect(program.output()).toBe("");
    expect((await fetch(url, { method: "POST", body: '{"type": "entry.joined"}' })).status).toBe(401);
  });

  function change(statement: string, ...values: (string | number)[]) {
    using database = new DatabaseSync(databaseFile(site.persistTo), { timeout: 5_000 });
    database.prepare(statement).run(...values);
  }

  async function call(method: string, path: string, body?: object) {
    const headers = { Authorization: `Bearer ${OTHER_KEY}`, "Content-Type": "application/json" };
    const response = await fetch(`${site.url}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response;
  }

  async function signUp(email: string) {
    const body = JSON.stringify({ email });
    const headers = { "Content-Type": "application/json" };
    expect((await fetch(`${site.url}/api/signup`, { method: "POST", headers, body })).status).toBe(201);
  }

  const deliver = () => fetch(site.url + WEBHOOKS);

  async function listed(): Promise<Record<string, unknown>[]> {
    const { entries } = await (await call("GET", "/entries?order=oldest")).json();
    return entries.map(({ id, email, status, note }: Record<string, unknown>) => ({ id, email, status, note }));
  }
});

/** The blocks of a section: commands, and what they print. */
async function section(title: string): Promise<string[]> {
  const page = await readFile(join(root, "docs/api.md"), "utf8");
  const text = page.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  return Array.from(text.matchAll(/^```(?:sh|text)\n(.*?)\n```$/gms), ([, block = ""]) => block);
}

/** The lines of commands that later ones need. */
const declarations = (commands = "") =>
  commands
    .split("\n")
    .filter((line) => /^\w+(=|\(\))/.test(line))
    .join("\n");

/**
 * Runs commands in order, and compares what they print with the block after them. There, `…` stands for anything, and at the end
 * of an object for more members.
 *
 * @param variables values in place of those that the page assigns
 */
async function follow(
  blocks: string[],
  variables: Record<string, string>,
  before = "",
  after: (printed: string) => Promise<void> = async () => {},
): Promise<void> {
  const assigned = (commands: string) =>
    commands.replace(/^(\w+)=\S+$/gm, (line, name) => (name in variables ? `${name}=${variables[name]}` : line));
  const [commands, expected = "", ...rest] = blocks;
  if (commands === undefined) return;
  const { stdout } = await run("bash", ["-ec", assigned(`${before}\n${commands}`)]);
  expect(parsed(stdout), commands).toMatchObject(parsed(expected).map(pattern));
  await after(stdout);
  await follow(rest, variables, `${before}\n${declarations(commands)}`);
}

/** Lines of JSON. */
const parsed = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line.replaceAll(/, …(?=[}\]])/g, "")));

function pattern(value: unknown): unknown {
  if (typeof value === "string" && value.includes("…")) return expect.stringContaining(value.replace("…", ""));
  if (Array.isArray(value)) return value.map(pattern);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, pattern(member)]));
}
