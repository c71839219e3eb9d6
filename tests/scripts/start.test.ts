import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { describeInvalidVars } from "#scripts/lib/local-site.ts";
import { localVars } from "#scripts/lib/local-vars.ts";
import { startScript } from "#tests/support/running-script.ts";

const folder = mkdtempSync(join(tmpdir(), "waitlist-site-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm start` with flags that it must reject before doing anything. */
async function refused(...flags: string[]): Promise<string> {
  const script = startScript("start", ["--persist-to", folder, ...flags]);
  expect(await script.closed).toBe(2);
  return script.output();
}

test("malformed and unknown variables are rejected by name, before anything is changed", async () => {
  const output = await refused("--var", "SURVEY_URL:http://forms.example", "--var", "OWNER_MAIL:ada@example.com");
  expect(output).toBe(
    `OWNER_MAIL: is not a variable of this site. Did you mean OWNER_EMAIL?
SURVEY_URL: must be an https:// address
`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["survey_url", "Did you mean SURVEY_URL?"],
  ["GHOST_CONTENT", "Did you mean GHOST_CONTENT_KEY?"],
  ["COLOUR", "README.md lists them."],
])("an unknown variable %s: %s", (name, advice) => {
  expect(describeInvalidVars({ ...localVars(8787), [name]: "x" })).toBe(
    `${name}: is not a variable of this site. ${advice}`,
  );
});

test("a port in use is rejected with an alternative", async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  expect(await refused("--port", String(port))).toContain(`Port ${port} is in use`);
});

test("an unknown script is rejected", async () => {
  const child = spawn("node", ["scripts/run.mjs", "nonsense"], { stdio: "ignore" });
  expect((await once(child, "close"))[0]).toBe(2);
});
