import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort, isPortTaken } from "#scripts/lib/ports.ts";
import { startScript } from "#tests/support/running-script.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

describe("a server on a fresh database", () => {
  let port: number;
  let url: string;
  let server: ReturnType<typeof startScript>;
  const start = (...flags: string[]) =>
    startScript("start", ["--port", String(port), "--persist-to", folder, "--inspector-port", "0", ...flags]);
  beforeAll(async () => {
    port = await freePort();
    url = `http://localhost:${port}`;
    server = start();
    await server.printed(/Ctrl\+C/);
    // It may have to build.
  }, 150_000);
  afterAll(() => server.end("SIGTERM"));

  test("it prints a line for each step, and then where everything is", () => {
    const lines = `^  Build     .+
  Migrate   \\d+\\.\\d s
  Ready     in \\d+\\.\\d s

  Site            ${url}
  Owner's pages   ${url}/owner
  Sign in         ${url}/owner/sign-in/\\w+
  Email           ${url}/cdn-cgi/local/explorer/email/sending   \\(stays on this machine\\)
  Stop            Ctrl\\+C

$`;
    expect(server.output()).toMatch(new RegExp(lines));
  });

  test("the printed link signs the owner in", async () => {
    const [, link = ""] = await server.printed(/^ {2}Sign in +(\S+)$/m);
    expect((await fetch(link)).status).toBe(200);
    const signedIn = await fetch(link, { method: "POST", headers: { Origin: url }, redirect: "manual" });
    expect(signedIn.headers.get("Location")).toBe("/owner");
  });

  test("a sign-up through the API gets its email, and nothing more is printed", async () => {
    const printed = server.output();
    const headers = { Origin: url, "Content-Type": "application/json" };
    const body = JSON.stringify({ email: "ada@example.com" });
    expect((await fetch(`${url}/api/signup`, { method: "POST", headers, body })).status).toBe(201);
    const list = async () => (await fetch(`${url}/cdn-cgi/local/explorer/api/local/email/sending`)).text();
    await vi.waitFor(async () => expect(await list()).toContain("ada@example.com"), { timeout: 30_000, interval: 500 });
    expect(server.output()).toBe(printed);
  });

  test("npm run owner -- sign-in prints a link to this server and its port", async () => {
    const owner = startScript("owner", ["sign-in", "--persist-to", folder]);
    expect(await owner.closed).toBe(0);
    expect(owner.output()).toMatch(new RegExp(`^${url}/owner/sign-in/\\S+\nIt signs in`));
    expect(owner.output()).not.toContain("No site is running");
    const [link = ""] = owner.output().split("\n");
    expect((await fetch(link)).status).toBe(200);
  });

  test.each(["start", "dev", "db-seed"])("%s refuses the same database", async (script) => {
    const flags = script === "db-seed" ? [] : ["--port", String(await freePort())];
    const second = startScript(script, [...flags, "--persist-to", folder]);
    expect(await second.closed).not.toBe(0);
    expect(second.output()).toContain(`${url} already uses the database in ${folder}.\nStop it first`);
  });

  test("it frees its port and its database when it ends; the next start has nothing to do", async () => {
    expect(await server.end("SIGTERM")).toBe(0);
    expect(await isPortTaken(port)).toBe(false);
    server = start("--var", "OWNER_EMAIL:");
    await server.printed(/Ctrl\+C/);
    expect(server.output()).toMatch(/Build {5}up to date\n {2}Migrate {3}up to date\n/);
    expect(server.output()).not.toContain("/owner");
  });

  test("when the runtime is killed, it says so and ends", async () => {
    process.kill(runtimeOf(server.pid), "SIGKILL");
    expect(await server.closed).toBe(1);
    expect(server.output()).toContain("Cloudflare's runtime (workerd) has stopped: SIGKILL.");
    expect(server.output()).toMatch(/The server stopped unexpectedly; see its messages above\.\n$/);
  });
});

/** The process id of workerd below a process. */
function runtimeOf(ancestor: number): number {
  const processes = execFileSync("ps", ["-e", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^ *(\d+) +(\d+) +(.*)$/.exec(line)?.slice(1) ?? []);
  const parentOf = new Map(processes.map(([pid, parent]) => [Number(pid), Number(parent)]));
  const isBelow = (pid = 0): boolean => pid === ancestor || (pid > 1 && isBelow(parentOf.get(pid)));
  const [pid] = processes.find(([pid, , args = ""]) => /workerd serve/.test(args) && isBelow(Number(pid))) ?? [];
  if (pid === undefined) throw new Error("no workerd is running");
  return Number(pid);
}
