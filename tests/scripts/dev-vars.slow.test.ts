import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { runScript } from "#tests/support/run-script.ts";
import { startProgram, startScript } from "#tests/support/running-script.ts";

// npm start builds the site.
vi.setConfig({ testTimeout: 180_000 });

const { folder, remove } = cleanClone();
const devVars = join(folder, ".dev.vars");
afterAll(remove);

test("npm start: .dev.vars overrides the local values, and --var overrides .dev.vars; with a key of Resend it says where emails go", async () => {
  const accepted: string[] = [];
  const resend = await startFakeResend({
    account: { verified: ["stalls.site"] },
    onAccepted: ({ to }) => void accepted.push(to),
  });
  onTestFinished(resend.stop);
  const settings = {
    CONTROLLER_NAME: '"Name from the $file"',
    CONTROLLER_ADDRESS: '"Address from the file"',
    // Blank, so there is no owner, in spite of the local values.
    OWNER_EMAIL: "",
    RESEND_API_KEY: "re_test",
    RESEND_URL: resend.url,
    MAIL_FROM: "hello@stalls.site",
  };
  writeFileSync(
    devVars,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const state = join(folder, "seeded");
  expect(await runScript("db-seed", ["--entries", "40", "--persist-to", state], { folder })).toMatchObject({ code: 0 });
  const port = String(await freePort());
  const flags = ["--port", port, "--persist-to", state, "--inspector-port", "0"];
  const server = startScript("start", [...flags, "--var", "CONTROLLER_ADDRESS:Address from the flag"], folder);
  onTestFinished(() => server.end("SIGTERM").then(() => {}));
  await server.printed(/Ctrl\+C/);
  expect(server.output()).toContain(`RESEND_API_KEY is set, so it is sent to ${new URL(resend.url).host}`);
  expect(server.output()).not.toContain("stays on this machine");

  const origin = `http://localhost:${port}`;
  const text = await (await fetch(`${origin}/privacy`)).text();
  expect(text).toContain("Name from the $file");
  expect(text).toContain("Address from the flag");
  expect((await fetch(`${origin}/owner`)).status).toBe(404);
  // Emails to the addresses of sample entries are kept from it.
  for (const email of ["ada@example.com", "ada@stalls.net"]) {
    const headers = { Origin: origin, "Content-Type": "application/json" };
    const joined = await fetch(`${origin}/api/signup`, { method: "POST", headers, body: JSON.stringify({ email }) });
    expect(joined.status).toBe(201);
  }
  using database = new DatabaseSync(databaseFile(state), { readOnly: true, timeout: 5_000 });
  const due = database.prepare("SELECT count(*) AS due FROM email_outbox WHERE done_at IS NULL AND dead_at IS NULL");
  await vi.waitFor(() => expect(due.get()).toEqual({ due: 0 }), { timeout: 60_000, interval: 500 });
  expect(accepted).toEqual(["ada@stalls.net"]);
  const refused = database.prepare("SELECT count(*) AS emails FROM email_outbox WHERE reason = 'example-address'");
  expect(refused.get()?.["emails"]).toBeGreaterThan(1);
});

test("plain wrangler serves the build with the values of .dev.vars.example", async () => {
  const wrangler = fileURLToPath(import.meta.resolve("wrangler"));
  const port = await freePort();
  const example = readFileSync(join(folder, ".dev.vars.example"), "utf8").replace(/^# (?=[A-Z_]+=)/gm, "");
  writeFileSync(devVars, example.replace("localhost:8787", `localhost:${port}`));
  const migrate = startProgram([wrangler, "d1", "migrations", "apply", "DB", "--local"], folder);
  expect(await migrate.closed).toBe(0);
  const server = startProgram([wrangler, "dev", "--port", String(port), "--inspector-port", "0"], folder);
  onTestFinished(() => server.end("SIGTERM").then(() => {}));
  await server.printed(/Ready on/);
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
  expect(await (await fetch(`http://localhost:${port}/healthcheck`)).text()).toContain('"d1":"ok"');
});
