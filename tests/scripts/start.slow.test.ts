import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { freePort, isPortTaken } from "#scripts/lib/ports.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { runScript } from "#tests/support/run-script.ts";
import { startScript } from "#tests/support/running-script.ts";

const clone = cleanClone();
afterAll(clone.remove);

let server: ReturnType<typeof startScript>;
afterEach(() => server.end("SIGTERM"));

/** Wrangler would choose the same inspector port for all sites that start at the same moment. */
function flagsFor(port: number): string[] {
  return ["--port", String(port), "--inspector-port", "0"];
}

/** Starts the site in the clone. @returns what it printed for the build */
async function start(...flags: string[]): Promise<string> {
  server = startScript("start", [...flagsFor(await freePort()), ...flags], clone.folder);
  await server.printed(/Ctrl\+C/);
  const [, build = ""] = await server.printed(/^ {2}Build +(.+)$/m);
  await server.end("SIGTERM");
  return build;
}

test("npm start builds when something that goes into the build has changed, and only then", async () => {
  expect(await start()).toMatch(/^\d/);
  appendFileSync(join(clone.folder, "README.md"), "\n");
  expect(await start()).toBe("up to date");
  appendFileSync(join(clone.folder, "app", "site.ts"), "\n");
  expect(await start()).toMatch(/^\d/);
  // With other options, the build is another one.
  expect(await runScript("build", ["--mode", "staging"], { folder: clone.folder })).toMatchObject({ code: 0 });
  expect(await start()).toMatch(/^\d/);
}, 300_000);

test("a killed npm start leaves no server behind, and its database is free again", async () => {
  const port = await freePort();
  server = startScript("start", flagsFor(port), clone.folder);
  await server.printed(/Ctrl\+C/);
  await server.end("SIGKILL");
  expect(await isPortTaken(port)).toBe(false);
  expect(await start()).toBe("up to date");
}, 180_000);

test("--verbose shows Wrangler's output", async () => {
  await start("--verbose");
  expect(server.output()).toContain("Ready on http://localhost:");
}, 180_000);

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
}, 180_000);
