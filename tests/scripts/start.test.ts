import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";

/** Runs `npm start` with flags that it should refuse before doing anything. */
async function start(...flags: string[]): Promise<{ code: number; said: string }> {
  const child = spawn("node", ["scripts/run.mjs", "start", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  child.stderr.on("data", (chunk) => (said += chunk));
  const [code] = await once(child, "close");
  return { code, said };
}

test.each([
  ["SURVEY_URL", "http://forms.example"],
  ["MAIL_FROM", "nobody"],
  ["SITE_URL", "stallwright.example"],
])("a malformed %s is refused and named", async (name, value) => {
  const { code, said } = await start("--port", "8799", "--var", `${name}:${value}`);
  expect(code).toBe(2);
  expect(said).toMatch(new RegExp(`^${name}: must be `, "m"));
});

test("a port that is taken is refused, with what to do", async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };

  const { code, said } = await start("--port", String(port));
  expect(code).toBe(2);
  expect(said).toContain(`Port ${port} is in use`);
});

test("an unknown script is refused", async () => {
  const child = spawn("node", ["scripts/run.mjs", "nonsense"], { stdio: "ignore" });
  expect((await once(child, "close"))[0]).toBe(2);
});
