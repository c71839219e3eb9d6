import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";

/** Names of actions where they are recorded, or chosen. */
const NAMES = /(?:record(?:Action)?\(\s*|\b(?:action|start|stop): )"([a-z-]+)"/g;

test("the log has words for every action that the code names", async () => {
  const files = globSync("app/{features,owner}/*/actions.ts", { cwd: root });
  const parts = await Promise.all(files.map((file) => import(join(root, file))));
  const words = Object.keys(Object.assign({}, ...parts.map(({ actions }) => actions)));
  const names = globSync("{app,scripts}/**/*.{ts,tsx}", { cwd: root }).flatMap((file) =>
    Array.from(readFileSync(join(root, file), "utf8").matchAll(NAMES), ([, name = ""]) => name),
  );
  expect(new Set(names).size).toBeGreaterThan(20);
  expect(names.filter((name) => !words.includes(name))).toEqual([]);
});
