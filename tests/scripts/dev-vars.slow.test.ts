import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { runScript } from "#tests/support/run-script.ts";
import { startScript } from "#tests/support/running-script.ts";

// npm start and the first test's set-up build the site.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const clone = cleanClone();
const devVars = join(clone.folder, ".dev.vars");
const bin = join(root, "node_modules", ".bin");
const servers: ChildProcess[] = [];

beforeAll(async () => {
  expect(await runScript("build", [], { folder: clone.folder })).toMatchObject({ code: 0 });
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = once(server, "close");
    // The whole group: npm start and Wrangler start further processes.
    if (server.pid !== undefined) process.kill(-server.pid, "SIGTERM");
    await closed;
  }
  rmSync(devVars, { force: true });
});
afterAll(() => clone.remove());

/** Starts a server in the clone. @returns a function that fetches a page as soon as the server responds */
function serve(command: string, ...args: string[]) {
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
  const server = spawn(command, args, { cwd: clone.folder, env, stdio: "ignore", detached: true });
  servers.push(server);
  return async (url: string) => {
    for (const deadline = Date.now() + 120_000; ; ) {
      const response = await fetch(url, { redirect: "manual" }).catch(() => null);
      if (response !== null) return { status: response.status, text: await response.text() };
      if (Date.now() > deadline || server.exitCode !== null) throw new Error(`Nothing responds at ${url}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
}

test("npm start: .dev.vars overrides the local values, and --var overrides .dev.vars", async () => {
  const port = await freePort();
  writeFileSync(
    devVars,
    'CONTROLLER_NAME="Name from the $file"\nCONTROLLER_ADDRESS="Address from the file"\nOWNER_EMAIL=\n',
  );
  const flags = ["--port", String(port), "--var", "CONTROLLER_ADDRESS:Address from the flag"];
  const get = serve(process.execPath, "scripts/start.ts", ...flags);
  const { text } = await get(`http://localhost:${port}/privacy`);
  expect(text).toContain("Name from the $file");
  expect(text).toContain("Address from the flag");
  // Blank in .dev.vars, so there is no owner, in spite of the local values.
  expect((await get(`http://localhost:${port}/owner`)).status).toBe(404);
});

test("npm start with a key of Resend says where emails go, and keeps those of sample entries from it", async () => {
  const resend = await startFakeResend({
    account: { verified: ["stalls.site"] },
    onAccepted,
  });
  onTestFinished(resend.stop);
  const accepted: string[] = [];
  function onAccepted({ to }: { to: string }) {
    accepted.push(to);
  }
  writeFileSync(devVars, `RESEND_API_KEY=re_test\nRESEND_URL=${resend.url}\nMAIL_FROM=hello@stalls.site\n`);
  const state = join(clone.folder, "seeded");
  expect(
    await runScript("db-seed", ["--entries", "40", "--persist-to", state], { folder: clone.folder }),
  ).toMatchObject({
    code: 0,
  });
  const port = String(await freePort());
  const flags = ["--port", port, "--persist-to", state, "--inspector-port", "0"];
  const server = startScript("start", flags, clone.folder);
  onTestFinished(() => server.end("SIGTERM").then(() => {}));
  await server.printed(/Ctrl\+C/);
  expect(server.output()).toContain(
    `leaves this machine: RESEND_API_KEY is set, so it is sent to ${new URL(resend.url).host}`,
  );
  expect(server.output()).not.toContain("stays on this machine");

  const origin = `http://localhost:${port}`;
  for (const email of ["ada@example.com", "ada@stalls.net"]) {
    const headers = { Origin: origin, "Content-Type": "application/json" };
    const joined = await fetch(`${origin}/api/signup`, { method: "POST", headers, body: JSON.stringify({ email }) });
    expect(joined.status).toBe(201);
  }
  using database = new DatabaseSync(databaseFile(state), { readOnly: true, timeout: 5_000 });
  const due = database.prepare("SELECT count(*) AS due FROM email_outbox WHERE sent_at IS NULL AND dead_at IS NULL");
  await vi.waitFor(() => expect(due.get()).toEqual({ due: 0 }), { timeout: 60_000, interval: 500 });
  expect(accepted).toEqual(["ada@stalls.net"]);
  const refused = database.prepare("SELECT count(*) AS emails FROM email_outbox WHERE reason = 'example-address'");
  expect(refused.get()?.["emails"]).toBeGreaterThan(1);
});

test("npm run dev: .dev.vars overrides the local values", async () => {
  const port = await freePort();
  writeFileSync(devVars, `SITE_URL=http://localhost:${port}\nCONTROLLER_NAME="Name from the $file"\n`);
  const get = serve(process.execPath, "scripts/dev.ts", "--port", String(port));
  expect((await get(`http://localhost:${port}/privacy`)).text).toContain("Name from the $file");
});

test("plain wrangler dev serves the build with the values of .dev.vars.example, and without them says what to do", async () => {
  const port = await freePort();
  const wrangler = () => serve("wrangler", "dev", "--port", String(port), "--inspector-port", "0");
  const { status, text } = await wrangler()(`http://localhost:${port}/`);
  expect(status).toBe(500);
  expect(text).toMatch(/^SITE_URL: is not set$/m);
  expect(text).toContain(".dev.vars.example");

  const migrate = spawn("wrangler", ["d1", "migrations", "apply", "DB", "--local"], options());
  expect((await once(migrate, "close"))[0]).toBe(0);
  const otherPort = await freePort();
  const example = readFileSync(join(clone.folder, ".dev.vars.example"), "utf8").replace(/^# (?=[A-Z_]+=)/gm, "");
  writeFileSync(devVars, example.replace("localhost:8787", `localhost:${otherPort}`));
  const get = serve("wrangler", "dev", "--port", String(otherPort), "--inspector-port", "0");
  expect((await get(`http://localhost:${otherPort}/`)).status).toBe(200);
  expect((await get(`http://localhost:${otherPort}/healthcheck`)).text).toContain('"d1":"ok"');
});

test.each([
  ["deploy", "--dry-run"],
  ["d1", "migrations", "list", "DB", "--local"],
])("plain wrangler %s %s works in a built clone", async (...args) => {
  const command = spawn("wrangler", args, options());
  let output = "";
  command.stdout?.on("data", (chunk: Buffer) => (output += chunk));
  expect((await once(command, "close"))[0]).toBe(0);
  expect(output).toMatch(args[0] === "deploy" ? /env\.DB/ : /igrations/);
});

function options() {
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, CI: "1" };
  return { cwd: clone.folder, env, stdio: ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"] };
}
