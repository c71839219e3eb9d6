import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { runScript } from "#tests/support/run-script.ts";

const clone = cleanClone();
afterAll(clone.remove);

/** Everything that a script could have written. */
function files(): string[] {
  const folders = readdirSync(clone.folder).filter((name) => name !== "node_modules");
  const paths = folders.flatMap((name) => [name, ...listFolder(join(clone.folder, name))]);
  return paths.sort();
}

function listFolder(path: string): string[] {
  return statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
}

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

const withoutOptions = /^(?:build|check|test|screenshots|generate:)/;

test.each(
  Object.entries(scripts).flatMap(([name, command]) => {
    const call = name === "start" ? "npm start" : `npm run ${name}`;
    const file = /scripts\/(?:run\.mjs )?([\w-]+)(?:\.ts)?$/.exec(command)?.[1] ?? "";
    return withoutOptions.test(name) ? [] : [{ call, file }];
  }),
)("$call -- --help prints how to call it, and starts nothing", async ({ call, file }) => {
  const before = files();
  const { code, out, err } = await runScript(file, ["--help"], { folder: clone.folder });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [usage, empty, summary] = out.split("\n");
  expect([`Usage: ${call} -- [options]`, `Usage: ${call} -- [options] [command]`]).toContain(usage);
  expect(empty).toBe("");
  expect(summary).not.toBe("");
  expect(out).toMatch(/^ {2}--help +show this/m);
  expect(files()).toEqual(before);
});
