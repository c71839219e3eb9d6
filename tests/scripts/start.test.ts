import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";

/** Runs `npm start` with flags that it must reject before doing anything. */
async function start(...flags: string[]): Promise<{ code: number; output: string }> {
  const child = spawn("node", ["scripts/run.mjs", "start", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code, output };
}

test.each([
  ["SURVEY_URL", "http://forms.example"],
  ["MAIL_FROM", "nobody"],
  ["SITE_URL", "stallwright.example"],
])("a malformed %s is rejected by name", async (name, value) => {
  const { code, output } = await start("--port", "8799", "--var", `${name}:${value}`);
  expect(code).toBe(2);
  expect(output).toMatch(new RegExp(`^${name}: must be `, "m"));
});

test.each([
  ["OWNER_MAIL", "Did you mean OWNER_EMAIL?"],
  ["survey_url", "Did you mean SURVEY_URL?"],
  ["COLOUR", "README.md lists them."],
])("an unknown variable %s is rejected: %s", async (name, advice) => {
  const { code, output } = await start("--var", `${name}:x`);
  expect(code).toBe(2);
  expect(output).toContain(`${name}: is not a variable of this site. ${advice}`);
});

test("a port in use is rejected with an alternative", async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };

  const { code, output } = await start("--port", String(port));
  expect(code).toBe(2);
  expect(output).toContain(`Port ${port} is in use`);
});

test("an unknown script is rejected", async () => {
  const child = spawn("node", ["scripts/run.mjs", "nonsense"], { stdio: "ignore" });
  expect((await once(child, "close"))[0]).toBe(2);
});
