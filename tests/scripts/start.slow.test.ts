import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { freePort } from "#scripts/lib/ports.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { runScript } from "#tests/support/run-script.ts";
import { startScript } from "#tests/support/running-script.ts";

const clone = cleanClone();
afterAll(clone.remove);

let server: ReturnType<typeof startScript>;
afterEach(() => server.end("SIGTERM"));

/** Starts the site in the clone. @returns what it printed for the build */
async function start(...flags: string[]): Promise<string> {
  server = startScript("start", ["--port", String(await freePort()), ...flags], clone.folder);
  await server.printed(/Ctrl\+C/);
  const [, build = ""] = await server.printed(/^ {2}Build +(.+)$/m);
  await server.end("SIGTERM");
  return build;
}

test("npm start builds when something that goes into the build has changed, and only then", async () => {
  expect(await start()).toMatch(/^\d/);
  expect(await start()).toBe("up to date");
  appendFileSync(join(clone.folder, "README.md"), "\n");
  expect(await start()).toBe("up to date");
  appendFileSync(join(clone.folder, "app", "site.ts"), "\n");
  expect(await start()).toMatch(/^\d/);

  // A build that the scripts did not make may be of anything.
  rmSync(join(clone.folder, "build"), { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "" };
  expect(await runScript("build", ["--mode", "production"], { folder: clone.folder, env })).toMatchObject({ code: 0 });
  expect(await start()).toMatch(/^\d/);
  expect(await runScript("build", [], { folder: clone.folder })).toMatchObject({ code: 0 });
  expect(await start()).toBe("up to date");
}, 300_000);

test("a database is free again after its server was killed", async () => {
  server = startScript("start", ["--port", String(await freePort())], clone.folder);
  await server.printed(/Ctrl\+C/);
  await server.end("SIGKILL");
  expect(await start()).toBe("up to date");
}, 120_000);

test("--verbose shows Wrangler's output", async () => {
  await start("--verbose");
  expect(server.output()).toContain("Ready on http://localhost:");
}, 120_000);

test("npm run dev opens the owner's pages and prints where everything is", async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  server = startScript("dev", ["--port", String(port)], clone.folder);
  const [, link = ""] = await server.printed(/^ {2}Sign in +(\S+)$/m);
  await server.printed(new RegExp(`Local.*${port}`));
  expect(await (await fetch(`${url}/owner`)).text()).toContain("<form");
  const signedIn = await fetch(link, { method: "POST", headers: { Origin: url }, redirect: "manual" });
  expect(signedIn.headers.get("Location")).toBe("/owner");
  const headers = { Origin: url, "Content-Type": "application/json" };
  const body = JSON.stringify({ email: "ada@example.com" });
  expect((await fetch(`${url}/api/signup`, { method: "POST", headers, body })).status).toBe(201);
  const [, inbox = ""] = await server.printed(/^ {2}Email +(\S+)/m);
  const list = `${new URL(inbox).origin}/cdn-cgi/local/explorer/api/local/email/sending`;
  await expect.poll(async () => (await fetch(list)).text(), { timeout: 30_000 }).toContain("ada@example.com");
}, 120_000);
